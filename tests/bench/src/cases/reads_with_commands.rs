//! The latency of cached reads at a fixed rate, without and with commands.

use std::time::Duration;

use anyhow::ensure;
use http::Method;
use serde_json::Value;

use super::{
    guild_plan::{GuildChange, GuildPlan},
    reads::guild_path,
};
use crate::{
    case::{Case, CaseOptions, CaseResult},
    load::{Call, LoadPlan, LoadResult, verify::verify},
    site::BenchSite,
};

const READERS: usize = 16;

/// The rate leaves processor time for the commands on a small machine.
const READS_PER_SECOND: u32 = 500;

const COMMAND_CLIENTS: usize = 64;

/// The wanted rate of commands. The clients wait for each outcome, so a slower site gets fewer.
const COMMANDS_PER_SECOND: u32 = 1000;

/// Reads alone, and then reads while commands are applied.
pub(super) async fn compare(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let alone = read(site, options).await?;
    let plan = GuildPlan::new(GuildChange::Motd, &site.leaders, COMMAND_CLIENTS);
    let load = LoadPlan { per_second: Some(COMMANDS_PER_SECOND), ..options.load(COMMAND_CLIENTS) };
    let (reads, commands) = tokio::join!(read(site, options), load.run(site.http.address(), plan.calls()));
    let (reads, commands) = (reads?, commands?);
    verify(site, Case::ReadsWithCommands.name(), &commands.entries).await?;
    plan.check(&site.database, &commands.entries).await?;
    Ok(CaseResult {
        operations: 0,
        figures: vec![
            ("reads-alone-p99", alone.percentile_ms(99)),
            ("reads-with-commands-p99", reads.percentile_ms(99)),
            ("reads-with-commands-rate", commands.per_second()),
        ],
    })
}

async fn read(site: &BenchSite, options: CaseOptions) -> anyhow::Result<LoadResult> {
    let path = guild_path(site);
    let call = move |_, _| {
        Some(Call {
            method: Method::GET,
            path: path.clone(),
            body: Value::Null,
            token: None,
            is_async: false,
        })
    };
    let duration = Duration::from_secs(options.seconds);
    let load = LoadPlan { clients: READERS, duration, per_second: Some(READS_PER_SECOND), has_keys: false };
    let result = load.run(site.http.address(), call).await?;
    let failed = result.entries.iter().find(|entry| !entry.is_success());
    ensure!(failed.is_none(), "a read failed: {failed:?}");
    Ok(result)
}
