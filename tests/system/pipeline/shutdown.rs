//! Workers that stop while commands arrive.

use crate::support::{
    motd::{CHANGE_MOTD, motd_body},
    site::Site,
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_stop_complete_their_commands_and_others_continue() {
    const CHANGES: i64 = 200;
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let second = site.another_app();
    let stop_second = second.stop.clone();
    let second = tokio::spawn(second.work());
    let load = tokio::spawn(async move {
        for number in 0..CHANGES {
            mira.post(CHANGE_MOTD, motd_body(guild_id, &format!("motd {number}"))).await.result();
        }
    });
    let applied = "select count(*) from operations where command = 'guild.change_motd'";
    wait_until("the load is running", async || site.count(applied).await >= 10).await;
    site.stop_workers().await;
    load.await.unwrap();
    assert_eq!(site.count(applied).await, CHANGES);
    stop_second.cancel();
    second.await.unwrap();
    site.finish().await;
}
