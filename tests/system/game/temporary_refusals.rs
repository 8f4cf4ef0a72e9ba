//! Deliveries that a game server cannot make at the moment, for a reason that passes.

use serde_json::{Value, json};

use super::{
    deliveries::{LEASE, delivery_ids, end_leases, player_with_purchases},
    delivery_failures::LAST_REFUSAL,
};
use crate::support::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn temporary_refusals_do_not_park_a_delivery() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let line = async || player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    let refuse = async |reason: &str, temporary: bool| {
        end_leases(&site).await;
        let id = delivery_ids(&site.game_server().get(LEASE).await.ok()).remove(0);
        let refused = json!({ "delivery_id": id, "reason": reason, "temporary": temporary });
        let refused = json!({ "deliveries": [refused] });
        let outcome = site.game_server().post("/game/deliveries/nack", refused.clone()).await.result();
        (id, refused, outcome)
    };
    // Twice as many as park a delivery.
    for _ in 0..2 * LAST_REFUSAL {
        let (id, _, outcome) = refuse("The player is online.", true).await;
        assert_eq!(outcome, json!({ "again": [id], "parked": [], "unchanged": [] }));
        let delay = "select count(*) from deliveries where refusals = 0 and unanswered = 0
                     and due_at between now() + interval '10 seconds' and now() + interval '1 minute'";
        assert_eq!(site.count(delay).await, 1);
    }
    let shown = line().await;
    assert_eq!(
        (&shown["status"], &shown["last_error"]),
        (&json!("waiting"), &json!("The player is online."))
    );
    refuse("The server restarts.", true).await;
    // Those that count.
    for _ in 1..LAST_REFUSAL {
        refuse("The depot is full.", false).await;
    }
    refuse("The player is online.", true).await;
    let (id, refused, outcome) = refuse("The depot is full.", false).await;
    assert_eq!(outcome["parked"], json!([id]));
    let outcome = site.game_server().post("/game/deliveries/nack", refused).await.result();
    assert_eq!(outcome["unchanged"], json!([id]));
    let timeline = line().await["timeline"].clone();
    let events: Vec<String> = timeline
        .as_array()
        .unwrap()
        .iter()
        .map(|event| {
            let detail = event.get("detail").and_then(Value::as_str).unwrap_or_default();
            format!("{} {detail}", event["what"].as_str().unwrap()).trim().to_owned()
        })
        .collect();
    // Repeated ones with the same reason, and leases after them, are no events.
    let first = ["ordered", "leased", "refused The player is online.", "refused The server restarts."];
    let counted = ["refused The depot is full.", "leased"].repeat(LAST_REFUSAL - 1);
    let last = ["refused The player is online.", "parked The depot is full."];
    let expected = [&first, counted.as_slice(), &last].concat();
    assert_eq!(events, expected);
    site.finish().await;
}
