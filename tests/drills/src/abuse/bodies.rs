//! Invalid bodies for every operation: invalid JSON, too much JSON, wrong media types and compressed bodies.

use anyhow::Context;
use guildhall_testkit::environment::setting;
use serde_json::Value;

use super::site::{AbuseSite, request};

/// The statuses for a caller with the required role.
const INVALID_BODY: &[u16] = &[400, 413, 415, 422];

/// The statuses for other callers.
const INVALID_BODY_OR_FORBIDDEN: &[u16] = &[400, 401, 403, 413, 415, 422];

/// The access tokens of the callers.
pub(super) struct Tokens {
    pub(super) player: String,
    pub(super) admin: String,
    pub(super) game: String,
}

impl Tokens {
    /// The token with the role of an operation. Administrators have every role except that of a game server.
    fn allowed_for(&self, operation: &Value) -> &String {
        let game =
            operation["security"].as_array().into_iter().flatten().any(|it| it["serviceToken"].is_array());
        if game { &self.game } else { &self.admin }
    }
}

/// Sends all bodies to all operations of the OpenAPI document.
///
/// # Errors
/// When the document cannot be read.
pub(super) async fn send_all(site: &AbuseSite, tokens: &Tokens) -> anyhow::Result<()> {
    let document = site.http.get("/openapi.json").send().await?.success()?;
    let paths = document["paths"].as_object().filter(|paths| !paths.is_empty()).context("no paths")?;
    let secret = setting("GUILDHALL_PIX_WEBHOOK_SECRET")?;
    let bodies = json_bodies();
    for (path, item) in paths {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let method = method.to_uppercase();
            if operation.get("requestBody").is_none() {
                send_path_values(site, tokens, operation, &method, path).await;
                continue;
            }
            let line = match path.starts_with("/payments/instant/webhook") {
                true => format!("{method} {path}?secret={secret}"),
                false => format!("{method} {}", path.replace("{id}", "01a1fc42-367c-7344-a0be-a362754af670")),
            };
            send_bodies(site, tokens, tokens.allowed_for(operation), &line, &bodies).await;
            send_compressed(site, &line, &tokens.admin).await;
        }
    }
    Ok(())
}

/// Sends all bodies with each token to one operation.
async fn send_bodies(
    site: &AbuseSite,
    tokens: &Tokens,
    allowed: &String,
    line: &str,
    bodies: &[(&str, Vec<u8>)],
) {
    let is_webhook = line.contains("secret=");
    for token in [&tokens.player, &tokens.admin, &tokens.game] {
        for (title, body) in bodies {
            let expected = if is_webhook {
                // The bank may send any array and any object.
                &[200, 400, 413]
            } else if token == allowed {
                INVALID_BODY
            } else {
                INVALID_BODY_OR_FORBIDDEN
            };
            let headers =
                [("Content-Type", "application/json"), ("Authorization", &format!("Bearer {token}"))];
            site.send_raw(&format!("{line:.60}: {title}"), &request(line, &headers, body), expected).await;
        }
        if !is_webhook {
            let expected = if token == allowed { &[415][..] } else { &[401, 403, 415] };
            send_media_types(site, line, token, expected).await;
        }
    }
}

