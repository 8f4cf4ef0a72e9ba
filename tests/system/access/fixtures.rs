//! A site with one thing of each kind. Most of them belong to one player, the owner.

use serde_json::{Value, json};

use super::{
    principal::Principal::{
        self, Admin, Bank, Editor, GameServer, InvalidToken, Merchant, OtherPlayer, Owner, Visitor,
    },
    samples::{category, create, offer, post},
};
use crate::support::{
    bank,
    client::Client,
    community::{PIXEL, StaffRole, character_in_guild},
    payment::{create_payment, payload, payment_id, wait_for_status},
    site::Site,
};

pub(super) struct Fixtures {
    pub(super) site: Site,
    _bank: bank::Bank,
    pub(super) owner: Client,
    other_player: Client,
    editor: Client,
    merchant: Client,
    admin: Client,
    /// The guild that the owner leads, and the guild of the other player.
    pub(super) guilds: [i64; 2],
    /// The logo of both guilds.
    pub(super) logo: String,
    /// Visible, hidden, and empty.
    pub(super) categories: [Value; 3],
    /// Visible, and hidden.
    pub(super) offers: [Value; 2],
    /// Hidden.
    pub(super) post: Value,
    /// Pending, and paid.
    pub(super) payments: [String; 2],
    pub(super) operation: String,
    pub(super) delivery: Value,
    pub(super) notification: i64,
    /// An account that sends no requests.
    pub(super) stranger: i64,
    /// A character of the owner that the game has not confirmed.
    pub(super) claimed: i64,
    /// Another session of the owner.
    pub(super) session: String,
}

/// Creates a guild; returns its id and the id of the operation.
async fn create_guild(owner: &Client, name: &str, leader: &str) -> (i64, String) {
    let guild = json!({ "name": name, "character_name": leader });
    let created = owner.post("/guild/create-guild", guild).await;
    let operation = created.body["operation_id"].as_str().unwrap().to_owned();
    (created.result()["guild_id"].as_i64().unwrap(), operation)
}

/// The owner leads the first guild, the other player the second. Returns their ids and an operation of the owner.
async fn create_guilds(site: &Site, owner: &Client, other_player: &Client) -> ([i64; 2], String) {
    for name in ["Mira Leads", "Mira Heir", "Mira Founds", "Mira Waits", "Mira Joins", "Mira Declines"] {
        site.character(owner, name).await;
    }
    for name in ["Tom Leads", "Tom Invited", "Tom Kicked"] {
        site.character(other_player, name).await;
    }
    let (own, operation) = create_guild(owner, "Night Watch", "Mira Leads").await;
    let (other, _) = create_guild(other_player, "Day Watch", "Tom Leads").await;
    for (leader, guild, name) in [
        (owner, own, "Mira Heir"),
        (owner, own, "Mira Waits"),
        (owner, own, "Tom Kicked"),
        (other_player, other, "Mira Joins"),
        (other_player, other, "Mira Declines"),
    ] {
        leader.post("/guild/invite", character_in_guild(guild, name)).await.result();
    }
    owner.post("/guild/accept-invite", character_in_guild(own, "Mira Heir")).await.result();
    other_player.post("/guild/accept-invite", character_in_guild(own, "Tom Kicked")).await.result();
    ([own, other], operation)
}

/// Gives both guilds the same logo; returns it.
async fn upload_logos(leaders: [&Client; 2], guilds: [i64; 2]) -> String {
    let mut logo = String::new();
    for (leader, guild_id) in leaders.into_iter().zip(guilds) {
        let picture = json!({ "guild_id": guild_id, "image": PIXEL });
        let uploaded = leader.post("/guild/change-logo", picture).await.result();
        logo = uploaded["logo"].as_str().unwrap().to_owned();
    }
    logo
}

async fn create_categories(merchant: &Client) -> [Value; 3] {
    let create = async |name, hidden| {
        create(merchant, "/shop/category/create", category(name, hidden), "category_id").await
    };
    [create("Stable", false).await, create("Cellar", true).await, create("Empty", false).await]
}

async fn create_offers(merchant: &Client, category: &Value) -> [Value; 2] {
    let create = async |name, hidden| {
        create(merchant, "/shop/item/create", offer(category, name, hidden), "offer_id").await
    };
    [create("Horse", false).await, create("Ghost", true).await]
}

/// A notification that no payment explains.
async fn park_notification(site: &Site) -> i64 {
    let notification = sqlx::query_scalar(
        "insert into payment_notifications (provider, dedupe_key, body, parked_at)
         values ('manual', 'unknown', '{}', now()) returning notification_id",
    );
    notification.fetch_one(&site.database).await.unwrap()
}

/// Starts another session of the owner; returns its id.
async fn other_session(site: &Site) -> String {
    site.log_in("mira").await.ok();
    let session = sqlx::query_scalar::<_, uuid::Uuid>(
        "select session_id from sessions order by created_at desc limit 1",
    );
    session.fetch_one(&site.database).await.unwrap().to_string()
}

impl Fixtures {
    pub(super) async fn create() -> Self {
        let bank = bank::Bank::start().await;
        let site = bank.site().await;
        let (owner, other_player) = (site.player("mira").await, site.player("tom").await);
        let editor = site.player_with_role("editor", StaffRole::Editor).await;
        let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
        let admin = site.player_with_role("boss", StaffRole::Admin).await;
        let (guilds, operation) = create_guilds(&site, &owner, &other_player).await;
        let categories = create_categories(&merchant).await;
        let offers = create_offers(&merchant, &categories[0]).await;
        let post = create(&editor, "/news/create", post("Soon"), "post_id").await;
        let (paid, open) = (create_payment(&owner).await, create_payment(&owner).await);
        bank.pay(payload(&paid), "exact").await;
        wait_for_status(&owner, payment_id(&paid), "paid").await;
        let purchase =
            json!({ "character_name": "Mira Heir", "lines": [{ "offer_id": offers[0], "quantity": 1 }] });
        let session = other_session(&site).await;
        let purchase = owner.post("/shop/purchase", purchase).await.result();
        let logo = upload_logos([&owner, &other_player], guilds).await;
        site.execute("update service_tokens set imports_until = now() + interval '1 day'").await;
        Self {
            guilds,
            logo,
            categories,
            offers,
            post,
            payments: [payment_id(&open).to_owned(), payment_id(&paid).to_owned()],
            operation,
            delivery: purchase["deliveries"][0]["delivery_id"].clone(),
            notification: park_notification(&site).await,
            session,
            claimed: site.claimed_character(&owner, "Mira Claimed").await,
            stranger: site.player("stranger").await.account_id,
            site,
            _bank: bank,
            owner,
            other_player,
            editor,
            merchant,
            admin,
        }
    }

    pub(super) fn client(&self, principal: Principal) -> Client {
        match principal {
            Visitor | Bank => self.site.visitor(),
            InvalidToken => {
                let token = self.owner.token();
                self.site.visitor().with_token(&format!("{}{}", &token[..token.len() - 20], "A".repeat(20)))
            }
            GameServer => self.site.game_server().clone(),
            OtherPlayer => self.other_player.clone(),
            Editor => self.editor.clone(),
            Merchant => self.merchant.clone(),
            Admin => self.admin.clone(),
            Owner => self.owner.clone(),
        }
    }
}
