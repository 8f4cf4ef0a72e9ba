//! Requests and messages that arrive more than once.

use futures_util::future::join_all;
use guildhall_common::contract::message;
use http::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    client::{Client, send},
    community::{PASSWORD, character_in_guild},
    motd::{CHANGE_MOTD, motd_body},
    operation::wait_until_completed,
    options::{Options, promptpay_payments},
    site::Site,
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_gets_the_same_response_and_has_one_effect() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira").await;
    let create = async |client: &Client, name: &str, key: &str| {
        let guild = json!({ "name": name, "character_name": "Mira" });
        client.post_with_key("/guild/create-guild", &guild, key).await
    };
    let responses = join_all((0..20).map(|_| create(&mira, "Night Watch", "once"))).await;
    for response in &responses {
        assert_eq!(response.clone().result(), responses[0].clone().result());
        assert_eq!(response.body["operation_id"], responses[0].body["operation_id"]);
        let operation = format!("/operations/{}", response.body["operation_id"].as_str().unwrap());
        assert_eq!(mira.get(&operation).await.ok()["result"], response.body["result"]);
    }
    assert_eq!(create(&mira, "Night Watch", "once").await.result(), responses[0].clone().result());
    assert_eq!(site.count("select count(*) from guilds").await, 1);
    assert_eq!(
        site.count("select count(*) from operations where repeats is null and command = 'guild.create'")
            .await,
        1
    );

    create(&mira, "Day Watch", "once").await.problem(422, "idempotency_key_reused");
    let refused = create(&mira, "Day Watch", "twice").await.problem(409, "already_in_guild");
    let again = create(&mira, "Day Watch", "twice").await.problem(409, "already_in_guild");
    assert_eq!(refused["operation_id"], again["operation_id"]);
    // The same key of another account is another key.
    create(&site.player("tom").await, "Day Watch", "once").await.problem(403, "not_your_character");
    create(&mira, "Day Watch", "").await.invalid("Idempotency-Key");
    let unreadable = mira.request(Method::POST, "/guild/leave").header("Idempotency-Key", &b"\xd7\xf8"[..]);
    send(unreadable.json(&json!({ "guild_id": 1, "character_name": "Mira" })))
        .await
        .invalid("Idempotency-Key");
    create(&mira, "Day Watch", &"k".repeat(256)).await.invalid("Idempotency-Key");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_delivered_several_times_is_applied_once() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    site.stop_workers().await;
    let invite = character_in_guild(guild_id, "Tom");
    let accepted = mira.post_with_preference("/guild/invite", &invite, "respond-async").await;
    let message = site.take_guild_command().await;
    for _ in 0..3 {
        site.publish_guild_command(message.clone()).await;
    }
    site.start_workers();
    assert_eq!(wait_until_completed(&mira, &accepted.body["operation_id"]).await["status"], "applied");
    // Further deliveries arrive after the operation is completed, in one message.
    site.publish_guild_command(message::join(&vec![message; 200])).await;
    mira.post(CHANGE_MOTD, motd_body(guild_id, "after")).await.result();
    assert_eq!(site.count("select count(*) from operations where command = 'guild.invite'").await, 1);
    assert_eq!(site.count("select count(*) from guild_invites").await, 1);
    site.finish().await;
}

/// Postgres keeps a plan that was made while there were few operations.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_reads_only_its_own_operation() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let change = async |text: &str| {
        mira.post_with_key(CHANGE_MOTD, &motd_body(guild_id, text), text).await.result();
    };
    site.execute("analyze operations").await;
    change("planned").await;
    site.execute(
        "insert into operations (operation_id, command, fingerprint, outcome, stale_keys, accepted_at)
         select gen_random_uuid(), 'guild.change_motd', '', '{}', '{}', now() from generate_series(1, 5000)",
    )
    .await;
    change("after the insertion").await;
    site.stop_workers().await;
    // A process of Postgres reports its statistics at the latest when it ends.
    site.end_connections_of_workers().await;
    let read = "select idx_tup_read from pg_stat_user_indexes where indexrelname = 'operations_pkey'";
    assert!(site.count(read).await < 5000);
    site.finish().await;
}

