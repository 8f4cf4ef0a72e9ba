//! The command line of `./dev drill`.

use clap::{Parser, Subcommand};

use crate::{abuse, chaos, mails, rollout, stack::Part};

/// Drills and measurements of a site that ./dev drill has started
///
/// Without a command: players use the site while faults kill, freeze and disconnect its parts. Afterwards consistency
/// checks compare all responses with the database and the cache.
#[derive(Parser)]
#[command(name = "./dev drill", bin_name = "./dev drill", version, args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    #[command(flatten)]
    pub chaos: chaos::Settings,

    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Kill each part before each step of a payment, and during each step
    Payments {
        /// The parts to kill; all of them by default
        parts: Vec<Part>,
    },
    /// Kill the workers and a real mail server while they send mails
    Mails(mails::Settings),
    /// Send invalid input and open slow connections, and check that other clients are served and nothing grows
    Abuse(abuse::Settings),
    /// Measure how many payment notifications per second the api takes
    Webhooks,
    /// Replace GUILDHALL_SECRET as OPERATIONS describes, while clients repeat requests and renew their tokens
    Rotate(rollout::Settings),
    /// Upgrade the site from the last release as CHANGELOG describes, while clients repeat requests
    Upgrade(rollout::Settings),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::CommandLine;
    use crate::help;

    #[test]
    fn the_help_file_is_up_to_date() -> anyhow::Result<()> {
        help::check(CommandLine::command(), concat!(env!("CARGO_MANIFEST_DIR"), "/help.txt"))
    }
}
