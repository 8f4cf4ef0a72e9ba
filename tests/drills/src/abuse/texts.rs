//! Texts with a meaning in SQL, HTML or a shell: the site stores and returns them unchanged. And names that look like
//! existing names.

use anyhow::Context;
use guildhall_testkit::http::items;
use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::site::AbuseSite;

const TEXTS: [&str; 12] = [
    "'; drop table accounts; --",
    "\" or 1=1; commit; --",
    "\\'; select pg_sleep(9) --",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1)) <a href=\"data:text/html,x\">b</a>",
    "{{7*7}} ${7*7} #{7*7} <%= 7*7 %> ${jndi:ldap://drill/a}",
    "%s%n%x %00 $(id) `id` | id",
    "../../../../etc/passwd",
    "\u{202e}desrever \u{200b}\u{2066}hidden\u{2069}",
    "a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308} \u{1f469}\u{200d}\u{1f680}",
    "=HYPERLINK(\"http://drill\",\"a\")",
];

/// Parts of tags that a browser executes.
const ACTIVE_HTML: [&str; 4] = ["<script", "onerror", "javascript:", "data:text"];

/// The access tokens of the authors.
pub(super) struct Authors {
    pub(super) player: String,
    pub(super) editor: String,
    pub(super) merchant: String,
    pub(super) admin: String,
}

/// Stores all texts in all fields.
///
/// # Errors
/// When the site does not respond.
pub(super) async fn store_all(site: &AbuseSite, authors: &Authors) -> anyhow::Result<()> {
    for text in TEXTS {
        store_news(site, authors, text).await?;
        store_adjustment(site, authors, text).await?;
    }
    store_offers(site, authors).await?;
    store_guild(site, authors).await?;
    register_accounts(site).await?;
    search_players(site).await
}

/// Sends a command that must be applied, and returns its result.
async fn change(
    site: &AbuseSite,
    token: &str,
    method: Method,
    path: &str,
    body: &Value,
) -> anyhow::Result<Value> {
    let (status, response) = site.send(token, method, path, body).await?;
    site.check([200, 201].contains(&status), || format!("{path} with {body:.200}: {status} {response}"));
    Ok(response["result"].clone())
}

async fn read(site: &AbuseSite, token: &str, path: &str) -> anyhow::Result<Value> {
    Ok(site.send(token, Method::GET, path, &Value::Null).await?.1)
}

fn check_same(site: &AbuseSite, title: &str, shown: &Value, text: &str) {
    site.check(shown == text, || format!("{title}: {text:?} is returned as {shown}"));
}

async fn store_news(site: &AbuseSite, authors: &Authors, text: &str) -> anyhow::Result<()> {
    let post = json!({ "title": text, "summary": text, "body": text, "hidden": true });
    let created = change(site, &authors.editor, Method::POST, "/news/create", &post).await?;
    let path = format!("/news/find/{}", created["post_id"]);
    let found = read(site, &authors.editor, &path).await?;
    for field in ["title", "summary", "body"] {
        check_same(site, field, &found[field], text);
    }
    let html = found["body_html"].as_str().context("no html")?.to_lowercase();
    // Escaped text may contain them; tags may not.
    let tags = html.split('<').skip(1).filter_map(|tag| tag.split('>').next());
    for tag in tags.map(|tag| format!("<{tag}")) {
        site.check(!ACTIVE_HTML.iter().any(|active| tag.contains(active)), || {
            format!("{text:?} is shown as {html}")
        });
    }
    change(site, &authors.editor, Method::DELETE, &path.replace("find", "destroy"), &Value::Null).await?;
    Ok(())
}

async fn store_adjustment(site: &AbuseSite, authors: &Authors, text: &str) -> anyhow::Result<()> {
    let account = read(site, &authors.player, "/accounts/me").await?;
    let adjust = json!({ "account_id": account["account_id"], "coins": 1, "reason": text });
    change(site, &authors.admin, Method::POST, "/admin/coins/adjust", &adjust).await?;
    let audit = read(site, &authors.admin, "/admin/audit?limit=1").await?;
    let entry = audit["items"][0].to_string();
    site.check(entry.contains(&json!(text).to_string()), || {
        format!("the audit entry of {text:?} is {entry}")
    });
    Ok(())
}

