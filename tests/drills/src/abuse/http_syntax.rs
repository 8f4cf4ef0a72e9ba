//! Invalid HTTP: request lines, headers, framing and paths.

use guildhall_testkit::http::raw_connection::{ExchangeResult, RawConnection};

use super::site::{AbuseSite, HANG_TIME_LIMIT, UNREADABLE, request};

pub(super) async fn send_all(site: &AbuseSite, player: &str, admin: &str) {
    send_other_protocols(site).await;
    send_headers(site).await;
    send_methods(site).await;
    send_framing(site, player).await;
    send_paths(site).await;
    send_admin_paths(site, admin).await;
    send_queries(site).await;
    send_targets(site).await;
    send_smuggled_requests(site).await;
    send_pipeline(site).await;
}

/// Bytes of other protocols.
async fn send_other_protocols(site: &AbuseSite) {
    let hello = [&[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3][..], &[0xab; 512]].concat();
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    let cases: [(&str, Vec<u8>); 9] = [
        ("a TLS hello", hello),
        ("an HTTP/2 preface", preface),
        ("endless bytes", vec![0xfe; 1 << 20]),
        ("endless letters", vec![b'a'; 1 << 20]),
        ("SSH", b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec()),
        ("SMTP", b"EHLO drill\r\n\r\n".to_vec()),
        ("an unknown version", b"GET /guilds/1/10 HTTP/9.9\r\nHost: a\r\n\r\n".to_vec()),
        ("no version", b"GET /guilds/1/10\r\n\r\n".to_vec()),
        ("NUL", b"GET /guilds\0/1/10 HTTP/1.1\r\nHost: a\r\n\r\n".to_vec()),
    ];
    for (title, bytes) in cases {
        site.send_raw(title, &bytes, UNREADABLE).await;
    }
}

