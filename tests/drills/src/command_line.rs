//! The command line of `./dev drill`.

use clap::{Parser, Subcommand};

use crate::{abuse, chaos, mails, process::Part, rollout};

/// Drills and measurements of a site that ./dev drill has started
///
/// Without a command: players use the site while faults kill, freeze and disconnect its parts. Afterwards consistency
/// checks compare all responses with the database and the cache.
#[derive(Parser)]
#[command(name = "./dev drill", bin_name = "./dev drill", version, args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    #[command(flatten)]
    pub chaos: chaos::ChaosSettings,

    #[command(subcommand)]
    pub command: Option<DrillCommand>,
}

#[derive(Subcommand)]
pub enum DrillCommand {
    /// Kill each part before each step of a payment, and during each step
    Payments {
        /// The parts to kill; all of them by default
        parts: Vec<Part>,
    },
    /// Kill the workers and a real mail server while they send mails
    Mails(mails::MailDrillSettings),
    /// Send invalid input and open slow connections, and check that other clients are served and nothing grows
    Abuse(abuse::AbuseSettings),
    /// Measure how many payment notifications per second the api takes
    Webhooks,
    /// Replace GUILDHALL_SECRET as OPERATIONS describes, while clients repeat requests and renew their tokens
    Rotate(rollout::RolloutSettings),
    /// Upgrade the site from the last release as CHANGELOG describes, while clients repeat requests
    Upgrade(rollout::RolloutSettings),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::CommandLine;
    use guildhall_testkit::help;

    #[test]
    fn the_help_file_is_up_to_date() -> anyhow::Result<()> {
        help::check(CommandLine::command(), concat!(env!("CARGO_MANIFEST_DIR"), "/help.txt"))
    }
}
