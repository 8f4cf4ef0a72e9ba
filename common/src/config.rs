//! Settings that both binaries take. `--help` is the manual.

use clap::{Args, ValueEnum};
use secrecy::SecretString;

#[derive(Debug, Clone, Args)]
pub struct Servers {
    /// Postgres: postgres://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,

    /// Most connections of this process to Postgres
    #[arg(long, env = "GUILDHALL_DATABASE_CONNECTIONS", default_value_t = 16)]
    pub database_connections: u32,

    /// RabbitMQ: amqp://user:password@host:port/vhost (the default vhost is %2f)
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
