//! A payment that goes well, and the access to it.

use http::Method;
use serde_json::json;

use crate::support::{
    bank::Bank,
    client::Client,
    payment::{coin_balance, create_payment, payment_id},
    site::Site,
    wait::wait_until,
};

/// The text of a QR code in a PNG image.
fn read_qr(png: &[u8]) -> String {
    let image = image::load_from_memory(png).unwrap().to_luma8();
    let mut image = rqrr::PreparedImage::prepare(image);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1);
    grids[0].decode().unwrap().1
}

/// Delivers the purchase as a game server does, and checks the timeline that the player sees.
async fn deliver(site: &Site, player: &Client) {
    let leased = site.game_server().get("/game/deliveries?wait=5&lease=3600").await.ok();
    let delivery = &leased["items"][0];
    assert_eq!((&delivery["character_name"], &delivery["quantity"]), (&json!("Mira Stormborn"), &json!(2)));
    assert_eq!(site.game_server().get("/game/deliveries").await.ok()["items"], json!([]));
    let acknowledgement = json!({ "delivery_ids": [delivery["delivery_id"]] });
    let acknowledged =
        site.game_server().post("/game/deliveries/ack", acknowledgement.clone()).await.result();
    assert_eq!(acknowledged["delivered"], acknowledgement["delivery_ids"]);
    assert_eq!(
        site.game_server().post("/game/deliveries/ack", acknowledgement.clone()).await.result()["repeated"],
        acknowledgement["delivery_ids"]
    );

    let history = player.get("/shop/purchases/1/10").await.ok();
    let line = &history["items"][0]["lines"][0];
    assert_eq!(line["status"], "delivered");
    let timeline: Vec<&str> =
        line["timeline"].as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap()).collect();
    assert_eq!(timeline, ["ordered", "leased", "delivered"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_qr_code_buys_an_offer_that_the_game_delivers() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    site.character(&player, "Mira Stormborn").await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let packages = player.get("/payments/packages").await.ok();
    assert_eq!(packages["items"][0]["price"], json!({ "amount": "100.00", "currency": "BRL" }));

    let payment = create_payment(&player).await;
    let id = payment["payment_id"].as_str().unwrap();
    assert_eq!((&payment["status"], &payment["coins"]), (&json!("pending"), &json!(1100)));
    let png = player.request(Method::GET, &format!("/payments/{id}/qrcode.png")).send().await.unwrap();
    assert_eq!(png.headers["content-type"], "image/png");
    let scanned = read_qr(&png.body);
    assert_eq!(payment["payload"], scanned);
    let mut events = player.request(Method::GET, &format!("/payments/{id}/events")).open().await.unwrap();

    bank.pay(&scanned, "exact").await;
    let received = events.read_until("event: paid").await.unwrap();
    assert!(received.contains("event: pending"), "{received}");
    assert_eq!(coin_balance(&player).await, 1100);

    let purchase =
        json!({ "character_name": "mira stormborn", "lines": [{ "offer_id": horse, "quantity": 2 }] });
    let bought = player.post("/shop/purchase", purchase).await.result();
    assert_eq!((&bought["coins"], &bought["balance"]), (&json!(500), &json!(600)));

    deliver(&site, &player).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_sees_a_payment_and_follows_a_limited_number() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, other) = (site.player("mira").await, site.player("tom").await);
    let payment = create_payment(&player).await;
    for rest in ["", "/qrcode.png", "/qrcode.svg", "/events"] {
        let path = format!("/payments/{}{rest}", payment_id(&payment));
        other.get(&path).await.problem(404, "payment_not_found");
        site.visitor().get(&path).await.problem(401, "unauthorized");
        player.get(&format!("/payments/x{rest}")).await.invalid("id");
    }
    let svg = player
        .request(Method::GET, &format!("/payments/{}/qrcode.svg", payment_id(&payment)))
        .send()
        .await
        .unwrap();
    assert_eq!(svg.headers["content-type"], "image/svg+xml");
    // An account has at most ten streams; a closed one frees its slot.
    let follow = async || {
        player.request(Method::GET, &format!("/payments/{}/events", payment_id(&payment))).open().await
    };
    let mut streams = vec![];
    for _ in 0..10 {
        streams.push(follow().await.unwrap());
    }
    assert_eq!(follow().await.unwrap().status, 429);
    streams.clear();
    // The api notices a closed stream when it sends the next event.
    let is_admitted = async || follow().await.unwrap().status == 200;
    wait_until("a closed stream frees its slot", is_admitted).await;
    site.finish().await;
}

/// A player waits for the registration of a charge.
#[tokio::test(flavor = "multi_thread")]
async fn a_charge_is_registered_before_thousands_of_older_jobs() {
    let bank = Bank::start().await;
    let mut site = bank.site().await;
    let player = site.player("mira").await;
    site.stop_workers().await;
    site.execute(
        "insert into jobs (job, due_at)
         select jsonb_build_object('name', 'delete_character', 'character_id', 1000000 + number), now() - interval '1 hour'
         from generate_series(1, 20000) number",
    )
    .await;
    site.start_workers();
    create_payment(&player).await;
    assert_ne!(site.count("select count(*) from jobs where job->>'name' = 'delete_character'").await, 0);
    site.execute("delete from jobs where job->>'name' = 'delete_character'").await;
    site.finish().await;
}
