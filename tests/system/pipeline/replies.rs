//! Replies of the workers to the api.

use crate::support::{
    motd::{CHANGE_MOTD, motd_body},
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_outcome_of_a_lost_reply_is_read_from_postgres() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let request = {
        let mira = mira.clone();
        tokio::spawn(async move { mira.post(CHANGE_MOTD, motd_body(guild_id, "one")).await })
    };
    // Without the address for the reply, the workers cannot send it.
    site.publish_guild_command(site.take_guild_command().await).await;
    site.start_workers();
    assert_eq!(request.await.unwrap().result()["motd"], "one");
    site.finish().await;
}