fn json_bodies() -> Vec<(&'static str, Vec<u8>)> {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("{}{}", open.repeat(depth), close.repeat(depth)).into_bytes()
    };
    let text = |text: &str| text.as_bytes().to_vec();
    let field = |value: &str| {
        format!("{{\"name\": {value}, \"guild_id\": {value}, \"title\": {value}}}").into_bytes()
    };
    vec![
        ("arrays 100,000 deep", nested("[", "]", 100_000)),
        ("arrays 30,000 deep", nested("[", "]", 30_000)),
        ("objects 10,000 deep", nested("{\"a\":", "}", 10_000)),
        ("a null 10,000 deep", [vec![b'['; 10_000], text("null"), vec![b']'; 10_000]].concat()),
        ("a number of 60,000 digits", field(&"9".repeat(20_000))),
        ("a huge exponent", field("1e999999999999")),
        ("a tiny exponent", field("1e-999999999999")),
        ("a fraction of 20,000 digits", field(&format!("0.{}", "3".repeat(20_000)))),
        ("NaN", field("NaN")),
        ("Infinity", field("-Infinity")),
        ("an id of 0", field("0")),
        ("an id beyond 64 bits", field("18446744073709551616")),
        (
            "the same field twice",
            text(r#"{"name": "Aaa Bbb", "name": "Ccc Ddd", "guild_id": 1, "guild_id": 2}"#),
        ),
        (
            "the same field twice, and a null",
            text(r#"{"name": null, "name": "Aaa Bbb", "guild_id": null, "guild_id": 2, "title": null}"#),
        ),
        ("the values of an object without its names", text(r#"["Aaa Bbb", 1, null]"#)),
        ("invisible texts", field(r#""\u200b\u2800\u3000""#)),
        ("noncharacters", field(r#""a\uffff""#)),
        ("half a surrogate pair", field(r#""\ud800""#)),
        ("a surrogate pair, reversed", field(r#""\udc00\ud800""#)),
        ("NUL in a text", field(r#""a\u0000b""#)),
        ("a bare NUL", field("\"a\0b\"")),
        ("control characters", field("\"a\u{1}\u{1b}[31m\u{7f}b\"")),
        ("a text of a megabyte", field(&format!("\"{}\"", "a".repeat(1_000_000)))),
        ("a text of 20,000", field(&format!("\"{}\"", "a".repeat(20_000)))),
        ("an array of 30,000", format!("[0{}]", ",0".repeat(30_000)).into_bytes()),
        ("an array of a million", format!("[0{}]", ",0".repeat(999_999)).into_bytes()),
        ("an array of 500,000 and a null", format!("[null{}]", ",0".repeat(500_000)).into_bytes()),
        ("10,000 unknown fields", {
            let fields: Vec<String> = (0..6000).map(|number| format!("\"f{number}\":0")).collect();
            format!("{{{}}}", fields.join(",")).into_bytes()
        }),
        ("a byte order mark", text("\u{feff}{\"name\": \"Aaa Bbb\"}")),
        ("UTF-16", "{\"name\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("bytes that are no text", vec![b'{', b'"', 0xff, 0xfe, 0xc0, 0xaf, b'"', b':', b'1', b'}']),
        ("a comment", text("{/* */\"name\": 1}")),
        ("half of it", text("{\"name\": \"Aaa")),
        ("two of them", text("{}{}")),
        ("a text alone", text("\"{}\"")),
        ("null", text("null")),
        ("nothing but spaces", vec![b' '; 60_000]),
        ("__proto__", text(r#"{"__proto__": {"admin": true}, "constructor": {}}"#)),
    ]
}

async fn send_media_types(site: &AbuseSite, line: &str, token: &str, expected: &[u16]) {
    let bearer = format!("Bearer {token}");
    for kind in [
        "text/plain",
        "application/xml",
        "multipart/form-data; boundary=a",
        "application/jsonx",
        "",
        "\u{fe}",
    ] {
        let headers = [("Content-Type", kind), ("Authorization", bearer.as_str())];
        site.send_raw(&format!("{line} as {kind}"), &request(line, &headers, b"{}"), expected).await;
    }
}

async fn send_compressed(site: &AbuseSite, line: &str, token: &str) {
    // The first bytes of a gzip file. The server must not decompress the rest.
    let body = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0; 50_000]].concat();
    let bearer = format!("Bearer {token}");
    for coding in ["gzip", "deflate", "br", "gzip, gzip, gzip", "identity, gzip"] {
        let headers = [
            ("Content-Type", "application/json"),
            ("Content-Encoding", coding),
            ("Authorization", bearer.as_str()),
        ];
        site.send_raw(&format!("{line}, {coding}"), &request(line, &headers, &body), &[415]).await;
    }
}

/// Sends invalid values for the variables of a path, to an operation without a body.
async fn send_path_values(site: &AbuseSite, tokens: &Tokens, operation: &Value, method: &str, path: &str) {
    if !path.contains('{') {
        return;
    }
    for value in [
        "0",
        "-1",
        "99999999999999999999",
        "1e1",
        "%00",
        "%27%3B--",
        "%ff",
        "%F0%9F%92%A9",
        "a%2Fb",
        "NaN",
        "{}",
        "%E2%80%AE",
    ] {
        let filled: String = path
            .split('{')
            .enumerate()
            .map(|(part, text)| match part {
                0 => text.to_owned(),
                _ => format!("{value}{}", text.split_once('}').map_or("", |(_, rest)| rest)),
            })
            .collect();
        for token in [&tokens.admin, &tokens.game] {
            let expected =
                if token == tokens.allowed_for(operation) { &[400, 404][..] } else { &[400, 401, 403, 404] };
            let line = format!("{method} {filled}");
            let bearer = format!("Bearer {token}");
            site.send_raw(&line, &request(&line, &[("Authorization", &bearer)], b""), expected).await;
        }
    }
}
