//! A site with a thing of each kind, and a valid request about it for each operation.

use reqwest::Method;
use serde_json::{Value, json};

use super::Who::{self, Admin, Bank as TheBank, Editor, Game, Garbage, Merchant, Nobody, Owner, Stranger};
use crate::{
    bank::Bank,
    payments::{chest, id, stands},
    support::{Caller, GivenRole, Site, WEBHOOK_SECRET},
};

pub(super) struct World {
    pub(super) site: Site,
    _bank: Bank,
    owner: Caller,
    stranger: Caller,
    editor: Caller,
    merchant: Caller,
    admin: Caller,
    /// What the owner leads, and what the stranger does.
    guilds: [i64; 2],
    /// On sale, hidden, and empty.
    categories: [Value; 3],
    /// On sale, and hidden.
    offers: [Value; 2],
    /// Hidden.
    post: Value,
    /// To be paid, and paid.
    payments: [String; 2],
    operation: String,
    delivery: Value,
    notification: i64,
}

pub(super) struct Request {
    method: Method,
    path: String,
    pub(super) body: Option<Value>,
}

/// What was answered.
#[derive(Debug)]
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) code: String,
    /// Whether it says how to prove oneself.
    pub(super) challenge: bool,
    /// Whether what is marked is in it.
    pub(super) shows: bool,
}

fn named(guild_id: i64, name: &str) -> Value {
    json!({ "guild_id": guild_id, "character_name": name })
}

fn category(name: &str, hidden: bool) -> Value {
    json!({ "name": name, "description": "", "position": 1, "hidden": hidden })
}

fn offer(category_id: &Value, name: &str, hidden: bool) -> Value {
    json!({
        "category_id": category_id, "name": name, "description": "", "price": 1, "position": 1, "hidden": hidden,
        "grants": [{ "kind": "mount", "id": "22", "count": 1 }]
    })
}

fn post(title: &str) -> Value {
    json!({ "title": title, "summary": "", "body": "Yes.", "hidden": true })
}

fn with(mut body: Value, field: &str, value: &Value) -> Value {
    body[field] = value.clone();
    body
}

async fn made(by: &Caller, path: &str, body: Value, id: &str) -> Value {
    by.post(path, body).await.result()[id].clone()
}

async fn found(by: &Caller, name: &str, leader: &str) -> (i64, String) {
    let founded = by.post("/guild/create-guild", json!({ "name": name, "character_name": leader })).await;
    let operation = founded.body["operation_id"].as_str().unwrap().to_owned();
    (founded.result()["guild_id"].as_i64().unwrap(), operation)
}