async fn store_offers(site: &AbuseSite, authors: &Authors) -> anyhow::Result<()> {
    let merchant = &authors.merchant;
    let category = json!({ "name": format!("Drill {}", Uuid::new_v4()), "description": "", "position": 1, "hidden": true });
    let category =
        change(site, merchant, Method::POST, "/shop/category/create", &category).await?["category_id"]
            .clone();
    let offer = |name: &str, text: &str| {
        json!({ "category_id": category, "name": name, "description": text, "price": 1, "position": 1, "hidden": true, "unlimited": true,
                "grants": [{ "kind": "item", "id": "3031", "count": 1 }] })
    };
    let mut offers = vec![];
    for text in TEXTS {
        let created = change(site, merchant, Method::POST, "/shop/item/create", &offer(text, text)).await?;
        let found = read(site, merchant, &format!("/shop/item/find{}", created["offer_id"])).await?;
        check_same(site, "an offer's name", &found["name"], text);
        check_same(site, "an offer's description", &found["description"], text);
        offers.push(created["offer_id"].clone());
    }
    let first =
        change(site, merchant, Method::POST, "/shop/item/create", &offer("Poção de Cura", "")).await?;
    offers.push(first["offer_id"].clone());
    for (name, expected) in [
        ("POÇÃO DE CURA", 409),
        (" Poção de Cura ", 409),
        ("Poção  de Cura", 400),
        ("Poção\u{a0}de Cura", 400),
        ("Poção\nde Cura", 400),
        ("", 400),
        (&"a\u{301}".repeat(31), 400),
    ] {
        let (status, response) =
            site.send(merchant, Method::POST, "/shop/item/create", &offer(name, "")).await?;
        site.check(status == expected, || format!("an offer {name:?}: {status} {response}"));
    }
    for offer in offers {
        change(site, merchant, Method::DELETE, &format!("/shop/item/destroy/{}", offer), &Value::Null)
            .await?;
    }
    change(site, merchant, Method::DELETE, &format!("/shop/category/destroy/{category}"), &Value::Null)
        .await?;
    Ok(())
}

/// Names that look like this one.
fn lookalikes(name: &str) -> Vec<String> {
    let second = name.chars().nth(1).unwrap_or_default();
    let swap = |other: char| name.replacen(second, &other.to_string(), 1);
    let insert = |between: &str| format!("{}{between}{}", &name[..1], &name[1..]);
    let wide = name.chars().map(|letter| char::from_u32(letter as u32 + 0xfee0).unwrap_or(letter)).collect();
    let mut names: Vec<String> =
        ['\u{456}', '\u{3b9}', '\u{131}', '\u{ed}', '\u{1d5c2}', '\u{2170}'].map(swap).into();
    names.push(wide);
    let invisible = [
        "\u{200b}",
        "\u{200c}",
        "\u{200d}",
        "\u{2060}",
        "\u{feff}",
        "\u{ad}",
        "\u{34f}",
        "\u{61c}",
        "\u{180e}",
        "\u{202e}",
        "\u{2066}",
        "\u{2069}",
        "\u{fe0f}",
        "\u{e0041}",
        "\u{3164}",
        "\u{115f}",
        "\u{301}",
        "\u{338}",
        "\0",
        "\t",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
    ];
    names.extend(invisible.map(insert));
    names.extend(["\u{a0}", "\u{2003}", "\u{3000}", "  ", "\u{202f}"].map(|space| name.replace(' ', space)));
    names.extend([
        format!("{name}\u{200b}"),
        format!("\u{feff}{name}"),
        format!("{name}\u{301}\u{301}\u{301}\u{301}"),
    ]);
    names.extend([
        format!("{name}\n"),
        format!("\t{name}"),
        format!("{name}\u{a0}"),
        insert(&"\u{300}".repeat(500)),
    ]);
    names.retain(|other| other != name);
    names
}

