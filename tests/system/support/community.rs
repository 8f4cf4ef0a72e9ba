//! The people of a site: players, people with roles, characters, guilds.

use guildhall_testkit::http::registration;
use serde_json::{Value, json};

pub(crate) use guildhall_common::contract::account::StaffRole;
use guildhall_workers::operator::accounts;

use super::{
    client::{Client, Response},
    site::Site,
};

/// The password of every account that these functions register.
pub(crate) const PASSWORD: &str = "correct horse";

/// A PNG of one pixel, in Base64.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPY0aYNAANjAWqQ8s5cAAAAAElFTkSuQmCC";

/// A body that names a character and a guild.
pub(crate) fn character_in_guild(guild_id: i64, character: &str) -> Value {
    json!({ "guild_id": guild_id, "character_name": character })
}

impl Site {
    /// A player with a new account of this name, logged in.
    pub(crate) async fn player(&self, name: &str) -> Client {
        let account = registration(name, PASSWORD);
        let account = self.visitor().post("/accounts/register", account).await.result();
        let session = self.log_in(name).await.ok();
        let account_id = account["account_id"].as_i64().unwrap();
        let client = self.visitor().with_token(session["access_token"].as_str().unwrap());
        client.with_account(account_id)
    }

    pub(crate) async fn log_in(&self, login: &str) -> Response {
        self.visitor().post("/auth", json!({ "login": login, "password": PASSWORD })).await
    }

    /// A player with a role.
    pub(crate) async fn player_with_role(&self, name: &str, role: StaffRole) -> Client {
        let player = self.player(name).await;
        self.set_role(name, role, true).await;
        player
    }

    /// Grants or revokes a role, as an operator does at the command line.
    pub(crate) async fn set_role(&self, name: &str, role: StaffRole, granted: bool) {
        accounts::set_role(&self.workers, &name.parse().unwrap(), role, granted).await.unwrap();
    }

    /// Disables the second factor of an account, as an operator does at the command line.
    pub(crate) async fn disable_second_factor(&self, name: &str) -> Result<(), String> {
        let disabled = accounts::disable_second_factor(&self.workers, &name.parse().unwrap()).await;
        disabled.map_err(|error| error.to_string())
    }

    /// Revokes the service token of the game server.
    pub(crate) async fn revoke_service_token(&self) {
        accounts::revoke_service_token(&self.workers, "test").await.unwrap();
    }

    /// Creates a character of level 20 for a player; returns its id.
    pub(crate) async fn character(&self, owner: &Client, name: &str) -> i64 {
        let id = self.claimed_character(owner, name).await;
        self.report_presence(name, 20, false).await;
        id
    }

    /// Creates a character that the game does not know.
    pub(crate) async fn claimed_character(&self, owner: &Client, name: &str) -> i64 {
        let character = json!({ "name": name, "vocation": "Knight" });
        let created = owner.post("/accounts/create-character", character).await;
        created.result()["character_id"].as_i64().unwrap()
    }

    /// Reports a character's level and presence, as a game server does.
    pub(crate) async fn report_presence(&self, name: &str, level: i32, online: bool) {
        let owner: i64 = sqlx::query_scalar("select account_id from characters where name_key = lower($1)")
            .bind(name)
            .fetch_one(&self.database)
            .await
            .unwrap();
        let character = json!({
            "name": name, "level": level, "vocation": "Knight", "online": online, "account_id": owner
        });
        self.game_server().put("/game/characters", json!({ "characters": [character] })).await.result();
    }

    /// Creates a guild and a player with the leading character; returns the player and the guild's id.
    pub(crate) async fn guild(&self, leader: &str, name: &str) -> (Client, i64) {
        let player = self.player(&leader.replace(' ', "_")).await;
        self.character(&player, leader).await;
        let guild = json!({ "name": name, "character_name": leader });
        let guild_id = player.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
        (player, guild_id)
    }

    /// Creates a player whose character is a member of the guild.
    pub(crate) async fn member(&self, leader: &Client, guild_id: i64, name: &str) -> Client {
        let player = self.player(&name.replace(' ', "_")).await;
        self.character(&player, name).await;
        let character = character_in_guild(guild_id, name);
        leader.post("/guild/invite", character.clone()).await.result();
        player.post("/guild/accept-invite", character).await.result();
        player
    }

    /// The members of a guild as `name rank`, in the order of the guild view.
    pub(crate) async fn guild_members(&self, guild: &str) -> Vec<String> {
        let view = self.visitor().get(&format!("/guild/view/{guild}")).await.ok();
        let members = view["members"].as_array().unwrap().iter();
        members
            .map(|member| {
                format!("{} {}", member["name"].as_str().unwrap(), member["rank"].as_str().unwrap())
            })
            .collect()
    }

    /// Gives coins to a player, as an administrator does.
    pub(crate) async fn give_coins(&self, player: &Client, coins: i64) {
        let admin = self.player_with_role(&format!("giver{}", player.account_id), StaffRole::Admin).await;
        let gift = json!({ "account_id": player.account_id, "coins": coins, "reason": "For the test." });
        admin.post("/admin/coins/adjust", gift).await.result();
    }

    /// Creates an offer on sale, in a category of its own; returns its id.
    pub(crate) async fn offer(&self, fields: Value) -> i64 {
        let name = &fields["name"];
        let merchant = format!("merchant{}", name.as_str().unwrap());
        let merchant = self.player_with_role(&merchant, StaffRole::Merchant).await;
        let category = json!({ "name": name, "description": "", "position": 1, "hidden": false });
        let category = merchant.post("/shop/category/create", category).await.result();
        let mut offer = json!({
            "category_id": category["category_id"], "description": "", "price": 250, "position": 1,
            "hidden": false, "grants": [{ "kind": "mount", "id": "22", "count": 1 }]
        });
        offer.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        offer["unlimited"] = json!(offer.get("stock").is_none());
        merchant.post("/shop/item/create", offer).await.result()["offer_id"].as_i64().unwrap()
    }
}
