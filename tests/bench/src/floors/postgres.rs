//! The floors (c) and (c1): transactions with one update and one insert.

use std::time::{Duration, Instant};

use clap::Args;
use futures_util::future::try_join_all;
use guildhall_testkit::percentiles::Percentiles;
use serde::{Deserialize, Serialize};
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, postgres::PgConnectOptions};
use uuid::Uuid;

/// A database of its own, on the server of the site.
const DATABASE: &str = "bench_floor";

/// The rows that the updates of one connection choose from.
const ROWS_PER_CONNECTION: i64 = 25;

/// A guild and an operation have the columns and indexes of the site's tables that the command writes.
const TABLES: &str = "
    drop table if exists guilds, operations;
    create table guilds (guild_id bigint primary key, name text not null unique, motd text not null, description text not null);
    create table operations (operation_id uuid primary key, command text not null, account_id bigint, fingerprint bytea not null,
        outcome jsonb not null, stale_keys text[] not null, accepted_at timestamptz not null, applied_at timestamptz not null default now());
    create index operations_by_age on operations (applied_at);
    insert into guilds select number, 'guild ' || number, '', repeat('description ', 15) from generate_series(1, 1000) as number;";

const INSERT: &str = "
    insert into operations (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at)
    values ($1, 'guild.change_motd', 1, sha256('fingerprint'),
            '{\"applied\": {\"guild_id\": 1, \"motd\": \"message\", \"description\": \"description\"}}', '{guild:name,guilds}', now())";

#[derive(Args)]
pub(crate) struct PostgresFloor {
    /// The number of connections
    #[arg(long)]
    connections: u32,

    /// The duration of the measurement
    #[arg(long)]
    seconds: u64,

    /// Postgres: postgres://user:password@host:port/database
    #[arg(long, env = "GUILDHALL_DATABASE_URL", hide_env_values = true)]
    database_url: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct TransactionFigures {
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
}

/// Measures and prints the result as JSON.
///
/// # Errors
/// When Postgres refuses a statement.
pub(crate) async fn measure(settings: &PostgresFloor) -> anyhow::Result<()> {
    let (options, connection) = create_tables(&settings.database_url).await?;
    let connections: Vec<PgConnection> =
        try_join_all((0..settings.connections).map(|_| options.connect())).await?;
    let started = Instant::now();
    let until = started + Duration::from_secs(settings.seconds);
    let clients = connections.into_iter().zip(0..).map(|(connection, number)| {
        tokio::spawn(commit_transactions(connection, number * ROWS_PER_CONNECTION, until))
    });
    let mut durations = Vec::new();
    for client in try_join_all(clients).await? {
        durations.extend(client?);
    }
    let per_second = durations.len() as f64 / started.elapsed().as_secs_f64();
    let p50 = durations.into_iter().collect::<Percentiles<Duration>>().percentile(50).unwrap_or_default();
    println!(
        "{}",
        serde_json::to_string(&TransactionFigures { per_second, p50_ms: p50.as_secs_f64() * 1000.0 })?
    );
    Ok(drop_tables(connection).await?)
}

/// Creates the tables, and returns a connection with its options.
pub(super) async fn create_tables(url: &str) -> sqlx::Result<(PgConnectOptions, PgConnection)> {
    let options = url.parse::<PgConnectOptions>()?.database(DATABASE);
    let mut connection = options.connect().await?;
    connection.execute(TABLES).await?;
    Ok((options, connection))
}

pub(super) async fn drop_tables(mut connection: PgConnection) -> sqlx::Result<()> {
    connection.execute("drop table guilds, operations").await?;
    connection.close().await
}

/// The two statements of a command: they change the guild with this number from 1 to 1,000, and store an operation.
pub(super) async fn write(connection: &mut PgConnection, guild: i64, motd: &str) -> sqlx::Result<()> {
    let update = sqlx::query("update guilds set motd = $2 where guild_id = $1").bind(guild).bind(motd);
    update.execute(&mut *connection).await?;
    sqlx::query(INSERT).bind(Uuid::now_v7()).execute(connection).await?;
    Ok(())
}

/// Commits one transaction after the other, and returns their durations.
async fn commit_transactions(
    mut connection: PgConnection,
    first_row: i64,
    until: Instant,
) -> sqlx::Result<Vec<Duration>> {
    let mut durations = Vec::new();
    let mut row = 0;
    while Instant::now() < until {
        let started = Instant::now();
        row = row % ROWS_PER_CONNECTION + 1;
        connection.execute("begin").await?;
        write(&mut connection, first_row + row, &format!("message {}", durations.len())).await?;
        connection.execute("commit").await?;
        durations.push(started.elapsed());
    }
    connection.close().await?;
    Ok(durations)
}