async fn store_guild(site: &AbuseSite, authors: &Authors) -> anyhow::Result<()> {
    let player = &authors.player;
    let characters = read(site, player, "/accounts/characters?limit=100").await?;
    let leader = items(&characters)?
        .iter()
        .find(|it| it.get("guild_name").is_none())
        .and_then(|it| it["name"].as_str());
    let leader = leader.context("the player has no character without a guild")?;
    let found = |name: &str| json!({ "name": name, "character_name": leader });
    let guild =
        change(site, player, Method::POST, "/guild/create-guild", &found("Night Drill")).await?["guild_id"]
            .clone();
    for text in TEXTS {
        for (path, field) in [("/guild/change-motd", "motd"), ("/guild/change-description", "description")] {
            change(site, player, Method::POST, path, &json!({ "guild_id": guild, field: text })).await?;
            check_same(site, field, &read(site, player, "/guild/view/night%20drill").await?[field], text);
        }
    }
    for (path, name) in [("/guild/create-guild", "Night Drill"), ("/accounts/create-character", leader)] {
        let body = |name: &str| match path {
            "/guild/create-guild" => found(name),
            _ => json!({ "name": name, "vocation": "Knight" }),
        };
        for other in lookalikes(name).iter().map(String::as_str).chain(TEXTS) {
            let (status, response) = site.send(player, Method::POST, path, &body(other)).await?;
            site.check(status == 400, || format!("{path} accepts {other:?}: {status} {response}"));
        }
        for other in [name.to_uppercase(), name.to_lowercase(), format!("  {name} ")] {
            let (status, response) = site.send(player, Method::POST, path, &body(&other)).await?;
            site.check(status == 409, || format!("{path} accepts {other:?}: {status} {response}"));
        }
    }
    change(site, player, Method::POST, "/guild/delete", &json!({ "guild_id": guild })).await?;
    Ok(())
}

async fn register_accounts(site: &AbuseSite) -> anyhow::Result<()> {
    let body = |name: &str, email: &str| json!({ "name": name, "email": email, "password": "correct horse" });
    for other in lookalikes("mira").into_iter().chain(TEXTS.map(ToOwned::to_owned)) {
        let account = body(&other, "drill@example.org");
        let (status, response) = site.send("", Method::POST, "/accounts/register", &account).await?;
        site.check(status == 400, || format!("{other:?} is registered: {status} {response}"));
        let log_in = json!({ "login": other, "password": other.repeat(4) });
        let (status, response) = site.send("", Method::POST, "/auth", &log_in).await?;
        site.check([400, 401].contains(&status), || format!("{other:?} logs in: {status} {response}"));
    }
    for other in lookalikes("mira") {
        let account = body("drill_name", &format!("{other}@example.org"));
        let (status, response) = site.send("", Method::POST, "/accounts/register", &account).await?;
        site.check(status == 400, || format!("{other:?}@example.org is registered: {status} {response}"));
    }
    for taken in [body("MIRA", "drill@example.org"), body(" mira ", "drill@example.org")] {
        let (status, response) = site.send("", Method::POST, "/accounts/register", &taken).await?;
        site.check(status == 409, || format!("{taken} is registered: {status} {response}"));
    }
    Ok(())
}

/// Searches for the texts.
async fn search_players(site: &AbuseSite) -> anyhow::Result<()> {
    let everybody = read(site, "", "/guild/players-without-guild?limit=1").await?["total"].clone();
    for text in TEXTS.into_iter().chain(["%", "_", "\\", "%%%%%%%%%%", "a%", "'"]) {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let path = format!("/guild/players-without-guild?search={encoded}");
        let (status, found) = site.send("", Method::GET, &path, &Value::Null).await?;
        let fits = status == 400 || status == 200 && found["total"] != everybody;
        site.check(fits, || format!("{text:?} finds {status} {found:.200}"));
    }
    Ok(())
}
