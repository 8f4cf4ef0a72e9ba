//! Figures of RabbitMQ, Redis and Postgres at one moment.

use anyhow::Context;

use super::{fault::redis, site::ChaosSite};

/// A name, and a value at one moment.
pub(super) type Figures = Vec<(&'static str, u64)>;

const RABBITMQ: [&str; 5] =
    ["rabbitmq_bytes", "rabbitmq_queues", "rabbitmq_messages", "rabbitmq_connections", "rabbitmq_channels"];

/// One call for all figures: each call of rabbitmqctl starts an Erlang machine. In a cluster, memory is that of the first node.
/// The queues of partitions have a number. They are not counted, because a fault changes how many there are.
const RABBITMQ_EXPRESSION: &str = "Queues = rabbit_amqqueue:list(), \
    Others = [Q || Q <- Queues, re:run(element(4, amqqueue:get_name(Q)), \"[.][0-9]+$\") =:= nomatch], \
    Messages = [N || Q <- Queues, {messages, N} <- rabbit_amqqueue:info(Q, [messages]), is_integer(N)], \
    [erlang:memory(total), length(Others), lists:sum(Messages), \
     length(rabbit_networking:connections()), length(rabbit_channel:list())].";

/// # Errors
/// When RabbitMQ does not respond.
pub(super) async fn read_rabbitmq(site: &ChaosSite) -> anyhow::Result<Figures> {
    let printed = site.stack.dev(&["part", "rabbitmqctl", "eval", RABBITMQ_EXPRESSION]).await?;
    parse_rabbitmq(&printed)
}

/// Reads `[1,2,3,4,5]`.
fn parse_rabbitmq(printed: &str) -> anyhow::Result<Figures> {
    let values = printed.trim().trim_start_matches('[').trim_end_matches(']').split(',');
    let values: Vec<u64> = values.map(|value| value.trim().parse()).collect::<Result<_, _>>()?;
    Ok(RABBITMQ.into_iter().zip(values).collect())
}

/// # Errors
/// When Redis does not respond.
pub(super) async fn read_redis() -> anyhow::Result<Figures> {
    let mut connection = redis::connect().await?;
    let mut info = async |section: &str| -> anyhow::Result<String> {
        Ok(::redis::cmd("INFO").arg(section).query_async(&mut connection).await?)
    };
    let (memory, keyspace) = (info("memory").await?, info("keyspace").await?);
    parse_redis(&memory, &keyspace)
}

/// Reads the lines `used_memory:12345` and `db0:keys=3,expires=2,avg_ttl=0`. An empty database has no such line.
fn parse_redis(memory: &str, keyspace: &str) -> anyhow::Result<Figures> {
    let used = memory.lines().find_map(|line| line.strip_prefix("used_memory:"));
    let used: u64 = used.context("Redis does not show its memory")?.trim().parse()?;
    let database = keyspace.lines().find_map(|line| line.strip_prefix("db0:")).unwrap_or_default();
    let field = |name: &str| {
        let fields = database.trim().split(',').filter_map(|field| field.split_once('='));
        fields.filter(|(field, _)| *field == name).find_map(|(_, value)| value.parse().ok()).unwrap_or(0_u64)
    };
    let (keys, expiring) = (field("keys"), field("expires"));
    Ok(vec![
        ("redis_bytes", used),
        ("redis_keys", keys),
        ("redis_keys_without_expiry", keys.saturating_sub(expiring)),
    ])
}

/// # Errors
/// When Postgres does not respond.
pub(super) async fn read_postgres(site: &ChaosSite) -> anyhow::Result<Figures> {
    let (size, operations, dead, connections, idle_in_transaction, locks): (i64, i64, i64, i64, i64, i64) =
        sqlx::query_as(
            "select pg_database_size(current_database()), (select count(*) from operations),
                    (select coalesce(sum(n_dead_tup), 0)::bigint from pg_stat_user_tables),
                    (select count(*) from pg_stat_activity where datname = current_database()),
                    (select count(*) from pg_stat_activity where datname = current_database()
                     and state like 'idle in transaction%' and state_change < now() - interval '60 s'),
                    (select count(*) from pg_locks where locktype <> 'virtualxid')",
        )
        .fetch_one(&site.database)
        .await?;
    Ok([
        ("postgres_bytes", size),
        ("postgres_operations", operations),
        ("postgres_dead_tuples", dead),
        ("postgres_connections", connections),
        ("postgres_idle_in_transaction", idle_in_transaction),
        ("postgres_locks", locks),
    ]
    .into_iter()
    .map(|(name, value)| (name, u64::try_from(value).unwrap_or_default()))
    .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_rabbitmq_are_read() {
        let figures = parse_rabbitmq("[12345678,9,3,12,70]\n").unwrap();
        assert_eq!(figures[0], ("rabbitmq_bytes", 12_345_678));
        assert_eq!(figures[4], ("rabbitmq_channels", 70));
        assert!(parse_rabbitmq("Error: unable to perform an operation on node").is_err());
    }

    #[test]
    fn figures_of_redis_are_read() {
        let memory = "# Memory\r\nused_memory:1048576\r\nused_memory_human:1.00M\r\n";
        let figures = parse_redis(memory, "# Keyspace\r\ndb0:keys=7,expires=5,avg_ttl=0\r\n").unwrap();
        assert_eq!(
            figures,
            [("redis_bytes", 1_048_576), ("redis_keys", 7), ("redis_keys_without_expiry", 2)]
        );
        assert_eq!(parse_redis(memory, "# Keyspace\r\n").unwrap()[1], ("redis_keys", 0));
    }
}