async fn send_headers(site: &AbuseSite) {
    let many = |count: usize| (0..count).map(|number| format!("X-{number}: y\r\n")).collect::<String>();
    let head = |headers: &str| format!("GET /guilds/1/10 HTTP/1.1\r\nHost: a\r\n{headers}\r\n").into_bytes();
    let unreadable: [(&str, String); 9] = [
        ("100,000 headers", many(100_000)),
        ("1,000 headers", many(1000)),
        ("a header of a megabyte", format!("X: {}\r\n", "y".repeat(1 << 20))),
        ("a header's name of 100,000", format!("{}: y\r\n", "X".repeat(100_000))),
        ("a header without a colon", "nonsense\r\n".to_owned()),
        ("a space before the colon", "X-A : b\r\n".to_owned()),
        ("a folded header", "X-A: b\r\n c\r\n".to_owned()),
        ("NUL in a header", "X-A: b\0c\r\n".to_owned()),
        ("a bare CR in a header", "X-A: b\rX-B: c\r\n".to_owned()),
    ];
    for (title, headers) in unreadable {
        site.send_raw(title, &head(&headers), UNREADABLE).await;
    }
    site.send_raw("two hosts", &head("Host: b\r\n"), &[400]).await;
    site.send_raw("no host", b"GET /guilds/1/10 HTTP/1.1\r\n\r\n", &[400]).await;
    site.send_raw("an empty line first", b"\r\n\r\nGET /guilds/1/10 HTTP/1.1\r\nHost: a\r\n\r\n", &[200])
        .await;
    site.send_raw("HTTP/1.0", b"GET /guilds/1/10 HTTP/1.0\r\n\r\n", &[200]).await;
    let plain: [(&str, &str, &[u16]); 8] = [
        ("an upgrade", "Connection: Upgrade\r\nUpgrade: websocket\r\n", &[200]),
        (
            "an upgrade to HTTP/2",
            "Connection: Upgrade, HTTP2-AbuseSettings\r\nUpgrade: h2c\r\nHTTP2-AbuseSettings: AAMAAABk\r\n",
            &[200],
        ),
        ("an unknown Expect header", "Expect: the unexpected\r\n", &[200, 417]),
        ("bytes beyond ASCII", "X-Request-Id: \u{fe}\u{e9}\r\nAccept: \u{fe}\r\n", &[200]),
        ("two tokens", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", &[200, 401]),
        ("a token of 8,000", &format!("Authorization: Bearer {}\r\n", "a.".repeat(4000)), &[200, 401]),
        ("ranges", &format!("Range: bytes={}\r\n", "0-1,".repeat(1000)), &[200]),
        ("tags", &format!("If-None-Match: {}\r\n", "\"a\",".repeat(2000)), &[200]),
    ];
    for (title, headers, expected) in plain {
        site.send_raw(title, &head(headers), expected).await;
    }
}

async fn send_methods(site: &AbuseSite) {
    for method in ["PRI", "M-SEARCH", "get", "TRACE", "CONNECT", "PROPFIND", &"A".repeat(1000)] {
        let bytes = format!("{method} /guilds/1/10 HTTP/1.1\r\nHost: a\r\n\r\n");
        site.send_raw(&format!("{method:.20}"), bytes.as_bytes(), &[0, 400, 404, 405]).await;
    }
}

/// Wrong lengths and encodings of a body.
async fn send_framing(site: &AbuseSite, player: &str) {
    let with = |headers: &str, body: &str| {
        let bearer = format!("Authorization: Bearer {player}\r\nContent-Type: application/json\r\n");
        format!("POST /guild/delete HTTP/1.1\r\nHost: a\r\n{bearer}{headers}\r\n{body}").into_bytes()
    };
    for length in ["+5", "5, 6", "0x5", "-1", "5 5", "99999999999999999999999", "ten"] {
        let headers = format!("Content-Length: {length}\r\n");
        site.send_raw(&format!("a length of {length}"), &with(&headers, "{\"a\":1}"), UNREADABLE).await;
    }
    site.send_raw("two lengths", &with("Content-Length: 2\r\nContent-Length: 3\r\n", "{} "), UNREADABLE)
        .await;
    for coding in ["identity", "chunked, identity", "xchunked", "chunked\u{b}", "gzip"] {
        let headers = format!("Transfer-Encoding: {coding}\r\n");
        site.send_raw(&format!("the coding {coding}"), &with(&headers, "2\r\n{}\r\n0\r\n\r\n"), UNREADABLE)
            .await;
    }
    let ten = b"POST /auth HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    site.send_raw("chunks in HTTP/1.0", ten, UNREADABLE).await;
    let chunks = [
        ("a chunk without a size", "zz\r\n{}\r\n0\r\n\r\n".to_owned()),
        ("a chunk size above 64 bits", "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n".to_owned()),
        ("a chunk that is too long", "2\r\n{}{}\r\n0\r\n\r\n".to_owned()),
        ("an endless extension", format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "a".repeat(1 << 20))),
        ("endless trailers", format!("2\r\n{{}}\r\n0\r\n{}\r\n", "X-A: b\r\n".repeat(20_000))),
    ];
    for (title, body) in chunks {
        let bytes = with("Transfer-Encoding: chunked\r\n", &body);
        site.send_raw(title, &bytes, &[0, 400, 431]).await;
    }
    let small_chunks = with("Transfer-Encoding: chunked\r\n", &"1\r\n \r\n".repeat(70_000));
    site.send_raw("endless chunks of one byte", &small_chunks, &[413, 408]).await;
    let large = with("Content-Length: 10000000000\r\n", "{");
    site.send_raw("10 GB, as Content-Length", &large, &[413]).await;
    let endless = with("Transfer-Encoding: chunked\r\n", &format!("FFFFFFF\r\n{}", " ".repeat(32 << 20)));
    site.send_raw("an endless chunk", &endless, &[413]).await;
    let expect_continue = with("Content-Length: 10000000000\r\nExpect: 100-continue\r\n", "");
    site.send_raw("10 GB, with Expect: 100-continue", &expect_continue, &[413]).await;
}

async fn send_paths(site: &AbuseSite) {
    let refused: &[u16] = &[400, 401, 404, 405];
    let paths = [
        "//guilds/1/10",
        "/guilds//1/10",
        "/guilds/1/10/",
        "/..%2f..%2fetc/passwd",
        "/%00",
        "/guild/view/%00",
        "/guild/view/%c0%af",
        "/guild/view/%f0%82%82%ac",
        "/guild/view/%ed%a0%80",
        "/guild/view/%",
        "/guild/view/%zz",
        "/guild/view/%u0041",
        "/guild/view/;drop",
        "/guild/view/%5c..%5c",
        "/guilds/1;a=b/10",
        "/GUILDS/1/10",
        "/guilds/1/10%0d%0aX-Evil:%20yes",
        "/guilds/99999999999999999999/10",
        "/guilds/-1/10",
        "/guilds/1e3/10",
        "/guilds/%EF%BC%91/10",
        "/guilds/1/1.0",
        "/shop/item/find-1",
        "/shop/item/find%20",
        "/shop/item/find99999999999999999999",
        "/payments/1",
        "/operations/%2e",
        "/admin/audit?page=1&page=2",
        "/.git/config",
        "/docs/../metrics%00",
        "/metrics",
        "/metrics%0a",
        "/metrics#a",
        "/healthz",
        "/readyz%0d%0a",
        // Cursors that the site has not issued.
        "/guilds/1/5?sort=members&after=Wy05MjIzMzcyMDM2ODU0Nzc1ODA4LCJhIl0",
        "/characters/highscores/1/5?after=Wy0yMTQ3NDgzNjQ4LCJhIl0",
        "/guilds/1/10?utm_source=forum",
        "*",
    ];
    for path in paths {
        site.send_raw(path, &request(&format!("GET {path}"), &[], b""), refused).await;
    }
}

