//! Deliveries that game servers refuse or never acknowledge.

use serde_json::{Value, json};

use super::deliveries::{LEASE, delivery_ids, end_leases, player_with_purchases};
use crate::support::{community::AssignableRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_delivery_is_offered_again_and_finally_parked() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let admin = site.player_with_role("boss2", AssignableRole::Admin).await;
    let line = async || player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    let mut id = String::new();
    for attempt in 1..=3 {
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
        let list = if attempt < 3 { "again" } else { "parked" };
        assert_eq!(response[list], json!([id]), "{response}");
    }
    assert_eq!(
        (&line().await["status"], &line().await["last_error"]),
        (&json!("parked"), &json!("The depot is full."))
    );
    end_leases(&site).await;
    assert!(delivery_ids(&site.game_server().get(LEASE).await.ok()).is_empty());

    let parked = admin.get("/admin/deliveries?state=parked").await.ok();
    assert_eq!(parked["items"][0]["delivery_id"], id.as_str());
    let resend = json!({ "delivery_id": id, "reason": "There is room again." });
    player.post("/admin/deliveries/resend", resend.clone()).await.problem(403, "role_missing");
    admin.post("/admin/deliveries/resend", resend).await.result();
    let unknown = json!({ "delivery_id": uuid::Uuid::nil(), "reason": "None." });
    admin.post("/admin/deliveries/resend", unknown).await.problem(404, "delivery_not_found");
    assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()), [id]);
    let timeline: Vec<Value> =
        line().await["timeline"].as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    assert_eq!(
        json!(timeline),
        json!(["ordered", "leased", "refused", "leased", "refused", "leased", "parked", "resent", "leased"])
    );
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_without_acknowledgement_is_finally_parked() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    for _ in 0..4 {
        end_leases(&site).await;
        site.game_server().get(LEASE).await.ok();
    }
    let history = player.get("/shop/purchases/1/10").await.ok();
    assert_eq!(history["items"][0]["lines"][0]["status"], "parked");
    site.finish().await;
}
