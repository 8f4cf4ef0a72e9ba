//! The settings of the log.

use clap::{Args, ValueEnum};

/// What to log, and in which format.
#[derive(Debug, Clone, Args)]
pub struct Logging {
    /// What to log: a level (error, warn, info, debug, trace) or target=level pairs. The default is info for
    /// `serve` and warn for every other command
    #[arg(long, env = "GUILDHALL_LOG", global = true)]
    pub log: Option<String>,

    /// The format of the log
    #[arg(long, env = "GUILDHALL_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum LogFormat {
    /// One line of text for each event, for people
    Text,
    /// One JSON object for each event, for programs
    Json,
}