/// Requests with one key that are accepted one after the other, before any of them has an outcome.
#[tokio::test(flavor = "multi_thread")]
async fn each_accepted_request_with_one_key_has_an_outcome_of_its_own() {
    let bank = Bank::start().await;
    let mut site = bank.site().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira").await;
    let offer = site.offer(json!({ "name": "Horse", "price": 10 })).await;
    site.give_coins(&mira, 100).await;
    site.stop_workers().await;
    let send_async = async |path: &str, body: &Value| {
        let request = mira.request(Method::POST, path).header("Idempotency-Key", "once");
        let response = send(request.header("Prefer", "respond-async").json(body)).await;
        assert_eq!(response.status, 202);
        response.body["operation_id"].clone()
    };
    let purchase = json!({ "character_name": "Mira", "lines": [{ "offer_id": offer, "quantity": 1 }] });
    let payment = json!({ "package_id": 1 });
    let sent = [
        send_async("/payments/instant/qrcode", &payment).await,
        send_async("/shop/purchase", &purchase).await,
        send_async("/payments/instant/qrcode", &payment).await,
    ];
    site.start_workers();
    let mut outcomes = vec![];
    for operation_id in &sent {
        outcomes.push(wait_until_completed(&mira, operation_id).await);
    }
    // Two domains compete for the key, so either command can be the first one.
    let [payment, purchase, payment_again] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert_eq!(
        (&payment["status"], &payment["result"]),
        (&payment_again["status"], &payment_again["result"])
    );
    let is_bought = purchase["status"] == "applied";
    let (applied, refused) = if is_bought { (purchase, payment) } else { (payment, purchase) };
    assert_eq!((&applied["status"], &refused["status"]), (&json!("applied"), &json!("refused")));
    assert_eq!(refused["problem"]["code"], "idempotency_key_reused");
    assert_eq!(refused["problem"]["status"], 422);
    assert_eq!(site.count("select count(*) from purchases").await, i64::from(is_bought));
    assert_eq!(site.count("select count(*) from payments").await, i64::from(!is_bought));
    site.finish().await;
}

/// A payment is deferred until the bank responds. Requests that repeat it wait together with it.
#[tokio::test(flavor = "multi_thread")]
async fn requests_that_repeat_a_deferred_one_are_completed_with_it() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let mira = site.player("mira").await;
    let pay =
        async || mira.post_with_key("/payments/instant/qrcode", &json!({ "package_id": 1 }), "once").await;
    let responses = join_all((0..10).map(|_| pay())).await;
    for response in &responses {
        assert_eq!(response.clone().result(), responses[0].clone().result());
    }
    assert_eq!(site.count("select count(*) from payments").await, 1);
    assert_eq!(site.count("select count(*) from begun_operations").await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_free_again_when_its_operation_is_purged() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let create = async |name: &str| {
        let character = json!({ "name": name, "vocation": "Knight" });
        mira.post_with_key("/accounts/create-character", &character, "once").await
    };
    create("Mira").await.result();
    create("Tom").await.problem(422, "idempotency_key_reused");
    site.execute("update operations set applied_at = applied_at - interval '31 days'").await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'purge_operations'").await;
    wait_until("the key is purged", async || site.count("select count(*) from idempotency_keys").await == 0)
        .await;
    create("Tom").await.result();
    site.finish().await;
}

/// The client must not pay an old payment in place of the one that it asks for.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_whose_operation_is_purged_creates_another_payment() {
    let site = Site::start_with(Options { payments: promptpay_payments(), ..Options::default() }).await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    let mira = site.player("mira").await;
    let request =
        async || mira.post_with_key("/payments/instant/qrcode", &json!({ "coins": 10 }), "once").await;
    let first = request().await.result();
    assert_eq!(request().await.result()["payment_id"], first["payment_id"]);
    site.execute("update operations set applied_at = applied_at - interval '31 days'").await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'purge_operations'").await;
    wait_until("the key is purged", async || site.count("select count(*) from idempotency_keys").await == 0)
        .await;
    let second = request().await.result();
    assert_ne!(second["payment_id"], first["payment_id"]);
    assert_eq!(site.count("select count(*) from payments").await, 2);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_do_not_share_keys() {
    let site = Site::start().await;
    let register = async |name: &str| {
        let account = json!({ "name": name, "email": format!("{name}@example.org"), "password": PASSWORD });
        site.visitor().post_with_key("/accounts/register", &account, "once").await
    };
    let mira = register("mira").await.result();
    register("tom").await.result();
    assert_eq!(register("mira").await.result(), mira);
    site.finish().await;
}
