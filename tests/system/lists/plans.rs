//! A page of a list costs the same, however large its tables are.

use chrono::Utc;
use serde_json::json;

use super::{
    catalogue::{ListRequest, Senders, lists},
    large_tables, query_plans,
};
use crate::support::{
    client::Client,
    community::StaffRole,
    options::{Options, no_payments},
    site::Site,
};

const LIMIT: i64 = 20;

/// A list with more items has no total.
const LARGEST_TOTAL: i64 = 10_000;

/// The maximum number of rows for a page: with the row that shows the next page, and the rows of other tables for each row.
const ROWS_OF_PAGE: u64 = 20 * (LIMIT as u64 + 1);

/// The maximum number of rows for a total, with the tables that its condition reads.
const ROWS_OF_COUNT: u64 = 10_001 + ROWS_OF_PAGE;

#[tokio::test(flavor = "multi_thread")]
async fn each_list_reads_a_bounded_number_of_rows() {
    let mut site = Site::start().await;
    let staff = site.player_with_role("staff", StaffRole::Admin).await;
    site.set_role("staff", StaffRole::Editor, true).await;
    site.set_role("staff", StaffRole::Merchant, true).await;
    let player = site.player("player").await;
    assert_eq!((staff.account_id, player.account_id), (1, 2));
    site.execute(&large_tables::statements()).await;
    query_plans::report_plans(&site).await;
    let visitor = site.start_another_api(&Options::default()).await;
    let with_token = |client: &Client| visitor.with_token(client.token()).with_account(client.account_id);
    let game_server = with_token(site.game_server());
    let senders = Senders { player: with_token(&player), staff: with_token(&staff), visitor, game_server };
    let mut problems = Vec::new();
    for list in lists(large_tables::GUILD_OF_STAFF) {
        let first = list.page(1, LIMIT, None);
        let next = problems_of(&list, &senders, &first, &mut problems).await;
        let Some(next) = next else {
            problems.push(format!("{first} has only one page: the test must insert more rows"));
            continue;
        };
        problems_of(&list, &senders, &list.page(1, LIMIT, Some(&next)), &mut problems).await;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    resending_reads_only_what_it_resends(&mut site, &senders.staff).await;
    leasing_reads_only_what_it_leases(&site, &senders.game_server).await;
    site.assert_ledger_is_consistent().await;
    site.stop().await;
}

/// The connections of new workers report their plans.
async fn resending_reads_only_what_it_resends(site: &mut Site, admin: &Client) {
    site.stop_workers().await;
    site.use_payments(no_payments());
    site.start_workers();
    for (filter, resent) in [(json!({ "offer_id": 20_001 }), 1), (json!({ "character_name": "N daaac" }), 50)]
    {
        query_plans::forget();
        let mut body = json!({
            "status": "delivered", "since": "2020-01-01T00:00:00Z", "until": Utc::now().to_rfc3339(), "reason": "A test."
        });
        body.as_object_mut().unwrap().extend(filter.as_object().unwrap().clone());
        assert_eq!(admin.post("/admin/deliveries/resend-many", body).await.result()["resent"], resent);
        let plan = query_plans::of_query("for update of deliveries for key share").await;
        assert!(plan.rows_read() <= ROWS_OF_PAGE, "{filter}: {} rows: {}", plan.rows_read(), plan.query);
    }
}

/// 10,000 deliveries are due. The workers and the api of the game server report their plans.
async fn leasing_reads_only_what_it_leases(site: &Site, game_server: &Client) {
    site.execute(
        "update deliveries set delivered_at = null, due_at = now() - interval '1 second' * purchase_id where purchase_id > 20000;
         analyze deliveries",
    )
    .await;
    for filter in ["", "&world=Nova"] {
        query_plans::forget();
        let leased =
            game_server.get(&format!("/game/deliveries?lease=3600&limit={LIMIT}{filter}")).await.ok();
        assert_eq!(leased["items"].as_array().unwrap().len(), LIMIT as usize);
        for text in ["where exists (select from service_tokens", "(world is null or world = $3)"] {
            let plan = query_plans::of_query(text).await;
            assert!(plan.rows_read() <= ROWS_OF_PAGE, "{filter}: {} rows: {}", plan.rows_read(), plan.query);
        }
    }
}

/// Adds a total that is too large, and the queries that read too many rows. Returns the cursor of the next page.
async fn problems_of(
    list: &ListRequest,
    senders: &Senders,
    path: &str,
    problems: &mut Vec<String>,
) -> Option<String> {
    query_plans::forget();
    let page = list.send(senders, path).await.ok();
    if page["total"].as_i64().is_some_and(|total| total > LARGEST_TOTAL) {
        problems.push(format!("{path} has the total {}", page["total"]));
    }
    for plan in query_plans::of_page(!path.contains("after=")).await {
        let (rows, limit) = (plan.rows_read(), if plan.is_count() { ROWS_OF_COUNT } else { ROWS_OF_PAGE });
        if rows > limit {
            problems
                .push(format!("{path} reads {rows} rows, and at most {limit} are allowed: {}", plan.query));
        }
    }
    page["next"].as_str().map(ToOwned::to_owned)
}
