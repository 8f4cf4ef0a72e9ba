//! The settings that both binaries have. `--help` is their documentation.

use std::process::ExitCode;

use clap::{
    Args, Command, Parser, ValueEnum,
    error::{ContextKind, ContextValue, ErrorKind},
};
use secrecy::SecretString;

use crate::platform::object_store::ObjectStoreSettings;

/// How to reach Postgres, RabbitMQ and Redis.
#[derive(Debug, Clone, Args)]
pub struct ServerSettings {
    /// Postgres: postgres://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,

    /// The maximum number of connections of this process to Postgres, at least 2
    #[arg(long, env = "GUILDHALL_DATABASE_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub database_connections: u32,

    /// RabbitMQ: amqp://user:password@host:port/vhost (the default vhost is %2f). For a cluster, the
    /// addresses of all nodes, separated by commas
    #[arg(long, env = "GUILDHALL_AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// Redis: redis://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_REDIS_URL", hide_env_values = true)]
    pub redis_url: SecretString,

    /// The prefix of all queues and cache keys. Sites that share servers need different prefixes
    #[arg(long, env = "GUILDHALL_NAMESPACE", default_value = "guildhall")]
    pub namespace: String,

    #[command(flatten)]
    pub objects: ObjectStoreSettings,
}

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

/// Reads the command line and the environment. An error names each variable that is missing.
#[must_use]
pub fn parse<C: Parser>() -> C {
    C::try_parse().unwrap_or_else(|error| {
        let missing =
            error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::MissingRequiredArgument);
        if let Some(ContextValue::Strings(flags)) = missing
            && let Some(settings) = settings(&C::command(), flags)
        {
            eprintln!("Required settings are missing. Set each by its environment variable or its flag:\n");
            for (variable, flag) in settings {
                eprintln!("    {variable} ({flag})");
            }
            eprintln!("\n--help describes them. This command makes a secret: openssl rand -base64 32");
            std::process::exit(2);
        }
        error.exit()
    })
}

/// The variables of these flags, or None if one of the flags has no variable.
fn settings<'a>(command: &Command, flags: &'a [String]) -> Option<Vec<(String, &'a str)>> {
    let setting = |flag: &'a String| {
        let flag = flag.split(' ').next()?;
        Some((variable(command, flag.strip_prefix("--")?)?, flag))
    };
    flags.iter().map(setting).collect()
}

fn variable(command: &Command, flag: &str) -> Option<String> {
    let own = command.get_arguments().find(|argument| argument.get_long() == Some(flag));
    let own = own.and_then(|argument| argument.get_env()).map(|name| name.to_string_lossy().into_owned());
    own.or_else(|| command.get_subcommands().find_map(|command| variable(command, flag)))
}

/// The exit code of a result. An error is printed with all its causes.
pub fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // The message of many errors contains the message of their cause.
        if !message.contains(&cause) {
            message = if message.is_empty() { cause } else { format!("{message}: {cause}") };
        }
    }
    eprintln!("error: {message}");
    ExitCode::FAILURE
}
