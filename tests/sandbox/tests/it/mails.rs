//! The mail catcher without faults.

use std::time::{Duration, Instant};

use guildhall_sandbox::{Sandbox, config::Config};
use guildhall_testkit::http::HttpClient;
use lettre::{
    AsyncTransport,
    message::{
        MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::authentication::{Credentials, Mechanism},
};
use poem::http::Method;
use serde_json::{Value, json};

use crate::{
    smtp::{MailSite, mail_to, mailer, short_mail_to},
    support::fast_config,
};

#[tokio::test]
async fn mail_is_shown_decoded() {
    let site = MailSite::start().await;
    let part = |kind, body: &str| {
        let part = SinglePart::builder().header(kind).header(ContentTransferEncoding::QuotedPrintable);
        part.body(body.to_owned())
    };
    let raw_header =
        |name, value: &str| HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned());
    let text = "Grüße!\n\nhttps://example.com/verify?token=a=b\n";
    let html = "<p>Grüße!</p>\n<a href=\"https://example.com/verify?token=a=b\">Verify</a>";
    let mail = mail_to("Jürgen Groß <juergen@example.com>")
        .subject("Bestätige deine Adresse")
        .message_id(Some("<0192f0c1@example.com>".to_owned()))
        .date_now()
        .raw_header(raw_header("Auto-Submitted", "auto-generated"))
        .raw_header(raw_header("List-Unsubscribe", "<https://example.com/unsubscribe>"))
        .multipart(
            MultiPart::alternative()
                .singlepart(part(ContentType::TEXT_PLAIN, text))
                .singlepart(part(ContentType::TEXT_HTML, html)),
        );
    site.send(mail.unwrap()).await.unwrap();

    let mails = site.mails("").await;
    let [mail] = mails.as_slice() else { panic!("expected one mail: {mails:?}") };
    assert_eq!((&mail["id"], &mail["envelope_from"]), (&json!(1), &json!("site@example.com")));
    assert_eq!(mail["envelope_to"], json!(["juergen@example.com"]));
    assert_eq!(mail["message_id"], "0192f0c1@example.com");
    assert_eq!(mail["subject"], "Bestätige deine Adresse");
    assert_eq!((mail["text"].as_str(), mail["html"].as_str()), (Some(text), Some(html)));
    let headers = &mail["headers"];
    assert_eq!(headers["Message-ID"], "<0192f0c1@example.com>");
    assert_eq!(headers["From"], "site@example.com");
    assert!(headers["To"].as_str().unwrap().contains("Jürgen Groß"), "{headers}");
    assert_eq!(headers["Subject"], "Bestätige deine Adresse");
    assert_eq!(headers["Auto-Submitted"], "auto-generated");
    assert_eq!(headers["List-Unsubscribe"], "<https://example.com/unsubscribe>");
    assert!(headers["Date"].is_string() && mail["received_at"].is_string());
    assert_eq!(site.client.get("/sandbox/mails/1").await, (200, mail.clone()));

    let source = site.client.http.get("/sandbox/mails/1/source").send().await.unwrap();
    assert_eq!(source.header("Content-Type"), "text/plain; charset=utf-8");
    let source = source.text();
    assert!(source.contains("Gr=C3=BC=C3=9Fe!") && source.contains("token=3Da=3Db"), "{source}");
    assert_eq!(mail["size"], source.len());
    assert_eq!(site.client.get("/sandbox/mails/2").await.0, 404);
    assert_eq!(site.client.get("/sandbox/mails/2/source").await.0, 404);
}

