//! The limits of the payments of an account, and payments that a site does not sell.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    options::{Options, promptpay_payments},
    payment::coin_balance,
    site::Site,
};

const CREATE_PAYMENT: &str = "/payments/instant/qrcode";

/// A site that receives money by PromptPay, and has no prices.
async fn start() -> Site {
    Site::start_with(Options { payments: promptpay_payments(), ..Options::default() }).await
}

/// Creates payments at the same time.
async fn create_payments(player: &Client, number: usize) -> Vec<Response> {
    let payments = (0..number).map(|_| player.post(CREATE_PAYMENT, json!({ "coins": 10 })));
    join_all(payments).await
}

/// Asserts that this many were created, and that the others were refused with this code.
fn assert_created(responses: Vec<Response>, expected: usize, code: &str) {
    let (created, refused): (Vec<_>, Vec<_>) = responses.into_iter().partition(Response::is_success);
    assert_eq!(created.len(), expected);
    for response in refused {
        response.problem(409, code);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_at_most_twenty_open_payments_and_creates_sixty_in_an_hour() {
    let site = start().await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    let (player, other) = (site.player("mira").await, site.player("tom").await);
    for _ in 0..3 {
        assert_created(create_payments(&player, 23).await, 20, "too_many_open_payments");
        site.execute("update payments set cancelled_at = now()").await;
    }
    assert_created(create_payments(&player, 2).await, 0, "too_many_payments");
    // The limits are those of one account.
    assert_created(create_payments(&other, 1).await, 1, "");
    site.execute("update payments set created_at = created_at - interval '1 hour'").await;
    assert_created(create_payments(&player, 1).await, 1, "");
    assert_eq!(site.count("select count(*) from payments").await, 62);
    assert_eq!(coin_balance(&player).await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_without_a_price_or_a_scheme_are_refused() {
    let site = start().await;
    let player = site.player("mira").await;
    let refused = async |body: Value, code: &str| {
        player.post(CREATE_PAYMENT, body).await.problem(409, code);
    };
    refused(json!({ "coins": 10 }), "coins_not_sold").await;
    refused(json!({ "coins": 10, "scheme": "pix" }), "scheme_unavailable").await;
    site.execute(
        "insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10), ('THB', 100, 10);
         insert into coin_packages (name, currency, amount, coins, position)
             values ('Chest', 'BRL', 10000, 1100, 1), ('Mint', 'THB', 1000000000000, 1, 2)",
    )
    .await;
    refused(json!({ "package_id": 1 }), "scheme_unavailable").await;
    refused(json!({ "package_id": 1, "scheme": "promptpay" }), "currency_mismatch").await;
    refused(json!({ "package_id": 2 }), "amount_too_large").await;
    assert_eq!(site.count("select count(*) from payments").await, 0);
    site.finish().await;
}
