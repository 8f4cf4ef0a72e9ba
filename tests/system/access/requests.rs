//! A valid request for each operation, and the relevant parts of its response.

use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    fixtures::Fixtures,
    principal::Principal,
    samples::{category, game_body, offer, post, with_field},
};
use crate::support::{
    browser::Browser,
    client::is_overload,
    community::{PASSWORD, PIXEL, character_in_guild},
    options::WEBHOOK_SECRET,
    wait::HANG_LIMIT,
};

/// A request about the fixtures.
pub(super) struct Request {
    method: Method,
    path: String,
    pub(super) body: Option<Value>,
    /// The session cookie of a browser.
    cookie: Option<String>,
}

/// The parts of a response that the test compares.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) status: u16,
    pub(super) code: String,
    /// Whether the response has the header `WWW-Authenticate`.
    pub(super) challenge: bool,
    /// Whether the marker of the operation is in the body.
    pub(super) shows_marker: bool,
}

impl Fixtures {
    pub(super) async fn request(
        &self,
        operation: &str,
        method: &str,
        path: &str,
        principal: Principal,
    ) -> Request {
        let name = if operation == "character_view" { "Mira%20Leads" } else { "Night%20Watch" };
        let path = path.replace("{page}", "1").replace("{limit}", "10").replace("{name}", name);
        let path = path.replace("{hash}", &self.logo).replace("{size}", "small");
        let path = path.replace("{file}", "Night%20Watch.png");
        let path = if path.contains("{id}") { path.replace("{id}", &self.path_id(operation)) } else { path };
        let method = method.to_uppercase().parse().unwrap();
        let cookie = match operation {
            "auth_cookie_refresh" | "auth_cookie_log_out" => Some(self.session_cookie().await),
            _ => None,
        };
        Request { method, path, body: self.body(operation, principal).await, cookie }
    }

    /// The cookie of a new session of the owner.
    async fn session_cookie(&self) -> String {
        let mut browser = Browser::open(&self.site);
        browser.log_in("mira").await.ok();
        browser.cookie_header()
    }

    /// The id in the path.
    fn path_id(&self, operation: &str) -> String {
        let [_, cellar, empty] = &self.categories;
        let [open, paid] = &self.payments;
        match operation {
            "shop_category_find" => cellar.to_string(),
            "shop_category_destroy" => empty.to_string(),
            "shop_offer_find" | "shop_offer_destroy" => self.offers[1].to_string(),
            "news_find" | "news_share" | "news_destroy" => self.post.to_string(),
            "payment_refund" | "admin_payment" => paid.clone(),
            "operation_find" => self.operation.clone(),
            "admin_account" => self.owner.account_id.to_string(),
            "account_end_session" => self.session.clone(),
            payment if payment.starts_with("payment_") => open.clone(),
            _ => panic!("there is no id for {operation}"),
        }
    }

    /// A valid body, if the operation takes one. Names are new where they must be unique.
    async fn body(&self, operation: &str, principal: Principal) -> Option<Value> {
        match operation {
            "account_register" => {
                let name = format!("new_{principal:?}");
                let email = format!("{name}@example.org");
                Some(json!({ "name": name, "email": email, "password": PASSWORD }))
            }
            "auth_log_in" | "auth_cookie_log_in" => Some(json!({ "login": "mira", "password": PASSWORD })),
            "auth_refresh" => {
                let session = self.site.log_in("mira").await.ok();
                Some(json!({ "refresh_token": session["refresh_token"] }))
            }
            _ => {
                let name = format!("New {principal:?}");
                self.account_body(operation, &name)
                    .or_else(|| self.staff_body(operation, &name))
                    .or_else(|| self.guild_body(operation, &name))
                    .or_else(|| self.other_body(operation, &name))
            }
        }
    }