#[tokio::test]
async fn list_has_filters_and_mails_are_deleted() {
    let site = MailSite::start().await;
    for recipient in ["a@example.com", "b@example.com", "a@example.com"] {
        site.send(short_mail_to(recipient)).await.unwrap();
    }
    let ids = async |query: &str| -> Vec<Value> {
        site.mails(query).await.iter().map(|mail| mail["id"].clone()).collect()
    };
    assert_eq!(ids("").await, [3, 2, 1]);
    assert_eq!(ids("?to=").await, [3, 2, 1]);
    assert_eq!(ids("?to=A@Example.com").await, [3, 1]);
    assert_eq!(ids("?to=example.com").await, Vec::<u64>::new());
    assert_eq!(ids("?to=a@example.com&limit=1").await, [3]);
    assert_eq!(ids("?to=a@example.com&after=1").await, [3]);
    assert_eq!(site.client.get("/sandbox/mails?limit=-1").await.0, 400);
    let deleted = site.client.try_send(Method::DELETE, "/sandbox/mails", &Value::Null).await.unwrap();
    assert_eq!(deleted.0, 204);
    assert_eq!(ids("").await, Vec::<u64>::new());
    site.send(short_mail_to("a@example.com")).await.unwrap();
    assert_eq!(ids("").await, [4]);
}

#[tokio::test]
async fn request_waits_for_a_mail() {
    let site = MailSite::start().await;
    let mut wait = std::pin::pin!(site.mails("?to=late@example.com&wait=30"));
    tokio::select! {
        biased;
        mails = &mut wait => panic!("the response came too early: {mails:?}"),
        sent = site.send(short_mail_to("other@example.com")) => sent.map(drop).unwrap(),
    }
    let (mails, sent) = tokio::join!(wait, site.send(short_mail_to("late@example.com")));
    sent.unwrap();
    assert_eq!((mails.len(), &mails[0]["envelope_to"]), (1, &json!(["late@example.com"])));
    assert_eq!(site.mails("?to=late@example.com&wait=30").await, mails, "a mail that is there");

    let start = Instant::now();
    assert!(site.mails("?to=nobody@example.com&wait=1").await.is_empty());
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(site.client.get("/sandbox/mails?wait=31").await.0, 400);
}

#[tokio::test]
async fn client_must_log_in_if_the_settings_say_so() {
    let (user, password) = (Some("guildhall".to_owned()), Some("geheim:ä".to_owned()));
    let site = MailSite::start_with(Config {
        mail_user: user.clone(),
        mail_password: password.clone(),
        ..fast_config()
    });
    let site = site.await;
    let status = async |password: &str, mechanism| {
        let mailer = mailer(site.sandbox.mail_address().unwrap())
            .authentication(vec![mechanism])
            .credentials(Credentials::new("guildhall".to_owned(), password.to_owned()))
            .build::<lettre::Tokio1Executor>();
        let sent = mailer.send(short_mail_to("a@example.com")).await;
        sent.map_or_else(|error| error.status().unwrap(), |response| response.code()).to_string()
    };
    for mechanism in [Mechanism::Plain, Mechanism::Login] {
        assert_eq!(status("geheim:ä", mechanism).await, "250");
        assert_eq!(status("wrong", mechanism).await, "535");
    }
    let refused = site.send(short_mail_to("a@example.com")).await.unwrap_err();
    assert_eq!(refused.status().unwrap().to_string(), "530");
    assert_eq!(site.mails("").await.len(), 2);
    let mut session = site.open_session().await;
    assert_eq!(session.request("EHLO me").await, 250);
    for (line, status) in [("AUTH PLAIN !", 501), ("AUTH CRAM-MD5", 504), ("AUTH LOGIN\r\n*", 334)] {
        assert_eq!(session.request(line).await, status, "{line}");
    }
    assert_eq!(session.read_status().await, 501, "the client has cancelled");

    assert!(Sandbox::start(Config { mail_user: user, ..fast_config() }).await.is_err());
    assert!(Sandbox::start(Config { mail_password: password, ..fast_config() }).await.is_err());
}

#[tokio::test]
async fn large_mail_is_refused() {
    let site = MailSite::start().await;
    let mail = |size: usize| mail_to("a@example.com").body("0123456789abcd\r\n".repeat(size / 16)).unwrap();
    let refused = site.send(mail(1024 * 1024)).await.unwrap_err();
    assert!(refused.is_permanent());
    assert_eq!(refused.status().unwrap().to_string(), "552");
    assert!(site.mails("").await.is_empty());
    site.send(mail(1023 * 1024)).await.unwrap();
    assert_eq!(site.mails("").await.len(), 1);

    let mut session = site.open_session().await;
    assert_eq!(session.request("EHLO me").await, 250);
    assert_eq!(session.request("MAIL FROM:<a@example.com> SIZE=1048577").await, 552);
    assert_eq!(session.request("MAIL FROM:<a@example.com> SIZE=1048576 BODY=8BITMIME").await, 250);
    assert_eq!(session.request("RCPT TO:<b@example.com>").await, 250);
    assert_eq!(session.request("DATA").await, 354);
    assert_eq!(session.request(&format!("{}\r\n.", "x".repeat(1024 * 1024))).await, 552);
    assert_eq!(session.request("MAIL FROM:<a@example.com>").await, 250, "the session continues");
}

