//! A game that follows the changes of the site, and the check that it knows all of them.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::ensure;
use guildhall_testkit::{
    game_replica::GameReplica,
    http::{items, text},
};

use super::site::ChaosSite;

/// What the game knows of the site.
#[derive(Default)]
pub(super) struct FollowedChanges {
    replica: GameReplica,
    /// The place after the last change that it has read. Empty: it has read nothing.
    last: String,
    read: HashSet<String>,
}

impl FollowedChanges {
    /// Reads a snapshot, and follows the changes until `stop` is set.
    ///
    /// # Errors
    /// When the site refuses a request, or sends a change twice.
    pub(super) async fn run(&mut self, site: &ChaosSite, stop: &AtomicBool) -> anyhow::Result<()> {
        text(&site.game.get("/game/changes").await?["last"])?.clone_into(&mut self.last);
        self.replica = snapshot(site).await?;
        while !stop.load(Ordering::Relaxed) {
            self.read_next(site, 1).await?;
        }
        Ok(())
    }

    /// Reads the next changes. False: there are none.
    async fn read_next(&mut self, site: &ChaosSite, wait: u8) -> anyhow::Result<bool> {
        let changes =
            site.game.get(&format!("/game/changes?after={}&limit=1000&wait={wait}", self.last)).await?;
        for change in items(&changes)? {
            let id = text(&change["change_id"])?;
            ensure!(self.read.insert(id.to_owned()), "duplicated: the change {change} was read before");
            self.replica.apply(&change["state"]);
        }
        text(&changes["last"])?.clone_into(&mut self.last);
        Ok(!items(&changes)?.is_empty())
    }

    /// Reads the rest of the changes, and compares what the game knows with the site.
    ///
    /// # Errors
    /// When the site does not respond.
    pub(super) async fn check(mut self, site: &ChaosSite) -> anyhow::Result<Vec<String>> {
        while self.read_next(site, 0).await? {}
        ensure!(!self.read.is_empty(), "wrong: the game has read no change");
        let differences = self.replica.differences(&snapshot(site).await?);
        Ok(differences.into_iter().map(|difference| format!("lost: change of a {difference}")).collect())
    }
}

async fn snapshot(site: &ChaosSite) -> anyhow::Result<GameReplica> {
    let (mut replica, mut path) = (GameReplica::default(), "/game/snapshot".to_owned());
    loop {
        let page = site.game.get(&path).await?;
        items(&page)?.iter().for_each(|state| replica.apply(state));
        let Some(next) = page["next"].as_str() else { return Ok(replica) };
        path = format!("/game/snapshot?after={next}");
    }
}