    fn guild_body(&self, operation: &str, name: &str) -> Option<Value> {
        let [own, other] = self.guilds;
        let guild = json!({ "guild_id": own });
        Some(match operation {
            "guild_create" => json!({ "name": name, "character_name": "Mira Founds" }),
            "guild_invite" | "guild_cancel_invite" => character_in_guild(own, "Tom Invited"),
            "guild_accept_invite" | "guild_leave" => character_in_guild(other, "Mira Joins"),
            "guild_decline_invite" => character_in_guild(other, "Mira Declines"),
            "guild_kick" => character_in_guild(own, "Tom Kicked"),
            // A character of the owner, so that the owner still leads the guild.
            "guild_pass_leadership" => character_in_guild(own, "Mira Heir"),
            "guild_change_rank" => {
                with_field(character_in_guild(own, "Mira Leads"), "rank", &json!("member"))
            }
            "guild_change_motd" => with_field(guild, "motd", &json!(name)),
            "guild_change_description" => with_field(guild, "description", &json!(name)),
            "guild_change_logo" => with_field(guild, "image", &json!(PIXEL)),
            "guild_moderate_logo" => json!({ "guild_id": other, "reason": "A test." }),
            "guild_invites" | "guild_remove_logo" | "guild_delete" => guild,
            _ => return None,
        })
    }

    fn account_body(&self, operation: &str, name: &str) -> Option<Value> {
        Some(match operation {
            "account_create_character" => json!({ "name": name, "vocation": "Knight" }),
            "account_rename_character" => {
                json!({ "character_id": self.claimed, "new_name": "Mira Renamed" })
            }
            "account_delete_character" | "account_cancel_character_deletion" => {
                json!({ "character_id": self.claimed })
            }
            "account_change_language" => json!({ "language": "pt" }),
            "account_verify_email"
            | "account_undo_email_change"
            | "account_open_export"
            | "account_cancel_deletion_by_link" => json!({ "token": "A".repeat(43) }),
            "account_verify_email_code" => json!({ "code": "12345678" }),
            "account_change_email" => json!({ "email": "new@example.org", "password": PASSWORD }),
            "account_forgot_password" => json!({ "email": "nobody@example.org" }),
            "account_reset_password" => json!({ "token": "A".repeat(43), "password": PASSWORD }),
            "account_change_password" => json!({ "old_password": PASSWORD, "password": PASSWORD }),
            "account_start_second_factor" | "account_request_export" | "account_delete" => {
                json!({ "password": PASSWORD })
            }
            "account_enable_second_factor" => json!({ "enrolment": "A".repeat(200), "code": "123456" }),
            "account_disable_second_factor" | "account_replace_recovery_codes" => {
                json!({ "password": PASSWORD, "code": "123456" })
            }
            "auth_second_factor" | "auth_cookie_second_factor" => {
                json!({ "challenge": "A".repeat(200), "code": "123456" })
            }
            "admin_suspend_account"
            | "admin_expire_password"
            | "admin_verify_email"
            | "admin_reset_second_factor" => {
                json!({ "account_id": self.stranger, "reason": "A test." })
            }
            "admin_lift_suspension" => json!({ "account_id": self.owner.account_id, "reason": "A test." }),
            "admin_add_account_note" => json!({ "account_id": self.owner.account_id, "text": "A test." }),
            "admin_grant_role" | "admin_revoke_role" => {
                json!({ "account_id": self.stranger, "role": "editor" })
            }
            _ => return None,
        })
    }

    fn staff_body(&self, operation: &str, name: &str) -> Option<Value> {
        let price = json!({ "amount": "1.00", "currency": "BRL" });
        let package = json!({ "name": name, "price": price, "coins": 10, "position": 10 });
        Some(match operation {
            "admin_replay_dead_letter" | "admin_discard_dead_letter" => json!({ "dead_letter_id": 999 }),
            "admin_create_service_token" => json!({ "name": name }),
            "admin_revoke_service_token" => json!({ "service_token_id": 999 }),
            "admin_set_coin_rate" => json!({ "price": price, "coins": 10, "expected_version": 1 }),
            "admin_create_coin_package" => package,
            "admin_edit_coin_package" => {
                with_field(with_field(package, "package_id", &json!(1)), "expected_version", &json!(1))
            }
            "admin_retire_coin_package" => json!({ "package_id": 1 }),
            "admin_replay_notification" => json!({ "notification_id": self.notification }),
            "admin_discard_notification" => json!({ "notification_id": self.notification, "reason": "No." }),
            "admin_resend_delivery" | "admin_discard_delivery" => {
                json!({ "delivery_id": self.delivery, "reason": "No." })
            }
            "admin_resend_deliveries" => json!({
                "state": "parked", "since": "2026-01-31T12:00:00Z", "until": "2026-02-01T12:00:00Z", "reason": "A third time."
            }),
            "admin_resend_mail" | "admin_discard_mail" => json!({ "mail_id": self.delivery }),
            "admin_adjust_coins" => {
                json!({ "account_id": self.owner.account_id, "coins": 1, "reason": "A gift." })
            }
            _ => return None,
        })
    }

