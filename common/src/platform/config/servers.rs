//! The settings of the connections to the servers.

use clap::Args;
use secrecy::SecretString;

use super::object_store::ObjectStoreSettings;

/// How to reach Postgres, RabbitMQ, Redis and the object store.
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
