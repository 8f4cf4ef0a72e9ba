//! Messages that cannot be decoded, and commands that fail again and again.

use guildhall_common::{
    contract::{message, site::DeadLetterId},
    platform::bus::Message,
};
use serde_json::json;

use crate::support::{
    community::PASSWORD,
    motd::{CHANGE_MOTD, motd_body},
    operation::{operation_path, wait_until_completed},
    service::dead_letters,
    site::Site,
    wait::{wait_for, wait_until},
};

fn unknown_letter() -> DeadLetterId {
    999.try_into().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_cannot_be_decoded_does_not_delay_others() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let accepted = mira.post_with_preference(CHANGE_MOTD, &motd_body(guild_id, "one"), "respond-async").await;
    let valid = site.take_guild_command().await;
    site.publish_guild_command(b"{ nonsense".to_vec()).await;
    site.publish_guild_command(b"{ nonsense".to_vec()).await;
    let unknown =
        String::from_utf8(valid.clone()).unwrap().replace("guild.change_motd", "guild.change_colour");
    site.publish_guild_command(unknown.into_bytes()).await;
    let newer = String::from_utf8(valid.clone()).unwrap().replace("\"version\":2", "\"version\":3");
    // The api publishes commands together. One of them does not spoil the others.
    site.publish_guild_command(message::join(&[newer.into_bytes(), valid])).await;
    site.start_workers();
    assert_eq!(wait_until_completed(&mira, &accepted.body["operation_id"]).await["status"], "applied");

    let dead = dead_letters::list(&site.database).await.unwrap();
    let reasons: Vec<&str> = dead.iter().map(|letter| letter.reason.as_str()).collect();
    assert_eq!(dead.len(), 3, "{reasons:?}");
    assert!(reasons[0].starts_with("the message cannot be decoded"), "{reasons:?}");
    assert!(reasons[1].contains("guild.change_colour"), "{reasons:?}");
    assert!(reasons[2].contains("version 3"), "{reasons:?}");
    assert_eq!(dead[0].message.as_deref(), Some("10 bytes that are no JSON"));
    for letter in dead {
        dead_letters::discard(&site.database, letter.dead_letter_id).await.unwrap();
    }
    assert!(dead_letters::discard(&site.database, unknown_letter()).await.is_err());
    site.finish().await;
}

