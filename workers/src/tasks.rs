//! The tasks of a running worker: the consumers of commands, the relays, and the runner of jobs.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::sleep};

use crate::{
    all_jobs::all_jobs,
    app::App,
    engine::{
        dead_letter_queue,
        jobs::{Lane, runner},
        outbox::Outbox,
        partitions, relay,
    },
    game::ChangeNumbers,
};

/// How long a stopping worker may take to finish its current work.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

impl App {
    /// Works until the worker is stopped, and finishes the current work.
    pub async fn work(self) {
        let stop = self.stop.clone();
        // Other processes retry pending invalidations too, so stopping does not wait for this task.
        let invalidations =
            tokio::spawn(self.cache.clone().retry_pending_invalidations(self.database.clone()));
        let (mut tasks, kinds) = (JoinSet::new(), Arc::new(all_jobs()));
        tasks.spawn(partitions::run(self.clone()));
        tasks.spawn(dead_letter_queue::run(self.clone()));
        tasks.spawn(relay::run::<Outbox>(self.clone()));
        tasks.spawn(relay::run::<ChangeNumbers>(self.clone()));
        if self.services.mailer.is_some() {
            tasks.spawn(runner::run(self.clone(), kinds.clone(), Lane::Mail));
        }
        tasks.spawn(runner::run(self.clone(), kinds.clone(), Lane::Awaited));
        tasks.spawn(runner::run(self, kinds, Lane::Main));
        // If a frozen server holds up a message, the message returns to its queue when the connection is closed.
        let time_limit = async {
            stop.cancelled().await;
            sleep(STOP_TIMEOUT).await;
        };
        tokio::select! {
            _ = tasks.join_all() => {}
            () = time_limit => tracing::warn!("current work not finished in time"),
        }
        invalidations.abort();
    }
}
