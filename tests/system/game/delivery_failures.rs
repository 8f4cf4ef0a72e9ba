//! Deliveries that game servers refuse or never acknowledge.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use super::deliveries::{LEASE, delivery_ids, end_leases, player_with_purchases};
use crate::support::{community::StaffRole, service::audit_texts, site::Site};

/// The refusal that parks a delivery.
pub(super) const LAST_REFUSAL: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_delivery_is_offered_again_and_finally_parked() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let line = async || player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    let mut id = String::new();
    for attempt in 1..=LAST_REFUSAL {
        end_leases(&site).await;
        id = delivery_ids(&site.game_server().get(LEASE).await.ok()).remove(0);
        assert_eq!(line().await["status"], "leased");
        let late =
            json!({ "deliveries": [{ "delivery_id": id, "attempt": attempt + 1, "reason": "Too late." }] });
        assert_eq!(
            site.game_server().post("/game/deliveries/nack", late).await.result()["unchanged"],
            json!([id])
        );
        let refused = json!({ "deliveries": [{ "delivery_id": id, "reason": "The depot is full." }] });
        let response = site.game_server().post("/game/deliveries/nack", refused.clone()).await.result();
        let list = if attempt < LAST_REFUSAL { "again" } else { "parked" };
        assert_eq!(response[list], json!([id]), "{response}");
    }
    assert_eq!(
        (&line().await["status"], &line().await["last_error"]),
        (&json!("parked"), &json!("The depot is full."))
    );
    end_leases(&site).await;
    assert!(delivery_ids(&site.game_server().get(LEASE).await.ok()).is_empty());

    let parked = admin.get("/admin/deliveries?status=parked").await.ok();
    assert_eq!(parked["items"][0]["delivery_id"], id.as_str());
    let resend = json!({ "delivery_id": id, "reason": "There is room again." });
    player.post("/admin/deliveries/resend", resend.clone()).await.problem(403, "role_missing");
    admin.post("/admin/deliveries/resend", resend).await.result();
    let unknown = json!({ "delivery_id": uuid::Uuid::nil(), "reason": "None." });
    admin.post("/admin/deliveries/resend", unknown).await.problem(404, "delivery_not_found");
    assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()), [id]);
    let timeline: Vec<Value> =
        line().await["timeline"].as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    let refused = ["leased", "refused"].repeat(LAST_REFUSAL - 1);
    let expected = [vec!["ordered"], refused, vec!["leased", "parked", "resent", "leased"]].concat();
    assert_eq!(json!(timeline), json!(expected));

    let details = "select count(*) from delivery_events where detail is not null";
    assert_eq!(site.count(details).await, 11);
    let entry = "select audit_id from audit_log where action = 'delivery.resend'";
    audit_texts::erase_entries(&site.workers, &[site.count(entry).await]).await.unwrap();
    assert_eq!(site.count(details).await, 10);
    audit_texts::erase_account(&site.workers, &"mira".parse().unwrap()).await.unwrap();
    assert_eq!(site.count(details).await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_without_an_answer_delay_a_delivery_and_do_not_park_it() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let game_server = async || admin.get("/admin/game-servers").await.ok()["items"][0].clone();
    let mut id = vec![];
    for _ in 0..20 {
        assert_eq!(game_server().await["answers_none"], false);
        end_leases(&site).await;
        id = delivery_ids(&site.game_server().get("/game/deliveries?lease=5").await.ok());
    }
    let line = async || player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    let leased = line().await;
    assert_eq!(leased["status"], "leased");
    let events: Vec<_> =
        leased["timeline"].as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    assert_eq!(json!(events), json!(["ordered", "leased"]), "only the first of them is an event");
    let delay = "select due_at > now() + interval '5 minutes' from deliveries";
    assert!(sqlx::query_scalar::<_, bool>(delay).fetch_one(&site.database).await.unwrap());
    let shown = game_server().await;
    assert_eq!((&shown["answers_none"], &shown["unanswered_leases"]), (&json!(true), &json!(20)));

    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": id })).await.result();
    assert_eq!(game_server().await["answers_none"], false);

    site.execute(
        "insert into delivery_events (delivery_id, what, detail, happened_at)
         select delivery_id, 'refused', number, now() from deliveries, generate_series(1, 150) as number",
    )
    .await;
    let timeline = line().await["timeline"].as_array().unwrap().clone();
    assert_eq!(
        (timeline.len(), &timeline[0]["detail"], &timeline[99]["detail"]),
        (100, &json!("51"), &json!("150"))
    );
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_resends_many_deliveries() {
    let site = Site::start().await;
    player_with_purchases(&site, 4).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let ids = delivery_ids(&site.game_server().get(LEASE).await.ok());
    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": ids[..1] })).await.result();
    site.execute("update deliveries set parked_at = now() where delivered_at is null").await;
    let resend = async |filter: Value| {
        let mut body = json!({
            "status": "parked", "since": "2020-01-01T00:00:00Z", "until": Utc::now().to_rfc3339(), "reason": "The world is back."
        });
        body.as_object_mut().unwrap().extend(filter.as_object().unwrap().clone());
        admin.post("/admin/deliveries/resend-many", body).await
    };
    assert_eq!(resend(json!({ "offer_id": 999 })).await.result(), json!({ "resent": 0, "more": false }));
    resend(json!({ "character_name": "Nobody" })).await.problem(404, "character_not_found");
    // The period would never end: it would include the deliveries of game servers that receive the resent ones.
    resend(json!({ "until": (Utc::now() + TimeDelta::hours(1)).to_rfc3339() }))
        .await
        .problem(409, "period_in_the_future");
    assert_eq!(resend(json!({ "until": "2020-01-02T00:00:00Z" })).await.result()["resent"], 0);
    let other_offer = json!({ "character_name": "Mira Stormborn", "offer_id": 999 });
    assert_eq!(resend(other_offer).await.result()["resent"], 0);
    assert_eq!(resend(json!({ "character_name": "Mira Stormborn" })).await.result()["resent"], 3);
    assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()).len(), 3);
    for filter in [json!({ "status": "delivered", "offer_id": 1 }), json!({ "status": "delivered" })] {
        assert_eq!(resend(filter).await.result()["resent"], 1);
        assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()), ids[..1]);
        site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": ids[..1] })).await.result();
    }
    let details = "select count(*) from delivery_events where detail is not null";
    assert_eq!(site.count(details).await, 5);
    let entry = "select audit_id from audit_log where action = 'delivery.resend_many' and details @> '{\"resent\": 3}'";
    audit_texts::erase_entries(&site.workers, &[site.count(entry).await]).await.unwrap();
    assert_eq!(site.count(details).await, 2);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_server_can_lease_deliveries_of_online_characters_only() {
    let site = Site::start().await;
    player_with_purchases(&site, 3).await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom Ashwood").await;
    site.give_coins(&tom, 100).await;
    let offline = json!({ "character_name": "Tom Ashwood", "lines": [{ "offer_id": 1, "quantity": 1 }] });
    tom.post("/shop/purchase", offline).await.result();
    let lease = format!("{LEASE}&online=true&limit=2");
    assert!(delivery_ids(&site.game_server().get(&lease).await.ok()).is_empty());
    site.report_presence("Mira Stormborn", 20, true).await;
    assert_eq!(delivery_ids(&site.game_server().get(&lease).await.ok()).len(), 2);
    assert_eq!(delivery_ids(&site.game_server().get(&lease).await.ok()).len(), 1);
    assert!(delivery_ids(&site.game_server().get(&lease).await.ok()).is_empty());
    end_leases(&site).await;
    site.execute("update game_servers set presence_until = now()").await;
    // A poll renews the lease of its game server. The characters are online again until the job has ended their presence.
    site.execute("update characters set online = false, online_by = null").await;
    assert!(delivery_ids(&site.game_server().get(&lease).await.ok()).is_empty());
    assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()).len(), 4);
    site.finish().await;
}