impl World {
    pub(super) async fn make() -> Self {
        let bank = Bank::start().await;
        let site = bank.site().await;
        let (owner, stranger) = (site.player("mira").await, site.player("tom").await);
        let editor = site.with_role("editor", GivenRole::Editor).await;
        let merchant = site.with_role("merchant", GivenRole::Merchant).await;
        let admin = site.with_role("boss", GivenRole::Admin).await;
        for name in ["Mira Leads", "Mira Heir", "Mira Founds", "Mira Joins", "Mira Declines"] {
            site.character(&owner, name).await;
        }
        for name in ["Tom Leads", "Tom Asked", "Tom Kicked"] {
            site.character(&stranger, name).await;
        }
        let (led, operation) = found(&owner, "Night Watch", "Mira Leads").await;
        let (other, _) = found(&stranger, "Day Watch", "Tom Leads").await;
        for (by, guild, name) in [
            (&owner, led, "Mira Heir"),
            (&owner, led, "Tom Kicked"),
            (&stranger, other, "Mira Joins"),
            (&stranger, other, "Mira Declines"),
        ] {
            by.post("/guild/invite", named(guild, name)).await.result();
        }
        owner.post("/guild/accept-invite", named(led, "Mira Heir")).await.result();
        stranger.post("/guild/accept-invite", named(led, "Tom Kicked")).await.result();

        let in_shop = |body| made(&merchant, "/shop/category/create", body, "category_id");
        let categories = [
            in_shop(category("Stable", false)).await,
            in_shop(category("Cellar", true)).await,
            in_shop(category("Empty", false)).await,
        ];
        let on_sale = |name, hidden| {
            made(&merchant, "/shop/item/create", offer(&categories[0], name, hidden), "offer_id")
        };
        let offers = [on_sale("Horse", false).await, on_sale("Ghost", true).await];
        let post = made(&editor, "/news/create", post("Soon"), "post_id").await;

        let (paid, open) = (chest(&owner).await, chest(&owner).await);
        bank.pay(paid["payload"].as_str().unwrap(), "exact").await;
        stands(&owner, id(&paid), "paid").await;
        let purchase =
            json!({ "character_name": "Mira Heir", "lines": [{ "offer_id": offers[0], "quantity": 1 }] });
        let bought = owner.post("/shop/purchase", purchase).await.result();
        let notification = sqlx::query_scalar(
            "insert into payment_notifications (provider, dedupe_key, body, parked_at)
             values ('manual', 'nobody knows', '{}', now()) returning notification_id",
        );
        let notification = notification.fetch_one(&site.database).await.unwrap();
        Self {
            guilds: [led, other],
            categories,
            offers,
            post,
            payments: [id(&open).to_owned(), id(&paid).to_owned()],
            operation,
            delivery: bought["deliveries"][0]["delivery_id"].clone(),
            notification,
            site,
            _bank: bank,
            owner,
            stranger,
            editor,
            merchant,
            admin,
        }
    }

    fn caller(&self, who: Who) -> Caller {
        match who {
            Nobody | TheBank => self.site.nobody(),
            Garbage => {
                let token = self.owner.token.as_ref().unwrap();
                Caller {
                    token: Some(format!("{}{}", &token[..token.len() - 20], "A".repeat(20))),
                    ..self.site.nobody()
                }
            }
            Game => self.site.game().clone(),
            Stranger => self.stranger.clone(),
            Editor => self.editor.clone(),
            Merchant => self.merchant.clone(),
            Admin => self.admin.clone(),
            Owner => self.owner.clone(),
        }
    }

    pub(super) async fn request(&self, operation: &str, method: &str, path: &str, who: Who) -> Request {
        let path = path.replace("{page}", "1").replace("{limit}", "10").replace("{name}", "Night%20Watch");
        let path = if path.contains("{id}") { path.replace("{id}", &self.id(operation)) } else { path };
        let method = method.to_uppercase().parse().unwrap();
        Request { method, path, body: self.body(operation, who).await }
    }

    /// What stands in the path.
    fn id(&self, operation: &str) -> String {
        let [_, cellar, empty] = &self.categories;
        let [open, paid] = &self.payments;
        match operation {
            "shop_category_find" => cellar.to_string(),
            "shop_category_destroy" => empty.to_string(),
            "shop_offer_find" | "shop_offer_destroy" => self.offers[1].to_string(),
            "news_find" | "news_destroy" => self.post.to_string(),
            "payment_refund" | "admin_payment" => paid.clone(),
            "operation_find" => self.operation.clone(),
            payment if payment.starts_with("payment_") => open.clone(),
            _ => panic!("{operation} has an id that is not known here"),
        }
    }