#[tokio::test]
async fn session_follows_the_protocol() {
    let site = MailSite::start().await;
    let mut session = site.open_session().await;
    for (line, status) in [
        ("MAIL FROM:<a@example.com>", 503),
        ("HELO me", 250),
        ("DATA", 503),
        ("RCPT TO:<b@example.com>", 503),
        ("MAIL FROM:a@example.com", 501),
        ("MAIL FROM:<a@example.com> NONSENSE=1", 555),
        ("MAIL FROM:<>", 250),
        ("MAIL FROM:<a@example.com>", 503),
        ("DATA", 503),
        ("RCPT TO:<nobody>", 501),
        ("RSET", 250),
        ("RCPT TO:<b@example.com>", 503),
        ("VRFY b", 252),
        ("AUTH PLAIN AGEAYg==", 502),
        ("STARTTLS", 502),
        ("GET / HTTP/1.1", 500),
        ("", 500),
    ] {
        assert_eq!(session.request(line).await, status, "{line}");
    }
    let commands = "MAIL FROM:<>\r\nRCPT TO:<b@example.com>\r\nRCPT TO:<jürgen@example.com>\r\nDATA";
    assert_eq!(session.request(commands).await, 250, "pipelining");
    for status in [250, 250, 354] {
        assert_eq!(session.read_status().await, status);
    }
    assert_eq!(session.request("..Subject: 1\r\n\r\n.\n..\r\n...a\r\n.").await, 250);
    assert_eq!(session.request(commands).await, 250);
    for status in [250, 250, 354] {
        assert_eq!(session.read_status().await, status);
    }
    assert_eq!(session.request(".").await, 250, "an empty mail");
    assert_eq!(session.request("QUIT").await, 221);
    assert_eq!(session.read_line().await, None);

    let mails = site.mails("").await;
    assert_eq!((&mails[1]["envelope_from"], &mails[1]["size"]), (&json!(""), &json!(25)));
    assert_eq!(mails[1]["envelope_to"], json!(["b@example.com", "jürgen@example.com"]));
    let source = site.client.http.get("/sandbox/mails/1/source").send().await.unwrap();
    assert_eq!(source.text(), ".Subject: 1\r\n\r\n\n..\r\n..a\r\n");
    assert_eq!((&mails[0]["size"], &mails[0]["subject"]), (&json!(0), &Value::Null));
    let mut session = site.open_session().await;
    session.send(&"x".repeat(5000)).await;
    assert_eq!(session.read_line().await, None, "a long line closes the connection");
}

#[tokio::test]
async fn sandbox_can_run_without_a_mail_catcher() {
    let sandbox = Sandbox::start(Config { mail_listen: None, ..fast_config() }).await.unwrap();
    assert!(sandbox.mail_address().is_none());
    let list = HttpClient::new(&sandbox.url()).get("/sandbox/mails").send().await.unwrap();
    assert_eq!(list.success().unwrap(), json!({ "mail_address": null, "mails": [] }));
}

#[tokio::test]
async fn pages_run_only_their_own_scripts() {
    let site = MailSite::start().await;
    for path in ["/", "/mails"] {
        let page = site.client.http.get(path).send().await.unwrap();
        let policy = page.header("Content-Security-Policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
        let html = page.text();
        let mut names =
            html.split("src=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<Vec<_>>();
        names.extend(html.contains("/page.css").then_some("/page.css"));
        assert_eq!(names.len(), 3, "{names:?}");
        for name in names {
            let file = site.client.http.get(name).send().await.unwrap();
            assert_eq!(file.status, 200, "{name}");
        }
    }
}
