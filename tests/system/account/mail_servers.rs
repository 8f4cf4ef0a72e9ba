//! Mails that this worker cannot write, and mail servers that refuse the site: they wait, and are sent later.

use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::support::{mailbox::Mailbox, options::Options, site::Site, wait::wait_until};

async fn wait_for_error(site: &Site, state: &str, error: &str) {
    let mails = format!("select count(*) from mails where state = '{state}' and last_error like '%{error}%'");
    let condition = format!("a mail is {state} because of {error}");
    wait_until(&condition, async || site.count(&mails).await == 1).await;
}

/// A mail that the mail server accepts only later.
async fn site_with_waiting_mail(mailbox: &Mailbox) -> Site {
    let site = mailbox.site().await;
    mailbox.set_faults(json!({ "refuse_temporarily": 1_000_000 })).await;
    site.player("mira").await;
    wait_for_error(&site, "waiting", "451").await;
    site
}

async fn send_now(mailbox: &Mailbox, site: &Site) {
    mailbox.set_faults(json!({ "refuse_temporarily": 0 })).await;
    site.execute("update jobs set due_at = now() where lane = 'mail'").await;
    mailbox.wait_for("mira@example.org", 1).await;
}

/// While the secret is replaced, one worker after the other knows the new one.
#[tokio::test(flavor = "multi_thread")]
async fn a_mail_waits_for_a_worker_that_has_its_key() {
    let mailbox = Mailbox::start().await;
    let site = site_with_waiting_mail(&mailbox).await;
    // As if another key had made the token.
    site.execute("update mail_tokens set token_hash = sha256(token_hash), code_hash = token_hash").await;
    wait_for_error(&site, "waiting", "GUILDHALL_MAIL_SECRET").await;
    site.execute("update mail_tokens set token_hash = code_hash").await;
    send_now(&mailbox, &site).await;
    site.finish().await;
}

/// During an upgrade, old workers claim mails of new ones.
#[tokio::test(flavor = "multi_thread")]
async fn a_mail_waits_for_a_worker_that_knows_its_kind() {
    let mailbox = Mailbox::start().await;
    let site = site_with_waiting_mail(&mailbox).await;
    site.execute("update mails set kind = 'later_kind'").await;
    wait_for_error(&site, "waiting", "does not know the kind").await;
    site.execute("update mails set kind = 'verify_email'").await;
    send_now(&mailbox, &site).await;
    site.finish().await;
}

/// Starts a mail server whose responses begin with these codes: to a connection, and to a recipient.
async fn start_mail_server(greeting: u16, recipient: u16) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(respond(stream, greeting, recipient));
        }
    });
    format!("smtp://{address}")
}

async fn respond(stream: TcpStream, greeting: u16, recipient: u16) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(format!("{greeting} mail.example\r\n").as_bytes()).await?;
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 0 {
        let code = if line.starts_with("RCPT") { recipient } else { 250 };
        stream.write_all(format!("{code} mail.example\r\n").as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_waits_if_the_mail_server_refuses_the_site() {
    for (greeting, recipient) in [(554, 250), (521, 250), (220, 530), (220, 535)] {
        let smtp_url = Some(start_mail_server(greeting, recipient).await);
        let site = Site::start_with(Options { smtp_url, ..Options::default() }).await;
        site.player("mira").await;
        wait_for_error(&site, "waiting", &greeting.max(recipient).to_string()).await;
        site.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_is_parked_if_the_mail_server_refuses_it() {
    for recipient in [550, 554] {
        let smtp_url = Some(start_mail_server(220, recipient).await);
        let site = Site::start_with(Options { smtp_url, ..Options::default() }).await;
        site.player("mira").await;
        wait_for_error(&site, "parked", &recipient.to_string()).await;
        site.finish().await;
    }
}