/// Adds a constraint and a trigger that no rule knows. Two texts violate them.
async fn reject_two_texts(site: &Site) {
    site.execute(
        "alter table guilds add constraint guilds_no_poison check (motd <> 'poison');
         create function no_venom() returns trigger language plpgsql as $$ begin raise exception 'this guild refuses it'; end $$;
         create trigger guilds_no_venom before update on guilds
             for each row when (new.motd = 'venom') execute function no_venom()",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_commands_are_dead_lettered_alone_and_can_be_replayed() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    reject_two_texts(&site).await;
    // All commands are in one batch.
    site.stop_workers().await;
    let mut batch = Vec::new();
    for text in ["1", "2", "venom", "4", "poison", "6", "7"] {
        let body = motd_body(guild_id, text);
        batch.push(mira.post_with_preference(CHANGE_MOTD, &body, "respond-async").await);
    }
    site.start_workers();
    let failing = [batch.remove(4), batch.remove(2)];
    for accepted in batch {
        let state = wait_until_completed(&mira, &accepted.body["operation_id"]).await;
        assert_eq!(state["status"], "applied");
    }
    assert_eq!(site.visitor().get("/guild/view/Night%20Watch").await.ok()["motd"], "7");
    let letters = wait_for("two commands are dead-lettered", async || {
        <[_; 2]>::try_from(dead_letters::list(&site.database).await.unwrap()).ok()
    })
    .await;
    for (letter, reason) in letters.iter().zip(["this guild refuses it", "guilds_no_poison"]) {
        assert!(letter.reason.contains(reason), "{}", letter.reason);
    }
    for accepted in &failing {
        let state = mira.get(&operation_path(&accepted.body["operation_id"])).await.ok();
        assert_eq!(state["status"], "pending");
    }

    site.execute(
        "alter table guilds drop constraint guilds_no_poison; drop trigger guilds_no_venom on guilds",
    )
    .await;
    assert_old_letters_cannot_be_replayed(&site, letters[0].dead_letter_id).await;
    for letter in &letters {
        dead_letters::replay(&site.workers, letter.dead_letter_id).await.unwrap();
    }
    for (accepted, text) in failing.iter().zip(["poison", "venom"]) {
        let state = wait_until_completed(&mira, &accepted.body["operation_id"]).await;
        assert_eq!(state["result"]["motd"], text);
    }
    assert!(dead_letters::replay(&site.workers, unknown_letter()).await.is_err());
    site.finish().await;
}

/// A registration fails again and again. People who look for the cause see neither its e-mail address nor its hash.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_letter_shows_no_secret_and_can_be_replayed() {
    let site = Site::start().await;
    // Only this trigger puts values into a message. So it keeps them out of the log of Postgres itself.
    site.execute(
        "create function quote_email() returns trigger language plpgsql set log_min_messages = 'panic' as $$
         begin raise exception 'cannot store %, %', new.email, new.password_hash; end $$;
         create trigger accounts_quoted before insert on accounts for each row execute function quote_email()",
    )
    .await;
    let account = json!({ "name": "mira", "email": "mira@example.org", "password": PASSWORD });
    let accepted = site.visitor().post_with_preference("/accounts/register", &account, "respond-async").await;
    assert_eq!(accepted.status, 202);
    let undecodable =
        br#"{"version":"mira@example.org","command":{"name":"account.register"},"email":"mira@example.org"}"#;
    site.publish_guild_command(undecodable.to_vec()).await;
    let letters = wait_for("two messages are dead-lettered", async || {
        <[_; 2]>::try_from(dead_letters::list(&site.database).await.unwrap()).ok()
    })
    .await;
    for letter in &letters {
        assert!(letter.message.as_ref().unwrap().contains("account.register"), "{letter:?}");
    }
    for secret in ["mira", "example.org", "argon2id"] {
        assert!(!format!("{letters:?}").contains(secret), "{secret}: {letters:?}");
    }
    let rows = sqlx::query_scalar::<_, String>("select dead_letters::text from dead_letters");
    let rows = rows.fetch_all(&site.database).await.unwrap().join("\n");
    assert!(!rows.contains("mira") && !rows.contains("argon2id"), "{rows}");

    // Messages that are too old for a replay are deleted. Their redacted form stays.
    let [registration, unreadable] = if letters[0].queue.ends_with("account") {
        [&letters[0], &letters[1]]
    } else {
        [&letters[1], &letters[0]]
    };
    site.execute(
        "update dead_letters set died_at = died_at - interval '31 days' where queue like '%guild';
         update jobs set due_at = now() where job = '{\"name\": \"purge_dead_letter_bodies\"}'",
    )
    .await;
    let bodies = "select count(*) from dead_letter_bodies";
    wait_until("one message is deleted", async || site.count(bodies).await == 1).await;
    assert_eq!(site.count("select count(*) from dead_letters").await, 2);
    dead_letters::discard(&site.database, unreadable.dead_letter_id).await.unwrap();

    site.execute("drop trigger accounts_quoted on accounts").await;
    dead_letters::replay(&site.workers, registration.dead_letter_id).await.unwrap();
    wait_until("mira can log in", async || site.log_in("mira").await.status == 200).await;
    assert_eq!(site.count(bodies).await, 0);
    site.finish().await;
}

/// Operations are kept for 30 days. After that, nothing shows whether the client has repeated the command.
async fn assert_old_letters_cannot_be_replayed(site: &Site, dead_letter_id: DeadLetterId) {
    site.execute("update dead_letters set died_at = died_at - interval '31 days'").await;
    assert!(dead_letters::replay(&site.workers, dead_letter_id).await.is_err());
    site.execute("update dead_letters set died_at = died_at + interval '31 days'").await;
}

/// Its arguments cannot be changed, and it may have messages.
#[tokio::test(flavor = "multi_thread")]
async fn the_queue_of_an_older_version_stays() {
    let mut site = Site::start().await;
    site.stop_workers().await;
    site.replace_by_old_queue_of_dead_letters().await;
    let queue = site.workers.topology.dead_letters();
    let message = Message {
        queue,
        message_id: String::new(),
        reply_to: None,
        body: b"{ nonsense".to_vec(),
        is_command: false,
    };
    site.workers.publisher.publish(message).await.unwrap();
    guildhall_workers::migrate(&site.servers, None).await.unwrap();
    site.start_workers();
    wait_until("the message is a dead letter", async || {
        dead_letters::list(&site.database).await.unwrap().len() == 1
    })
    .await;
    site.stop().await;
}
