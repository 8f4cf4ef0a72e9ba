//! A request for each list of the API, with each filter that has an index of its own.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response, send},
    service::openapi_document,
};

/// Who sends the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    Visitor,
    /// A player without a role.
    Player,
    /// An account with all roles.
    Staff,
    GameServer,
}

/// A request for a list.
pub(super) struct ListRequest {
    /// The `operationId` of the OpenAPI document.
    pub(super) operation: &'static str,
    sender: Sender,
    method: Method,
    /// With `{page}` and `{limit}`.
    path: &'static str,
    body: Option<Value>,
}

/// The clients that send the requests.
pub(super) struct Senders {
    pub(super) visitor: Client,
    pub(super) player: Client,
    pub(super) staff: Client,
    pub(super) game_server: Client,
}

impl ListRequest {
    /// The path of a page.
    pub(super) fn page(&self, page: i64, limit: i64, after: Option<&str>) -> String {
        let path = self.path.replace("{page}", &page.to_string()).replace("{limit}", &limit.to_string());
        let separator = if path.contains('?') { '&' } else { '?' };
        after.map_or_else(|| path.clone(), |cursor| format!("{path}{separator}after={cursor}"))
    }

    /// Sends the request for a path that [`Self::page`] has returned.
    pub(super) async fn send(&self, senders: &Senders, path: &str) -> Response {
        let client = match self.sender {
            Sender::Visitor => &senders.visitor,
            Sender::Player => &senders.player,
            Sender::Staff => &senders.staff,
            Sender::GameServer => &senders.game_server,
        };
        let request = client.request(self.method.clone(), path);
        send(match &self.body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
    }
}

fn get(operation: &'static str, sender: Sender, path: &'static str) -> ListRequest {
    ListRequest { operation, sender, method: Method::GET, path, body: None }
}

fn invites(sender: Sender, body: Value) -> ListRequest {
    let path = "/guild/invites?page={page}&limit={limit}";
    ListRequest { operation: "guild_invites", sender, method: Method::POST, path, body: Some(body) }
}

/// All lists. `guild_id` is a guild of the account with all roles.
pub(super) fn lists(guild_id: i64) -> Vec<ListRequest> {
    let mut lists = lists_of_the_site(guild_id);
    lists.extend(lists_for_administrators().map(|(operation, path)| get(operation, Sender::Staff, path)));
    lists
}

fn lists_of_the_site(guild_id: i64) -> Vec<ListRequest> {
    use Sender::{GameServer, Player, Staff, Visitor};
    vec![
        get("guild_list", Visitor, "/guilds/{page}/{limit}"),
        get("guild_list", Visitor, "/guilds/{page}/{limit}?search=g"),
        get("guild_list", Visitor, "/guilds/{page}/{limit}?sort=newest"),
        get("guild_list", Visitor, "/guilds/{page}/{limit}?sort=members"),
        get("guild_players_without", Visitor, "/guild/players-without-guild?page={page}&limit={limit}"),
        get(
            "guild_players_without",
            Visitor,
            "/guild/players-without-guild?page={page}&limit={limit}&search=n",
        ),
        get("character_highscores", Visitor, "/characters/highscores/{page}/{limit}"),
        get("character_highscores", Visitor, "/characters/highscores/{page}/{limit}?vocation=Knight"),
        get("character_online", Visitor, "/characters/online/{page}/{limit}"),
        get("character_deaths", Visitor, "/characters/deaths/{page}/{limit}"),
        get("character_deaths", Visitor, "/characters/deaths/{page}/{limit}?character=N+daaac"),
        invites(Player, json!({})),
        invites(Staff, json!({ "guild_id": guild_id })),
        get("account_coins", Staff, "/accounts/coins/{page}/{limit}"),
        get("account_characters", Staff, "/accounts/characters?page={page}&limit={limit}"),
        get("news_list", Visitor, "/news/list/{page}/{limit}"),
        get("news_list", Visitor, "/news/list/{page}/{limit}?body=true"),
        get("news_list_dashboard", Staff, "/news/listDashboard/{page}/{limit}"),
        get("shop_category_list", Visitor, "/shop/category/list?page={page}&limit={limit}"),
        get("shop_category_list", Staff, "/shop/category/list?page={page}&limit={limit}"),
        get("shop_offer_list", Visitor, "/shop/item/list?page={page}&limit={limit}"),
        get("shop_offer_list", Staff, "/shop/item/list?page={page}&limit={limit}"),
        get("shop_on_sale", Visitor, "/shop/offers?page={page}&limit={limit}"),
        get("shop_on_sale", Visitor, "/shop/offers?page={page}&limit={limit}&category_id=1"),
        get("shop_purchases", Staff, "/shop/purchases/{page}/{limit}"),
        get("payment_packages", Visitor, "/payments/packages?page={page}&limit={limit}"),
        get("payment_list", Staff, "/payments/list/{page}/{limit}"),
        get("game_snapshot", GameServer, "/game/snapshot?page={page}&limit={limit}"),
    ]
}

fn lists_for_administrators() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        ("admin_payments", "/admin/payments?page={page}&limit={limit}"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&account_id=1"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&status=pending"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&status=expired"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&status=paid"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&status=refunded"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&status=expired&account_id=1"),
        ("admin_payments", "/admin/payments?page={page}&limit={limit}&status=paid&account_id=1"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}&status=parked"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}&status=delivered"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}&account_id=2"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}&account_id=2&status=delivered"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}&character=N+daaac"),
        ("admin_deliveries", "/admin/deliveries?page={page}&limit={limit}&character=N+daaac&status=delivered"),
        ("admin_notifications", "/admin/notifications?page={page}&limit={limit}"),
        ("admin_notifications", "/admin/notifications?page={page}&limit={limit}&status=parked"),
        ("admin_notifications", "/admin/notifications?page={page}&limit={limit}&status=settled"),
        ("admin_mails", "/admin/mails?page={page}&limit={limit}"),
        ("admin_mails", "/admin/mails?page={page}&limit={limit}&status=parked"),
        ("admin_game_servers", "/admin/game-servers?page={page}&limit={limit}"),
        ("admin_dead_letters", "/admin/dead-letters?page={page}&limit={limit}"),
        ("admin_service_tokens", "/admin/service-tokens?page={page}&limit={limit}"),
        ("admin_coin_packages", "/admin/coins/packages?page={page}&limit={limit}"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&account_id=1"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&about_account_id=2"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&action=a.rare"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&account_id=1&about_account_id=2"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&account_id=1&action=a.rare"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&about_account_id=2&action=a.rare"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&account_id=1&about_account_id=2&action=a.rare"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&until=2020-12-31T00:00:00Z"),
        ("admin_audit", "/admin/audit?page={page}&limit={limit}&action=a.rare&since=2020-01-01T00:00:00Z&until=2020-12-31T00:00:00Z"),
    ]
    .into_iter()
}

#[test]
fn the_catalogue_has_every_list_of_the_document() {
    let document = openapi_document();
    let schemas = &document["components"]["schemas"];
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let documented: BTreeSet<&str> = operations
        .filter(|operation| {
            let content = operation["responses"]["200"]["content"].as_object();
            let schema =
                content.and_then(|content| content.values().next()).map(|json| &json["schema"]["$ref"]);
            let schema = schema.and_then(Value::as_str).unwrap_or_default();
            let properties = &schemas[schema.rsplit('/').next().unwrap()]["properties"];
            properties.get("items").is_some() && properties.get("page").is_some()
        })
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    let lists = lists(1);
    assert_eq!(documented, lists.iter().map(|list| list.operation).collect());
}
