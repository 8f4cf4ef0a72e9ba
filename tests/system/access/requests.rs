//! The example request of each operation, and the relevant parts of its response.

use std::time::Instant;

use guildhall_testkit::http::{Request, ResponseStream};
use http::Method;
use serde_json::{Value, json};

use super::{fixtures::Fixtures, principal::Principal};
use crate::support::{
    browser::Browser, client::is_overload, community::PASSWORD, options::WEBHOOK_SECRET, wait::HANG_LIMIT,
};

/// A request about the fixtures.
pub(super) struct OperationRequest {
    method: Method,
    pub(super) path: String,
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
    /// A request with the example of the OpenAPI document, about the fixtures.
    pub(super) async fn request(
        &self,
        operation: &str,
        (method, path): (&str, &str),
        example: Option<&Value>,
        principal: Principal,
    ) -> OperationRequest {
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
        let mut body = example.cloned();
        if let Some(body) = &mut body {
            self.adapt(body, principal);
        }
        if operation == "auth_refresh" {
            let session = self.site.log_in("mira").await.ok();
            body = Some(json!({ "refresh_token": session["refresh_token"] }));
        }
        OperationRequest { method, path, body, cookie }
    }

    /// Replaces the values of an example by those of the fixtures. Names are new where they must be unique.
    fn adapt(&self, example: &mut Value, principal: Principal) {
        if let Value::Array(items) = example {
            items.iter_mut().for_each(|item| self.adapt(item, principal));
        }
        for (field, value) in example.as_object_mut().into_iter().flatten() {
            let fixture = match field.as_str() {
                "guild_id" => json!(self.guilds[0]),
                "character_name" => json!("Mira Heir"),
                "character_id" => json!(self.claimed),
                "account_id" => json!(self.stranger),
                "category_id" => self.categories[0].clone(),
                "category_ids" => json!([self.categories[0]]),
                "offer_id" => self.offers[0].clone(),
                "offer_ids" => json!([self.offers[0]]),
                "post_id" => self.post.clone(),
                "delivery_id" | "mail_id" => self.delivery.clone(),
                "delivery_ids" => json!([self.delivery]),
                "notification_id" => json!(self.notification),
                // The token of the game server is needed.
                "service_token_id" => json!(999),
                "login" => json!("mira"),
                "password" | "old_password" => json!(PASSWORD),
                // The name of an account has no spaces.
                "name" if *value == "mira" => json!(format!("new_{principal:?}")),
                "name" | "new_name" | "title" => json!(format!("New {principal:?}")),
                "email" => json!(format!("{principal:?}@example.org")),
                _ => {
                    self.adapt(value, principal);
                    continue;
                }
            };
            *value = fixture;
        }
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

    /// The request as a principal sends it.
    pub(super) fn build(&self, request: OperationRequest, principal: Principal) -> Request {
        let path = match principal {
            Principal::Bank => {
                let separator = if request.path.contains('?') { '&' } else { '?' };
                format!("{}{separator}secret={WEBHOOK_SECRET}", request.path)
            }
            _ => request.path,
        };
        let builder = self.client(principal).request(request.method, &path);
        // The page of each request belongs to the site.
        let builder = builder.header("Origin", &self.site.url);
        let builder = match request.cookie {
            Some(cookie) => builder.header("Cookie", cookie),
            None => builder,
        };
        match request.body {
            Some(body) => builder.json(&body),
            None => builder,
        }
    }

    /// Sends a request, again if the machine is too slow for a time limit of the api.
    pub(super) async fn send(
        &self,
        request: OperationRequest,
        operation: &str,
        principal: Principal,
    ) -> Observed {
        let builder = self.build(request, principal);
        let first = Instant::now();
        loop {
            let started = Instant::now();
            let response = builder.open().await.unwrap();
            let observed = observe(response, self.marker(operation)).await;
            if !is_overload(&observed.code, started.elapsed()) || first.elapsed() > HANG_LIMIT {
                return observed;
            }
        }
    }
}

async fn observe(response: ResponseStream, marker: &str) -> Observed {
    let (status, headers) = (response.status, response.headers.clone());
    // A stream of events does not end.
    let is_stream = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
    let bytes = if is_stream { vec![] } else { response.read_to_end().await.unwrap().to_vec() };
    let text = String::from_utf8_lossy(&bytes);
    let problem: Value = serde_json::from_str(&text).unwrap_or_default();
    Observed {
        status,
        code: problem["code"].as_str().unwrap_or_default().to_owned(),
        challenge: headers.contains_key("www-authenticate"),
        shows_marker: text.contains(marker),
    }
}
