//! Publishing of commands to queues that reject them.

use futures_util::{StreamExt, stream};
use guildhall_common::contract::{command::Domain, guild::GuildCommand, shop::ShopCommand};
use http::Method;
use serde_json::json;

use crate::support::{
    client::send,
    community::StaffRole,
    motd::{CHANGE_MOTD, motd_body},
    site::Site,
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn only_commands_that_the_broker_rejects_get_503() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    site.stop_workers().await;
    site.replace_by_full_queue(&site.workers.topology.partition(ShopCommand::NAME, 0)).await;

    let responses = stream::iter(0..400).map(|number| {
        let (mira, merchant) = (mira.clone(), merchant.clone());
        async move {
            let rejected = number % 3 == 0;
            let request = if rejected {
                let body = json!({ "name": format!("C {number}"), "description": "", "position": 1, "hidden": false });
                merchant.request(Method::POST, "/shop/category/create").json(&body)
            } else {
                let body = motd_body(guild_id, &format!("motd {number}"));
                mira.request(Method::POST, CHANGE_MOTD).json(&body)
            };
            (rejected, send(request.header("Prefer", "respond-async")).await)
        }
    });
    let responses: Vec<_> = responses.buffer_unordered(64).collect().await;
    for (rejected, response) in responses {
        if rejected {
            assert!(!response.header("retry-after").is_empty());
            response.problem(503, "queue_unavailable");
        } else {
            assert_eq!(response.status, 202, "{response:?}");
        }
    }
    let accepted = (0..400).filter(|number| number % 3 != 0).count();
    let messages = site.waiting_messages::<GuildCommand>().await;
    assert!(messages < accepted as u32, "{accepted} commands are {messages} messages");
    site.workers = site.another_app();
    site.start_workers();
    let applied = "select count(*) from operations where command = 'guild.change_motd'";
    wait_until("every accepted command is applied", async || site.count(applied).await >= accepted as i64)
        .await;
    assert_eq!(site.count("select count(*) from operations where command = 'shop.create_category'").await, 0);
    site.finish().await;
}
