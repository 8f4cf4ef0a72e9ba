//! The code of the cases, one file for each kind of load.

mod commands;
mod guild_plan;
mod payments;
mod reads;
mod reads_with_commands;
mod shop;
mod streams;

pub(crate) use commands::WaitedCommands;
pub(crate) use guild_plan::GuildChange;
pub(crate) use reads::{guild_body, guild_path};
pub(crate) use shop::purchase;

use crate::{
    case::{Case, CaseOptions, CaseResult, cpu_key},
    rounds::Round,
    site::BenchSite,
};

/// Runs a case, and stores its figures and the processor time of each process in the round.
///
/// # Errors
/// When a request fails, or an accepted command is lost.
pub(crate) async fn measure(
    case: Case,
    site: &BenchSite,
    options: CaseOptions,
    round: &mut Round,
) -> anyhow::Result<()> {
    let before = site.processes.cpu_times()?;
    let CaseResult { operations, figures } = run(case, site, options).await?;
    let after = site.processes.cpu_times()?;
    round.extend(figures.into_iter().map(|(key, value)| (key.to_owned(), value)));
    if operations > 0 {
        let per_thousand = 1000.0 / operations as f64;
        round.extend(
            after.since(&before).map(|(process, seconds)| (cpu_key(case, process), seconds * per_thousand)),
        );
    }
    Ok(())
}

async fn run(case: Case, site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    match case {
        Case::GuildView => reads::cached(site, case, &guild_path(site), options).await,
        Case::GuildList => reads::cached(site, case, "/guilds/1/20", options).await,
        Case::Offers => reads::cached(site, case, "/shop/offers?page=1&limit=20", options).await,
        Case::News => reads::cached(site, case, "/news/list/1/20", options).await,
        Case::NotModified => reads::not_modified(site, options).await,
        Case::NoRoute => reads::no_route(site, options).await,
        Case::Async => commands::respond_async(site, options).await,
        Case::Waited64 => WaitedCommands::W64.run(site, options).await,
        Case::Waited16 => WaitedCommands::W16.run(site, options).await,
        Case::Waited1 => WaitedCommands::W1.run(site, options).await,
        Case::OneAccount => commands::one_account(site, options).await,
        Case::Ranks => WaitedCommands::RANKS.run(site, options).await,
        Case::Purchase => shop::purchase(site, options, ["purchase", "purchase-p50", "purchase-p99"]).await,
        Case::Qrcode => payments::qr_codes(site, options).await,
        Case::Webhook => payments::notifications(site, options).await,
        Case::LogIn => shop::log_in(site, options).await,
        Case::Streams => streams::fan_out(site).await,
        Case::ReadsWithCommands => reads_with_commands::compare(site, options).await,
    }
}
