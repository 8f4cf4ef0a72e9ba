//! Bodies that are no JSON, too much JSON, or not what they say they are; for every operation that takes one.

use anyhow::Context;
use serde_json::Value;

use super::site::{Site, request};
use crate::stack::Stack;

/// What a refusal of a body may be to those who may send one: of its form, or its size.
const UNFIT: &[u16] = &[400, 413, 415, 422];

/// To others: of its sender as well.
const REFUSED: &[u16] = &[400, 401, 403, 413, 415, 422];

/// Who throws them.
pub(super) struct Hands {
    pub(super) player: String,
    pub(super) admin: String,
    pub(super) game: String,
}

impl Hands {
    /// Whose request is read: administrators have every role but that of a game.
    fn right(&self, operation: &Value) -> &String {
        let game =
            operation["security"].as_array().into_iter().flatten().any(|it| it["serviceToken"].is_array());
        if game { &self.game } else { &self.admin }
    }
}

/// # Errors
/// When the document of the site cannot be read.
pub(super) async fn throw(site: &Site, hands: &Hands) -> anyhow::Result<()> {
    let document = site.http.get(format!("{}/openapi.json", site.url)).send().await?.error_for_status()?;
    let document: Value = document.json().await?;
    let paths = document["paths"].as_object().filter(|paths| !paths.is_empty()).context("no paths")?;
    let secret = Stack::setting("GUILDHALL_PIX_WEBHOOK_SECRET")?;
    let bombs = bombs();
    for (path, item) in paths {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let method = method.to_uppercase();
            if operation.get("requestBody").is_none() {
                values(site, hands, operation, &method, path).await;
                continue;
            }
            let line = match path.starts_with("/payments/instant/webhook") {
                true => format!("{method} {path}?secret={secret}"),
                false => format!("{method} {}", path.replace("{id}", "01a1fc42-367c-7344-a0be-a362754af670")),
            };
            let bank = line.contains("secret=");
            let right = hands.right(operation);
            for token in [&hands.player, &hands.admin, &hands.game] {
                for (what, body) in &bombs {
                    let wanted = if bank {
                        // It may send an array of whatever it likes, and anything that is an object.
                        &[200, 400, 413]
                    } else if token == right {
                        UNFIT
                    } else {
                        REFUSED
                    };
                    let headers =
                        [("Content-Type", "application/json"), ("Authorization", &format!("Bearer {token}"))];
                    site.throw(&format!("{method} {path}: {what}"), &request(&line, &headers, body), wanted)
                        .await;
                }
                if !bank {
                    let wanted = if token == right { &[415][..] } else { &[401, 403, 415] };
                    types(site, &line, token, wanted).await;
                }
            }
            compressed(site, &line, &hands.admin).await;
        }
    }
    Ok(())
}

fn bombs() -> Vec<(&'static str, Vec<u8>)> {
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

async fn types(site: &Site, line: &str, token: &str, wanted: &[u16]) {
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
        site.throw(&format!("{line} as {kind}"), &request(line, &headers, b"{}"), wanted).await;
    }
}

async fn compressed(site: &Site, line: &str, token: &str) {
    // The first bytes of a gzip file; nobody may try to unpack more.
    let body = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0; 50_000]].concat();
    let bearer = format!("Bearer {token}");
    for coding in ["gzip", "deflate", "br", "gzip, gzip, gzip", "identity, gzip"] {
        let headers = [
            ("Content-Type", "application/json"),
            ("Content-Encoding", coding),
            ("Authorization", bearer.as_str()),
        ];
        site.throw(&format!("{line}, {coding}"), &request(line, &headers, &body), &[415]).await;
    }
}

/// Of operations without a body, the path's variables.
async fn values(site: &Site, hands: &Hands, operation: &Value, method: &str, path: &str) {
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
        for token in [&hands.admin, &hands.game] {
            let wanted =
                if token == hands.right(operation) { &[400, 404][..] } else { &[400, 401, 403, 404] };
            let line = format!("{method} {filled}");
            let bearer = format!("Bearer {token}");
            site.throw(&line, &request(&line, &[("Authorization", &bearer)], b""), wanted).await;
        }
    }
}
