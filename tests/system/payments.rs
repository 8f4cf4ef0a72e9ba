//! Buying coins: from the QR code to the game.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    bank::Bank,
    support::{Caller, GivenRole, Site},
};

/// The payment, once it stands like this.
pub(crate) async fn stands(caller: &Caller, payment_id: &str, status: &str) -> Value {
    let mut last = Value::Null;
    for _ in 0..1200 {
        last = caller.get(&format!("/payments/{payment_id}")).await.ok();
        if last["status"] == status {
            return last;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the payment does not get {status}: {last}");
}

pub(crate) fn id(payment: &Value) -> &str {
    payment["payment_id"].as_str().unwrap()
}

pub(crate) async fn chest(player: &Caller) -> Value {
    player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await.result()
}

pub(crate) async fn coins(player: &Caller) -> i64 {
    player.get("/accounts/me").await.ok()["coins"].as_i64().unwrap()
}

/// What a reader makes of a picture.
fn read_qr(png: &[u8]) -> String {
    let image = image::load_from_memory(png).unwrap().to_luma8();
    let mut image = rqrr::PreparedImage::prepare(image);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1);
    grids[0].decode().unwrap().1
}

/// An offer on sale; answers its id.
pub(crate) async fn offer(site: &Site, fields: Value) -> i64 {
    let merchant =
        site.with_role(&format!("merchant{}", fields["name"].as_str().unwrap()), GivenRole::Merchant).await;
    let category = json!({ "name": fields["name"], "description": "", "position": 1, "hidden": false });
    let category = merchant.post("/shop/category/create", category).await.result();
    let mut offer = json!({
        "category_id": category["category_id"], "description": "", "price": 250, "position": 1, "hidden": false,
        "grants": [{ "kind": "mount", "id": "22", "count": 1 }]
    });
    offer.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    merchant.post("/shop/item/create", offer).await.result()["offer_id"].as_i64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_qr_code_into_the_game() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    site.character(&player, "Mira Stormborn").await;
    let horse = offer(&site, json!({ "name": "Horse" })).await;
    let packages = player.get("/payments/packages").await.ok();
    assert_eq!(packages["items"][0]["price"], json!({ "amount": "100.00", "currency": "BRL" }));

    let asked = chest(&player).await;
    let id = asked["payment_id"].as_str().unwrap();
    assert_eq!((&asked["status"], &asked["coins"]), (&json!("pending"), &json!(1100)));
    let png = player.request(Method::GET, &format!("/payments/{id}/qrcode.png")).send().await.unwrap();
    assert_eq!(png.headers()["content-type"], "image/png");
    let scanned = read_qr(&png.bytes().await.unwrap());
    assert_eq!(asked["payload"], scanned);
    let mut events = player.request(Method::GET, &format!("/payments/{id}/events")).send().await.unwrap();

    bank.pay(&scanned, "exact").await;
    let mut heard = String::new();
    while !heard.contains("event: paid") {
        heard.push_str(std::str::from_utf8(&events.chunk().await.unwrap().unwrap()).unwrap());
    }
    assert!(heard.starts_with("event: pending") || heard.contains("event: pending"), "{heard}");
    assert_eq!(coins(&player).await, 1100);

    let purchase =
        json!({ "character_name": "mira stormborn", "lines": [{ "offer_id": horse, "quantity": 2 }] });
    let bought = player.post("/shop/purchase", purchase).await.result();
    assert_eq!((&bought["coins"], &bought["balance"]), (&json!(500), &json!(600)));

    let leased = site.game().get("/game/deliveries?wait=5").await.ok();
    let delivery = &leased["items"][0];
    assert_eq!((&delivery["character_name"], &delivery["quantity"]), (&json!("Mira Stormborn"), &json!(2)));
    assert_eq!(site.game().get("/game/deliveries").await.ok()["items"], json!([]));
    let given = json!({ "delivery_ids": [delivery["delivery_id"]] });
    let acknowledged = site.game().post("/game/deliveries/ack", given.clone()).await.result();
    assert_eq!(acknowledged["delivered"], given["delivery_ids"]);
    assert_eq!(
        site.game().post("/game/deliveries/ack", given.clone()).await.result()["repeated"],
        given["delivery_ids"]
    );

    let history = player.get("/shop/purchases/1/10").await.ok();
    let line = &history["items"][0]["lines"][0];
    assert_eq!(line["status"], "delivered");
    let timeline: Vec<&str> =
        line["timeline"].as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap()).collect();
    assert_eq!(timeline, ["ordered", "leased", "delivered"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_its_owners_alone() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, other) = (site.player("mira").await, site.player("tom").await);
    let asked = chest(&player).await;
    for rest in ["", "/qrcode.png", "/qrcode.svg", "/events"] {
        let path = format!("/payments/{}{rest}", id(&asked));
        other.get(&path).await.problem(404, "payment_not_found");
        site.nobody().get(&path).await.problem(401, "unauthorized");
    }
    let svg =
        player.request(Method::GET, &format!("/payments/{}/qrcode.svg", id(&asked))).send().await.unwrap();
    assert_eq!(svg.headers()["content-type"], "image/svg+xml");
    // Ten streams are enough for anybody, and one that is closed makes room.
    let follow = || player.request(Method::GET, &format!("/payments/{}/events", id(&asked))).send();
    let mut streams = vec![];
    for _ in 0..10 {
        streams.push(follow().await.unwrap());
    }
    assert_eq!(follow().await.unwrap().status(), 429);
    streams.clear();
    // Nobody is missed before something cannot be sent to them.
    for _ in 0..150 {
        if follow().await.unwrap().status() == 200 {
            return site.finish().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("closed streams keep their places");
}