    /// A valid body, if it takes one; with new names where they must be.
    async fn body(&self, operation: &str, who: Who) -> Option<Value> {
        let ([led, other], [stable, ..], [horse, _]) = (self.guilds, &self.categories, &self.offers);
        let name = format!("New {who:?}");
        let guild = json!({ "guild_id": led });
        Some(match operation {
            "account_register" => {
                let name = format!("new_{who:?}");
                json!({ "name": name, "email": format!("{name}@example.org"), "password": "correct horse" })
            }
            "auth_log_in" => json!({ "login": "mira", "password": "correct horse" }),
            "auth_refresh" => {
                let session = self.site.log_in("mira").await.ok();
                json!({ "refresh_token": session["refresh_token"] })
            }
            "account_create_character" => json!({ "name": name, "vocation": "Knight" }),
            "guild_create" => json!({ "name": name, "character_name": "Mira Founds" }),
            "guild_invite" | "guild_cancel_invite" => named(led, "Tom Asked"),
            "guild_accept_invite" | "guild_leave" => named(other, "Mira Joins"),
            "guild_decline_invite" => named(other, "Mira Declines"),
            "guild_kick" => named(led, "Tom Kicked"),
            // The owner's as well, who leads the guild afterwards as before.
            "guild_pass_leadership" => named(led, "Mira Heir"),
            "guild_change_rank" => with(named(led, "Mira Leads"), "rank", &json!("member")),
            "guild_change_motd" => with(guild, "motd", &json!(name)),
            "guild_change_description" => with(guild, "description", &json!(name)),
            "guild_invites" | "guild_delete" => guild,
            "shop_category_create" => category(&name, false),
            "shop_category_update" => with(category("Stable", false), "category_id", stable),
            "shop_offer_create" => offer(stable, &name, false),
            "shop_offer_update" => with(offer(stable, "Horse", false), "offer_id", horse),
            "shop_purchase" => {
                json!({ "character_name": "Mira Heir", "lines": [{ "offer_id": horse, "quantity": 1 }] })
            }
            "news_create" => post(&name),
            "news_edit" => json!({ "post_id": self.post, "title": name }),
            "payment_create" => json!({ "package_id": 1 }),
            "payment_refund" => json!({ "reason": "A mistake." }),
            "payment_webhook" | "payment_webhook_pix" => json!({ "pix": [] }),
            "game_upsert_characters" => json!({ "characters": [] }),
            "game_acknowledge_deliveries" => json!({ "delivery_ids": [self.delivery] }),
            "game_refuse_deliveries" => {
                json!({ "deliveries": [{ "delivery_id": self.delivery, "reason": "No." }] })
            }
            "admin_replay_notification" => json!({ "notification_id": self.notification }),
            "admin_resend_delivery" => json!({ "delivery_id": self.delivery, "reason": "Once more." }),
            "admin_adjust_coins" => {
                json!({ "account_id": self.owner.account_id, "coins": 1, "reason": "A gift." })
            }
            _ => return None,
        })
    }

    /// What is in the answers to some and in no others.
    fn mark(&self, operation: &str) -> &str {
        match operation {
            "account_me" => "mira@example.org",
            "account_characters" => "Mira Heir",
            // Of a character who is not in the guild.
            "guild_view" => "Mira Founds",
            "shop_category_list" => "Cellar",
            "shop_offer_list" | "shop_on_sale" => "Ghost",
            "news_list" | "news_list_dashboard" => "Soon",
            "shop_purchases" => self.delivery.as_str().unwrap(),
            _ => "nothing",
        }
    }

    pub(super) async fn ask(&self, request: Request, operation: &str, who: Who) -> Got {
        let path = match who {
            TheBank => format!("{}?secret={WEBHOOK_SECRET}", request.path),
            _ => request.path,
        };
        let asked = self.caller(who).request(request.method, &path);
        let response = match request.body {
            Some(body) => asked.json(&body).send().await.unwrap(),
            None => asked.send().await.unwrap(),
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // A stream does not end.
        let stream = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
        let bytes = if stream { vec![] } else { response.bytes().await.unwrap().to_vec() };
        let text = String::from_utf8_lossy(&bytes);
        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
        Got {
            status,
            code: problem["code"].as_str().unwrap_or_default().to_owned(),
            challenge: headers.contains_key("www-authenticate"),
            shows: text.contains(self.mark(operation)),
        }
    }
}