/// Other spellings of a path that administrators may read.
async fn send_admin_paths(site: &AbuseSite, admin: &str) {
    let bearer = format!("Bearer {admin}");
    for path in [
        "/guilds/../admin/audit",
        "/guilds/%2e%2e/admin/audit",
        "/guilds/..;/admin/audit",
        "/guilds/..%2fadmin/audit",
        "//admin/audit",
        "/admin//audit",
        "/admin/audit/",
        "/admin/audit;a=b",
        "/ADMIN/audit",
        "/admin/audit?page=0",
    ] {
        let line = format!("GET {path}");
        site.send_raw(&line, &request(&line, &[("Authorization", &bearer)], b""), &[400, 404]).await;
    }
}

async fn send_queries(site: &AbuseSite) {
    let queries = [
        "page=-1",
        "page=99999999999999999999",
        "limit=0",
        "page=%00",
        "search=%00",
        "search=%ff%fe",
        "search=%",
        "search='%20or%201=1%20--",
        "search=%25%25%25",
        "search=_%5c",
        &format!("search={}", "a".repeat(10_000)),
        &"a=b&".repeat(3000),
        "search[]=a",
        "search=a&search=b",
        "%00=%00",
    ];
    for query in queries {
        let line = format!("GET /guild/players-without-guild?{query}");
        site.send_raw(&line, &request(&line, &[], b""), &[200, 400]).await;
    }
}

/// Long paths, and request targets that are not paths.
async fn send_targets(site: &AbuseSite) {
    let long = format!("GET /guild/view/{}", "a".repeat(12_000));
    site.send_raw("a path of 12,000", &request(&long, &[], b""), &[400, 404]).await;
    for length in [20_000, 70_000, 1 << 20] {
        let line = format!("GET /guild/view/{}", "a".repeat(length));
        site.send_raw(&format!("a path of {length}"), &request(&line, &[], b""), UNREADABLE).await;
    }
    let backslash = request("GET /guilds\\1\\10", &[], b"");
    site.send_raw("a path with backslashes", &backslash, &[0, 400, 404]).await;
    let other_site = request("GET http://elsewhere.example/guilds/1/10", &[], b"");
    site.send_raw("an absolute URL of another site", &other_site, &[200, 400, 404, 421]).await;
    let star = request("OPTIONS *", &[], b"");
    site.send_raw("OPTIONS *", &star, &[200, 204, 400, 404, 405]).await;
}

/// A request that can be read as two gets one response, and the connection is closed.
async fn send_smuggled_requests(site: &AbuseSite) {
    let hidden = "GET /guilds/1/1 HTTP/1.1\r\nHost: a\r\n\r\n";
    let body = format!("0\r\n\r\n{hidden}");
    let length = format!("Content-Length: {}\r\n", body.len());
    let chunked = "Transfer-Encoding: chunked\r\n";
    for (title, headers) in
        [("length, then chunks", [&length, chunked]), ("chunks, then length", [chunked, &length])]
    {
        let bytes = format!("POST /auth HTTP/1.1\r\nHost: a\r\n{}\r\n{body}", headers.concat());
        let Ok(mut connection) = RawConnection::open(site.address).await else {
            return site.check(false, || "cannot connect".to_owned());
        };
        let first = connection.exchange(bytes.as_bytes(), HANG_TIME_LIMIT).await;
        site.check_result(title, &first, &[400, 415]);
        let second = connection.exchange(b"", HANG_TIME_LIMIT).await;
        site.check(matches!(second, ExchangeResult::Closed), || format!("{title}: then {second:?}"));
    }
}

/// Pipelined requests get their responses in order.
async fn send_pipeline(site: &AbuseSite) {
    let one = request("GET /guilds/1/10", &[], b"");
    let Ok(mut connection) = RawConnection::open(site.address).await else {
        return site.check(false, || "cannot connect".to_owned());
    };
    let mut result = connection.exchange(&one.repeat(200), HANG_TIME_LIMIT).await;
    for number in 1..=200 {
        site.check_result(&format!("request {number} of 200 pipelined"), &result, &[200]);
        if number < 200 {
            result = connection.exchange(b"", HANG_TIME_LIMIT).await;
        }
    }
}
