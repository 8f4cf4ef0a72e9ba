//! The life of a command, and what happens when a part of it goes wrong.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, future::join_all, stream};
use guildhall_common::{
    contract::{guild::GuildCommand, shop::ShopCommand},
    platform::bus::{Broker, Message, connection::BrokerConnection, supervise, with_timeout},
};
use guildhall_workers::engine::dead_letters;
use lapin::{
    Channel, Connection,
    options::{BasicAckOptions, BasicConsumeOptions, QueueDeclareOptions, QueueDeleteOptions},
    types::{AMQPValue, FieldTable},
};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, net::TcpListener, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    link::Link,
    support::{Answer, Caller, Options, Site, send},
};

/// With its connection, which it needs.
async fn channel(site: &Site) -> (BrokerConnection, Channel) {
    let connection = site.workers.broker.connect("test").await.unwrap();
    let channel = connection.create_channel().await.unwrap();
    (connection, channel)
}

fn motd(guild_id: i64, text: &str) -> Value {
    json!({ "guild_id": guild_id, "motd": text })
}

async fn change_motd(caller: &Caller, body: &Value, headers: &[(&str, &str)]) -> Answer {
    let mut request = caller.request(Method::POST, "/guild/change-motd").json(body);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(request).await
}

/// Polls the operation until it is settled.
async fn settled(caller: &Caller, operation: &Value) -> Value {
    let path = format!("/operations/{}", operation.as_str().unwrap());
    let polled = async {
        loop {
            let state = caller.get(&path).await.ok();
            if state["status"] != "pending" {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(10), polled).await.unwrap()
}

async fn count(site: &Site, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(&site.database).await.unwrap()
}

async fn queued(site: &Site, body: Vec<u8>) {
    let routing_key = site.workers.topology.commands::<GuildCommand>();
    let message = Message {
        exchange: String::new(),
        routing_key,
        mandatory: true,
        message_id: String::new(),
        reply_to: None,
        body,
    };
    site.workers.publisher.publish(message).await.unwrap();
}

/// Takes the one message that comes to the guild queue.
async fn taken(site: &Site) -> Vec<u8> {
    let (_connection, channel) = channel(site).await;
    let queue = site.workers.topology.commands::<GuildCommand>();
    let mut deliveries = channel
        .basic_consume(queue.as_str().into(), "".into(), Default::default(), FieldTable::default())
        .await
        .unwrap();
    let message = timeout(Duration::from_secs(10), deliveries.next()).await.unwrap().unwrap().unwrap();
    message.ack(BasicAckOptions::default()).await.unwrap();
    channel.close(200, "taken".into()).await.unwrap();
    message.data
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asynchronous_command_is_followed_to_its_end() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let accepted = change_motd(&mira, &motd(guild_id, "one"), &[("Prefer", "respond-async")]).await;
    assert_eq!(accepted.status, 202);
    assert_eq!(accepted.body["status"], "pending");
    assert_eq!(accepted.body["result"], Value::Null);
    let operation = accepted.body["operation_id"].clone();
    assert_eq!(accepted.header("location"), format!("/operations/{}", operation.as_str().unwrap()));
    let state = settled(&mira, &operation).await;
    assert_eq!((&state["status"], &state["result"]["motd"]), (&json!("applied"), &json!("one")));

    let refused = change_motd(&mira, &motd(999, "one"), &[("Prefer", "respond-async")]).await;
    let state = settled(&mira, &refused.body["operation_id"]).await;
    assert_eq!((&state["status"], &state["problem"]["code"]), (&json!("refused"), &json!("guild_not_found")));
    assert_eq!((&state["problem"]["status"], &state["result"]), (&json!(404), &Value::Null));

    let path = format!("/operations/{}", operation.as_str().unwrap());
    site.nobody().get(&path).await.problem(404, "operation_not_found");
    site.player("tom").await.get(&path).await.problem(404, "operation_not_found");
    site.game().get(&path).await.problem(404, "operation_not_found");
    mira.get("/operations/01234567-89ab-7def-8123-456789abcdef").await.problem(404, "operation_not_found");
    mira.get("/operations/x").await.invalid("id");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_runs_out_is_answered_with_202() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let began = Instant::now();
    let accepted = change_motd(&mira, &motd(guild_id, "later"), &[("Prefer", "wait=1")]).await;
    assert_eq!(accepted.status, 202);
    assert!((1..4).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    let operation = accepted.body["operation_id"].clone();
    let path = format!("/operations/{}", operation.as_str().unwrap());
    assert_eq!(mira.get(&path).await.ok()["status"], "pending");
    site.start_workers();
    assert_eq!(settled(&mira, &operation).await["result"]["motd"], "later");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_repeats_the_answer_and_not_the_effect() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira").await;
    let found = async |caller: &Caller, name: &str, key: &str| {
        let body = json!({ "name": name, "character_name": "Mira" });
        send(caller.request(Method::POST, "/guild/create-guild").header("Idempotency-Key", key).json(&body))
            .await
    };
    let answers = join_all((0..20).map(|_| found(&mira, "Night Watch", "once"))).await;
    for answer in &answers {
        assert_eq!(answer.clone().result(), answers[0].clone().result());
        assert_eq!(answer.body["operation_id"], answers[0].body["operation_id"]);
    }
    assert_eq!(found(&mira, "Night Watch", "once").await.body, answers[0].body);
    assert_eq!(count(&site, "select count(*) from guilds").await, 1);

    found(&mira, "Day Watch", "once").await.problem(422, "idempotency_key_reused");
    let refused = found(&mira, "Day Watch", "twice").await.problem(409, "already_in_guild");
    let again = found(&mira, "Day Watch", "twice").await.problem(409, "already_in_guild");
    assert_eq!(refused["operation_id"], again["operation_id"]);
    // Another account's key is another key.
    found(&site.player("tom").await, "Day Watch", "once").await.problem(403, "not_your_character");
    found(&mira, "Day Watch", "").await.invalid("Idempotency-Key");
    let unreadable = mira.request(Method::POST, "/guild/leave").header("Idempotency-Key", &b"\xd7\xf8"[..]);
    send(unreadable.json(&json!({ "guild_id": 1, "character_name": "Mira" })))
        .await
        .invalid("Idempotency-Key");
    found(&mira, "Day Watch", &"k".repeat(256)).await.invalid("Idempotency-Key");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_delivered_twice_applies_once() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    site.stop_workers().await;
    let invite = json!({ "guild_id": guild_id, "character_name": "Tom" });
    let accepted =
        send(mira.request(Method::POST, "/guild/invite").header("Prefer", "respond-async").json(&invite))
            .await;
    let message = taken(&site).await;
    for _ in 0..3 {
        queued(&site, message.clone()).await;
    }
    site.start_workers();
    assert_eq!(settled(&mira, &accepted.body["operation_id"]).await["status"], "applied");
    // Also after it was settled.
    queued(&site, message).await;
    mira.post("/guild/change-motd", motd(guild_id, "after")).await.result();
    assert_eq!(count(&site, "select count(*) from operations where command = 'guild.invite'").await, 1);
    assert_eq!(count(&site, "select count(*) from guild_invites").await, 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_cannot_be_decoded_stops_no_other() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let accepted = change_motd(&mira, &motd(guild_id, "one"), &[("Prefer", "respond-async")]).await;
    let good = taken(&site).await;
    queued(&site, b"{ nonsense".to_vec()).await;
    queued(&site, b"{ nonsense".to_vec()).await;
    let unknown =
        String::from_utf8(good.clone()).unwrap().replace("guild.change_motd", "guild.change_colour");
    queued(&site, unknown.into_bytes()).await;
    let newer = String::from_utf8(good.clone()).unwrap().replace("\"version\":1", "\"version\":2");
    queued(&site, newer.into_bytes()).await;
    queued(&site, good).await;
    site.start_workers();
    assert_eq!(settled(&mira, &accepted.body["operation_id"]).await["status"], "applied");

    let dead = dead_letters::list(&site.database).await.unwrap();
    let reasons: Vec<&str> = dead.iter().map(|letter| letter.reason.as_str()).collect();
    assert_eq!(dead.len(), 3, "{reasons:?}");
    assert!(reasons[0].starts_with("the message cannot be decoded"), "{reasons:?}");
    assert!(reasons[1].contains("guild.change_colour"), "{reasons:?}");
    assert!(reasons[2].contains("version 2"), "{reasons:?}");
    assert_eq!(dead[0].body, b"{ nonsense");
    for letter in dead {
        dead_letters::discard(&site.database, letter.dead_letter_id).await.unwrap();
    }
    assert!(dead_letters::discard(&site.database, 999).await.is_err());
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn poisoned_commands_are_put_aside_and_can_be_replayed() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    // A constraint and a trigger that no rule knows of: two commands fail for their own sake, again and again.
    sqlx::raw_sql(
        "alter table guilds add constraint guilds_no_poison check (motd <> 'poison');
         create function no_venom() returns trigger language plpgsql as $$ begin raise exception 'no venom'; end $$;
         create trigger guilds_no_venom before update on guilds
             for each row when (new.motd = 'venom') execute function no_venom()",
    )
    .execute(&site.database)
    .await
    .unwrap();
    // They are in one batch with others.
    site.stop_workers().await;
    let mut batch = Vec::new();
    for text in ["1", "2", "venom", "4", "poison", "6", "7"] {
        batch.push(change_motd(&mira, &motd(guild_id, text), &[("Prefer", "respond-async")]).await);
    }
    site.start_workers();
    let poisoned = [batch.remove(4), batch.remove(2)];
    for fine in batch {
        assert_eq!(settled(&mira, &fine.body["operation_id"]).await["status"], "applied");
    }
    assert_eq!(site.nobody().get("/guild/view/Night%20Watch").await.ok()["motd"], "7");
    let dead = async {
        loop {
            if let Ok(letters) = <[_; 2]>::try_from(dead_letters::list(&site.database).await.unwrap()) {
                return letters;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let letters = timeout(Duration::from_secs(10), dead).await.unwrap();
    for (letter, why) in letters.iter().zip(["no venom", "guilds_no_poison"]) {
        assert!(letter.reason.contains(why), "{}", letter.reason);
    }
    for poison in &poisoned {
        let path = format!("/operations/{}", poison.body["operation_id"].as_str().unwrap());
        assert_eq!(mira.get(&path).await.ok()["status"], "pending");
    }

    sqlx::raw_sql(
        "alter table guilds drop constraint guilds_no_poison; drop trigger guilds_no_venom on guilds",
    )
    .execute(&site.database)
    .await
    .unwrap();
    // Whoever sent them may have sent them again since, and nobody would know any more.
    let aged = async |by: &str| {
        let age = format!("update dead_letters set died_at = died_at - interval '{by}'");
        sqlx::raw_sql(sqlx::AssertSqlSafe(age)).execute(&site.database).await.unwrap();
    };
    aged("31 days").await;
    assert!(dead_letters::replay(&site.workers, letters[0].dead_letter_id).await.is_err());
    aged("-31 days").await;
    for letter in &letters {
        dead_letters::replay(&site.workers, letter.dead_letter_id).await.unwrap();
    }
    for (poison, text) in poisoned.iter().zip(["poison", "venom"]) {
        assert_eq!(settled(&mira, &poison.body["operation_id"]).await["result"]["motd"], text);
    }
    assert!(dead_letters::replay(&site.workers, 999).await.is_err());
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_reply_is_recovered_from_postgres() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let request = {
        let mira = mira.clone();
        tokio::spawn(async move { change_motd(&mira, &motd(guild_id, "one"), &[]).await })
    };
    // Put back without the address to reply to: nobody will.
    queued(&site, taken(&site).await).await;
    site.start_workers();
    assert_eq!(request.await.unwrap().result()["motd"], "one");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_go_out_in_order_after_the_commit() {
    let site = Site::start().await;
    let (_connection, channel) = channel(&site).await;
    let exclusive = QueueDeclareOptions { exclusive: true, ..Default::default() };
    let queue = channel.queue_declare("".into(), exclusive, FieldTable::default()).await.unwrap();
    let events = site.workers.topology.events();
    channel
        .queue_bind(
            queue.name().clone(),
            events.as_str().into(),
            "guild.#".into(),
            Default::default(),
            FieldTable::default(),
        )
        .await
        .unwrap();
    let mut heard = channel
        .basic_consume(queue.name().clone(), "".into(), Default::default(), FieldTable::default())
        .await
        .unwrap();
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.member(&mira, guild_id, "Tom").await;
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(404, "guild_not_found");
    for expected in ["guild.created", "guild.invited", "guild.member_joined", "guild.deleted"] {
        let next = timeout(Duration::from_secs(10), heard.next()).await.unwrap();
        let event: Value = serde_json::from_slice(&next.unwrap().unwrap().data).unwrap();
        assert_eq!((&event["topic"], &event["payload"]["guild_id"]), (&json!(expected), &json!(guild_id)));
    }
    site.finish().await;
}

/// Replaces a queue by one that takes nothing.
async fn full_queue(site: &Site, queue: &str) {
    let (_connection, channel) = channel(site).await;
    channel.queue_delete(queue.into(), QueueDeleteOptions::default()).await.unwrap();
    let mut arguments = FieldTable::default();
    arguments.insert("x-max-length".into(), AMQPValue::LongInt(0));
    arguments.insert("x-overflow".into(), AMQPValue::LongString("reject-publish".into()));
    channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), arguments).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_those_that_the_broker_rejected_get_503() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let merchant = site.with_role("merchant", crate::support::GivenRole::Merchant).await;
    site.stop_workers().await;
    full_queue(&site, &site.workers.topology.commands::<ShopCommand>()).await;

    let answers = stream::iter(0..400).map(|number| {
        let (mira, merchant) = (mira.clone(), merchant.clone());
        async move {
            let rejected = number % 3 == 0;
            let request = if rejected {
                let body = json!({ "name": format!("C {number}"), "description": "", "position": 1, "hidden": false });
                merchant.request(Method::POST, "/shop/category/create").json(&body)
            } else {
                mira.request(Method::POST, "/guild/change-motd").json(&motd(guild_id, &format!("motd {number}")))
            };
            (rejected, send(request.header("Prefer", "respond-async")).await)
        }
    });
    let answers: Vec<_> = answers.buffer_unordered(64).collect().await;
    for (rejected, answer) in answers {
        if rejected {
            assert!(!answer.header("retry-after").is_empty());
            answer.problem(503, "queue_unavailable");
        } else {
            assert_eq!(answer.status, 202, "{answer:?}");
        }
    }
    let accepted = (0..400).filter(|number| number % 3 != 0).count();
    site.workers = site.more_workers();
    site.start_workers();
    let applied = async {
        while count(&site, "select count(*) from operations where command = 'guild.change_motd'").await
            < accepted as i64
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), applied).await.unwrap();
    assert_eq!(
        count(&site, "select count(*) from operations where command = 'shop.create_category'").await,
        0
    );
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_broker_nothing_is_accepted_and_then_everything_again() {
    let link = Link::to(&Options::default().amqp_url).await;
    let site = Site::with(Options { amqp_url: link.url.clone(), ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    for fault in [Link::cut as fn(&Link), Link::freeze] {
        fault(&link);
        let began = Instant::now();
        let answer = change_motd(&mira, &motd(guild_id, "away"), &[("Idempotency-Key", "a")]).await;
        assert!([503, 202].contains(&answer.status), "{answer:?}");
        assert!(began.elapsed() < Duration::from_secs(12), "{:?}", began.elapsed());
        site.nobody().get("/guild/view/Night%20Watch").await.ok();
        link.cut();
        link.mend();
        let began = Instant::now();
        while change_motd(&mira, &motd(guild_id, "back"), &[]).await.status != 200 {
            assert!(began.elapsed() < Duration::from_secs(10), "it does not come back");
        }
        assert_eq!(site.nobody().get("/guild/view/Night%20Watch").await.ok()["motd"], "back");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_database_commands_wait_and_none_is_put_aside() {
    let link = Link::to(&Options::default().database_url).await;
    let mut site = Site::with(Options { database_url: link.url.clone(), ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let change = change_motd(&mira, &motd(guild_id, "waits"), &[("Prefer", "respond-async")]).await;
    link.cut();
    site.start_workers();
    // By then a command that fails for its own sake is put aside.
    tokio::time::sleep(Duration::from_secs(5)).await;
    link.mend();
    assert_eq!(settled(&mira, &change.body["operation_id"]).await["result"]["motd"], "waits");
    site.finish().await;
}

/// A broker that answers too late has made a consumer by then, and would hand it what others wait for.
#[tokio::test(flavor = "multi_thread")]
async fn a_consumer_that_is_given_up_before_it_was_made_is_none() {
    let link = Link::to(&Options::default().amqp_url).await;
    let queue = format!("given-up-{}", uuid::Uuid::now_v7().simple());
    let direct = Broker::new(&Options::default().amqp_url).unwrap().connect("test").await.unwrap();
    let channel = direct.create_channel().await.unwrap();
    let made = QueueDeclareOptions { auto_delete: false, ..Default::default() };
    channel.queue_declare(queue.as_str().into(), made, FieldTable::default()).await.unwrap();

    let stop = CancellationToken::new();
    let consume = async |connection: &Connection| {
        let channel = with_timeout(connection.create_channel()).await?;
        link.freeze();
        let options = BasicConsumeOptions::default();
        let consumer =
            channel.basic_consume(queue.as_str().into(), "".into(), options, FieldTable::default());
        with_timeout(consumer).await
    };
    supervise(Broker::new(&link.url).unwrap(), "test", stop.clone(), async |connection, _| {
        let late = consume(&connection).await;
        stop.cancel();
        link.mend();
        late.map(drop)
    })
    .await;

    let consumers = async || {
        let passive = QueueDeclareOptions { passive: true, ..Default::default() };
        let declared = channel.queue_declare(queue.as_str().into(), passive, FieldTable::default());
        declared.await.unwrap().consumer_count()
    };
    // What was under way arrives, and then the end of it.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(consumers().await, 0, "there is one that nobody has");
    channel.queue_delete(queue.as_str().into(), QueueDeleteOptions::default()).await.unwrap();
}

/// lapin by itself would keep the socket, and a thread with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_says_nothing_is_left() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let broker = Broker::new(&format!("amqp://{}", silent.local_addr().unwrap())).unwrap();
    let (connected, accepted) = tokio::join!(broker.connect("test"), silent.accept());
    assert!(connected.is_err());
    let mut heard = Vec::new();
    let (mut accepted, _) = accepted.unwrap();
    timeout(Duration::from_secs(2), accepted.read_to_end(&mut heard)).await.unwrap().ok();
    assert!(heard.starts_with(b"AMQP"), "{heard:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_cache_reads_and_writes_go_on_and_nothing_is_stale_afterwards() {
    let link = Link::to(&Options::default().redis_url).await;
    let site = Site::with(Options { redis_url: link.url.clone(), ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let seen = async || site.nobody().get("/guild/view/Night%20Watch").await.ok()["motd"].clone();
    for (round, fault) in [Link::cut as fn(&Link), Link::freeze].into_iter().enumerate() {
        seen().await;
        fault(&link);
        for change in 0..3 {
            let text = format!("{round} {change}");
            mira.post("/guild/change-motd", motd(guild_id, &text)).await.result();
            assert_eq!(seen().await, text);
        }
        link.mend();
        for _ in 0..100 {
            assert_eq!(seen().await, format!("{round} 2"));
        }
        let pending = async {
            while count(&site, "select count(*) from pending_invalidations").await > 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(Duration::from_secs(10), pending).await.unwrap();
        assert_eq!(seen().await, format!("{round} 2"));
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_stop_finish_what_they_have_and_others_take_over() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let second = site.more_workers();
    let stop_second = second.stop.clone();
    let second = tokio::spawn(second.work());
    let load = {
        let mira = mira.clone();
        tokio::spawn(async move {
            for number in 0..200 {
                change_motd(&mira, &motd(guild_id, &format!("motd {number}")), &[]).await.result();
            }
        })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    site.stop_workers().await;
    load.await.unwrap();
    assert_eq!(
        count(&site, "select count(*) from operations where command = 'guild.change_motd'").await,
        200
    );
    stop_second.cancel();
    second.await.unwrap();
    site.finish().await;
}
