//! Settings that both binaries take. `--help` is the manual.

use std::process::ExitCode;

use clap::{
    Args, Command, Parser, ValueEnum,
    error::{ContextKind, ContextValue, ErrorKind},
};
use secrecy::SecretString;

#[derive(Debug, Clone, Args)]
pub struct Servers {
    /// Postgres: postgres://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,

    /// Most connections of this process to Postgres
    #[arg(long, env = "GUILDHALL_DATABASE_CONNECTIONS", default_value_t = 16)]
    pub database_connections: u32,

    /// RabbitMQ: amqp://user:password@host:port/vhost (the default vhost is %2f). Of a cluster:
    /// all of its nodes, with commas between; one that answers is used
    #[arg(long, env = "GUILDHALL_AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// Redis: redis://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_REDIS_URL", hide_env_values = true)]
    pub redis_url: SecretString,

    /// Prefix of all queues and cache keys, for several sites on the same servers
    #[arg(long, env = "GUILDHALL_NAMESPACE", default_value = "guildhall")]
    pub namespace: String,
}

#[derive(Debug, Clone, Args)]
pub struct Logging {
    /// What to log: a level (error, warn, info, debug, trace) or target=level pairs. Usually info of a
    /// service and warn of everything else
    #[arg(long, env = "GUILDHALL_LOG", global = true)]
    pub log: Option<String>,

    /// How to log
    #[arg(long, env = "GUILDHALL_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// For machines: one object a line
    Json,
}

/// Reads the command line and the environment. What is missing is told with the variables to set.
#[must_use]
pub fn parse<C: Parser>() -> C {
    C::try_parse().unwrap_or_else(|error| {
        let missing =
            error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::MissingRequiredArgument);
        if let Some(ContextValue::Strings(flags)) = missing
            && let Some(settings) = settings(&C::command(), flags)
        {
            eprintln!("These must be set, by environment variable or by flag:\n");
            for (variable, flag) in settings {
                eprintln!("    {variable} ({flag})");
            }
            eprintln!("\n--help explains them. A secret is made by: openssl rand -base64 32");
            std::process::exit(2);
        }
        error.exit()
    })
}

/// The variables of these flags, if they are all settings.
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

/// Tells why the process ends, cause by cause.
pub fn report(ended: anyhow::Result<()>) -> ExitCode {
    let Err(error) = ended else {
        return ExitCode::SUCCESS;
    };
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Many errors repeat their cause in their own words.
        if !told.contains(&cause) {
            told = if told.is_empty() { cause } else { format!("{told}: {cause}") };
        }
    }
    eprintln!("error: {told}");
    ExitCode::FAILURE
}
