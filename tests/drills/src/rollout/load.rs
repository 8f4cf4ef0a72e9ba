//! The load of all cells during the steps of a rollout.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use futures_util::future::join_all;
use tokio::{sync::RwLock, task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{cell::Cell, promise::Promise, settings::RolloutSettings, site::RolloutSite};
use crate::panics::{catch_panic, wait_for_uncaught};

pub(super) struct CellLoad {
    /// Each action of a cell holds it. So a promise is changed between actions.
    promise: Arc<RwLock<Promise>>,
    stop: Arc<AtomicBool>,
    /// Cancelled when a cell has found a violation.
    failed: CancellationToken,
    tasks: JoinSet<Option<Cell>>,
    started: Instant,
    pause: Duration,
}

impl CellLoad {
    /// Opens the cells and starts their tasks.
    ///
    /// # Errors
    /// When the site refuses a request.
    pub(super) async fn start(
        site: &Arc<RolloutSite>,
        settings: &RolloutSettings,
        promise: Promise,
    ) -> anyhow::Result<Self> {
        println!("seed {}: {} cells open their accounts", settings.seed, settings.cells);
        let cells = (0..settings.cells).map(|number| Cell::open(site, number, settings.seed));
        let cells: Vec<Cell> = join_all(cells).await.into_iter().collect::<anyhow::Result<_>>()?;
        let mut load = Self {
            promise: Arc::new(RwLock::new(promise)),
            stop: Arc::default(),
            failed: CancellationToken::new(),
            tasks: JoinSet::new(),
            started: Instant::now(),
            pause: settings.pause(),
        };
        for cell in cells {
            load.tasks.spawn(play(cell, load.promise.clone(), load.stop.clone(), load.failed.clone()));
        }
        load.pause().await?;
        Ok(load)
    }

    /// Changes the promise when the actions under the old one have ended.
    pub(super) async fn change_promise(&self, change: impl FnOnce(&mut Promise)) {
        change(&mut *self.promise.write().await);
    }

    /// Does one step of the rollout under load, and lets the load run for a while.
    ///
    /// # Errors
    /// When the step fails, or a cell has found a violation.
    pub(super) async fn step(
        &self,
        title: &str,
        step: impl Future<Output = anyhow::Result<()>>,
    ) -> anyhow::Result<()> {
        println!("{:6.1} s  {title}", self.started.elapsed().as_secs_f64());
        // A step runs to its end. Otherwise a part would not run while the cells end.
        step.await.with_context(|| title.to_owned())?;
        self.pause().await
    }

    async fn pause(&self) -> anyhow::Result<()> {
        tokio::select! {
            () = sleep(self.pause) => Ok(()),
            () = self.failed.cancelled() => bail!("a cell has found a violation"),
            () = wait_for_uncaught() => bail!("a task has panicked"),
        }
    }

    /// Stops the cells and returns them.
    ///
    /// # Errors
    /// When a cell has found a violation or has panicked, even after the last step.
    pub(super) async fn stop(mut self) -> anyhow::Result<Vec<Cell>> {
        self.stop.store(true, Ordering::Relaxed);
        let (mut cells, mut failed) = (Vec::new(), 0);
        while let Some(joined) = self.tasks.join_next().await {
            match joined {
                Ok(Some(cell)) => cells.push(cell),
                Ok(None) | Err(_) => failed += 1,
            }
        }
        ensure!(failed == 0, "{failed} cells have found a violation or have panicked");
        Ok(cells)
    }
}

/// Acts until it is stopped or finds a violation, which it prints with its story. Then the cell is gone.
async fn play(
    mut cell: Cell,
    promise: Arc<RwLock<Promise>>,
    stop: Arc<AtomicBool>,
    failed: CancellationToken,
) -> Option<Cell> {
    while !stop.load(Ordering::Relaxed) {
        let promise = promise.read().await;
        let name = cell.name.clone();
        if let Err(violation) = catch_panic(&name, cell.act(&promise)).await {
            println!("\n{violation:#} (of {name})");
            cell.story().for_each(|line| println!("    {line}"));
            failed.cancel();
            return None;
        }
    }
    Some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_cells() -> CellLoad {
        CellLoad {
            promise: Arc::new(RwLock::new(Promise::everything())),
            stop: Arc::default(),
            failed: CancellationToken::new(),
            tasks: JoinSet::new(),
            started: Instant::now(),
            pause: Duration::ZERO,
        }
    }

    #[tokio::test]
    async fn a_violation_after_the_last_step_fails_the_rollout() {
        let mut load = without_cells();
        load.tasks.spawn(async { None });
        assert!(load.stop().await.is_err());
    }

    #[tokio::test]
    async fn a_panic_of_a_cell_fails_the_rollout() {
        let mut load = without_cells();
        // Without a message of the panic, which other tests of this process would count.
        load.tasks.spawn(async { std::panic::resume_unwind(Box::new(())) });
        assert!(load.stop().await.is_err());
    }

    #[tokio::test]
    async fn a_rollout_without_a_violation_succeeds() {
        assert!(without_cells().stop().await.unwrap().is_empty());
    }
}