    fn other_body(&self, operation: &str, name: &str) -> Option<Value> {
        let ([stable, ..], [horse, _]) = (&self.categories, &self.offers);
        Some(match operation {
            // They are not all of them.
            "shop_category_reorder" => json!({ "category_ids": [stable] }),
            "shop_offer_reorder" => json!({ "category_id": stable, "offer_ids": [horse] }),
            "shop_category_create" => category(name, false),
            "shop_category_update" => {
                let update = with_field(category("Stable", false), "category_id", stable);
                with_field(update, "expected_version", &json!(1))
            }
            "shop_offer_create" => offer(stable, name, false),
            "shop_offer_update" => {
                let mut update = with_field(offer(stable, "Horse", false), "offer_id", horse);
                update.as_object_mut().unwrap().remove("stock");
                update["no_account_limit"] = json!(true);
                with_field(update, "expected_version", &json!(1))
            }
            "shop_offer_change_stock" => json!({ "offer_id": horse, "change": 1 }),
            "shop_purchase" => {
                json!({ "character_name": "Mira Heir", "lines": [{ "offer_id": horse, "quantity": 1 }] })
            }
            "news_create" => post(name),
            "news_preview" => json!({ "body": "Text." }),
            "news_edit" => json!({ "post_id": self.post, "title": name }),
            "payment_create" => json!({ "package_id": 1 }),
            "payment_refund" => json!({ "reason": "A mistake." }),
            "payment_webhook" | "payment_webhook_pix" => json!({ "pix": [] }),
            _ => return game_body(operation, &self.delivery),
        })
    }

    /// A text that only the responses to some principals contain.
    fn marker(&self, operation: &str) -> &str {
        match operation {
            "account_me" => "mira@example.org",
            "account_characters" => "Mira Heir",
            // An invited character.
            "guild_view" => "Mira Waits",
            "shop_category_list" => "Cellar",
            "shop_offer_list" | "shop_on_sale" => "Ghost",
            "news_list" | "news_list_dashboard" | "news_feed" => "Soon",
            "shop_purchases" => self.delivery.as_str().unwrap(),
            "payment_list" | "account_coins" => &self.payments[1],
            _ => "nothing",
        }
    }

    /// Sends a request, again if the machine is too slow for a time limit of the api.
    pub(super) async fn send(&self, request: Request, operation: &str, principal: Principal) -> Observed {
        let path = match principal {
            Principal::Bank => format!("{}?secret={WEBHOOK_SECRET}", request.path),
            _ => request.path,
        };
        let builder = self.client(principal).request(request.method, &path);
        // The page of each request belongs to the site.
        let builder = builder.header("Origin", &self.site.url);
        let builder = match request.cookie {
            Some(cookie) => builder.header("Cookie", cookie),
            None => builder,
        };
        let builder = match request.body {
            Some(body) => builder.json(&body),
            None => builder,
        };
        let first = Instant::now();
        loop {
            let started = Instant::now();
            let response = builder.try_clone().unwrap().send().await.unwrap();
            let observed = observe(response, self.marker(operation)).await;
            if !is_overload(&observed.code, started.elapsed()) || first.elapsed() > HANG_LIMIT {
                return observed;
            }
        }
    }
}

async fn observe(response: reqwest::Response, marker: &str) -> Observed {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    // A stream of events does not end.
    let is_stream = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
    let bytes = if is_stream { vec![] } else { response.bytes().await.unwrap().to_vec() };
    let text = String::from_utf8_lossy(&bytes);
    let problem: Value = serde_json::from_str(&text).unwrap_or_default();
    Observed {
        status,
        code: problem["code"].as_str().unwrap_or_default().to_owned(),
        challenge: headers.contains_key("www-authenticate"),
        shows_marker: text.contains(marker),
    }
}
