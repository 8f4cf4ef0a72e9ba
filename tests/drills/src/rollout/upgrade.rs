//! The upgrade from the last release in the order of the changelog: migrate, then the workers, then the apis.

use std::sync::Arc;

use guildhall_testkit::environment::setting;

use super::{
    check::finish,
    load::CellLoad,
    promise::Promise,
    settings::RolloutSettings,
    site::{RolloutSite, start_stack},
};
use crate::{
    process::{Part, Process},
    stack::Stack,
};

/// Upgrades both workers and both apis under load. Each repeated key gets its first outcome, whichever version took the
/// first request, and each accepted operation is found.
///
/// # Errors
/// When a promise is broken.
pub async fn run(settings: &RolloutSettings) -> anyhow::Result<()> {
    let mut stack = start_stack().await?;
    let site = Arc::new(RolloutSite::from_environment().await?);
    let promise = Promise::everything();
    let load = CellLoad::start(&site, settings, promise).await?;
    let upgraded = upgrade(&mut stack, &load).await;
    finish(&site, &stack, load, upgraded, &promise).await
}

async fn upgrade(stack: &mut Stack, load: &CellLoad) -> anyhow::Result<()> {
    let profile = setting("DRILL_NEW_PROFILE")?;
    load.step("migrate", async { stack.dev(&["part", "migrate"]).await.map(drop) }).await?;
    for part in [Part::Workers, Part::Api] {
        let processes: Vec<Process> = stack.processes(part).collect();
        for process in processes {
            stack.set_settings(process, vec![format!("DRILL_PROFILE={profile}")]);
            load.step(&format!("{}: new version", process.name()), stack.restart(process)).await?;
        }
    }
    load.step("all parts are upgraded", async { Ok(()) }).await
}
