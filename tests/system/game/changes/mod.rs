//! The changes that games must know: their states, their order, and the places in them.

mod order;
mod places;
mod states;

use guildhall_testkit::game_replica::GameReplica;
use serde_json::{Value, json};

use crate::support::{
    client::Client,
    site::Site,
    wait::{wait_until, with_hang_limit},
};

/// A game that follows the changes.
struct Follower {
    game_server: Client,
    /// The place after the last change that it has read.
    last: String,
}

impl Follower {
    async fn start(site: &Site) -> Self {
        wait_until_numbered(site).await;
        let game_server = site.game_server().clone();
        let place = game_server.get("/game/changes").await.ok();
        assert_eq!(place["items"], json!([]));
        Self { game_server, last: text(&place["last"]) }
    }

    /// The next states.
    async fn next(&mut self, query: &str) -> Vec<Value> {
        let changes = self.game_server.get(&format!("/game/changes?after={}{query}", self.last)).await.ok();
        self.last = text(&changes["last"]);
        changes["items"].as_array().unwrap().iter().map(|change| change["state"].clone()).collect()
    }

    /// This number of states. It waits for them.
    async fn read(&mut self, count: usize) -> Vec<Value> {
        let read = async {
            let mut states = vec![];
            while states.len() < count {
                states.extend(self.next(&format!("&wait=20&limit={}", count - states.len())).await);
            }
            states
        };
        with_hang_limit("the changes arrive", read).await
    }

    /// Follows until all changes that are recorded now have arrived.
    async fn follow_all(&mut self, site: &Site, replica: &mut GameReplica) {
        wait_until_numbered(site).await;
        loop {
            let states = self.next("&limit=7").await;
            if states.is_empty() {
                return;
            }
            states.iter().for_each(|state| replica.apply(state));
        }
    }
}

async fn wait_until_numbered(site: &Site) {
    let waiting = "select count(*) from game_changes where number is null";
    wait_until("the changes are numbered", async || site.count(waiting).await == 0).await;
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn snapshot(site: &Site) -> GameReplica {
    let (mut replica, mut path) = (GameReplica::default(), "/game/snapshot?limit=3".to_owned());
    loop {
        let page = site.game_server().get(&path).await.ok();
        page["items"].as_array().unwrap().iter().for_each(|state| replica.apply(state));
        let Some(next) = page["next"].as_str() else { return replica };
        path = format!("/game/snapshot?limit=3&after={next}");
    }
}
