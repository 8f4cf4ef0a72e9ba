//! A read after a response never returns older data.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use futures_util::future::join_all;

use crate::support::{
    client::Client,
    motd::{CHANGE_MOTD, motd_body},
    site::Site,
};

/// The number of the last change that got a response, the number of reads, and whether the test is over.
#[derive(Default)]
struct Progress {
    confirmed: AtomicU64,
    reads: AtomicU64,
    is_over: AtomicBool,
}

/// Reads until the test is over, so that cache fills race with invalidations.
async fn read_repeatedly(reader: Client, progress: Arc<Progress>) {
    while !progress.is_over.load(Ordering::SeqCst) {
        let confirmed = progress.confirmed.load(Ordering::SeqCst);
        let view = reader.get("/guild/view/Night%20Watch").await.ok();
        let shown: u64 = view["motd"].as_str().unwrap().parse().unwrap();
        assert!(shown >= confirmed, "a read returned {shown} after the response to {confirmed}");
        progress.reads.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_read_returns_a_write_that_got_its_response() {
    const ROUNDS: u64 = 1000;
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let progress = Arc::<Progress>::default();
    mira.post(CHANGE_MOTD, motd_body(guild_id, "0")).await.result();
    let readers: Vec<_> =
        (0..4).map(|_| tokio::spawn(read_repeatedly(site.visitor(), progress.clone()))).collect();
    let mut round = 0;
    // There are more reads than writes, however the machine schedules them.
    while round < ROUNDS || progress.reads.load(Ordering::SeqCst) <= round {
        round += 1;
        mira.post(CHANGE_MOTD, motd_body(guild_id, &round.to_string())).await.result();
        progress.confirmed.store(round, Ordering::SeqCst);
        let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
        assert_eq!(view["motd"], round.to_string());
        assert!(readers.iter().all(|reader| !reader.is_finished()), "a reader failed");
        assert!(round < 100 * ROUNDS, "only {:?} reads", progress.reads);
    }
    progress.is_over.store(true, Ordering::SeqCst);
    join_all(readers).await.into_iter().for_each(Result::unwrap);
    site.finish().await;
}
