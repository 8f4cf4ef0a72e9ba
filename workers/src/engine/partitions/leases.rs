//! The leases of partitions in the database.

use std::{collections::BTreeMap, time::Duration};

use guildhall_common::platform::{db, partitions};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::engine::lease::{Lease, Partition};

/// A worker counts as dead after this time without a renewal.
pub(super) const LEASE: Duration = Duration::from_secs(5);

/// The workers that are alive, and the worker of each partition.
pub(super) struct Cluster {
    pub(super) workers: Vec<Uuid>,
    pub(super) owners: BTreeMap<Partition, Option<Uuid>>,
    /// The number of partitions over which commands are spread.
    pub(super) count: u16,
}

/// Renews the row of this worker, and reads the others.
pub(super) async fn renew(database: &PgPool, worker_id: Uuid) -> sqlx::Result<Cluster> {
    let mut transaction = db::begin(database).await?;
    sqlx::query!(
        "insert into workers (worker_id, alive_until, version)
         values ($1, clock_timestamp() + make_interval(secs => $2), $3)
         on conflict (worker_id) do update set alive_until = excluded.alive_until",
        worker_id,
        LEASE.as_secs_f64(),
        env!("CARGO_PKG_VERSION"),
    )
    .execute(&mut *transaction)
    .await?;
    let workers = sqlx::query_scalar!(
        "select worker_id from workers where alive_until > clock_timestamp() order by worker_id"
    )
    .fetch_all(&mut *transaction)
    .await?;
    // The worker of a partition is null if it is dead.
    let rows = sqlx::query!(
        r#"select domain, number, workers.worker_id as "worker_id?"
           from partitions left join workers
                on workers.worker_id = partitions.worker_id and alive_until > clock_timestamp()"#
    );
    let rows = rows.fetch_all(&mut *transaction).await?;
    let count = partitions::count(&mut *transaction).await?;
    transaction.commit().await?;
    let owners = rows.into_iter().filter_map(|row| {
        let number = u16::try_from(row.number).ok()?;
        Some((Partition { domain: row.domain, number }, row.worker_id))
    });
    Ok(Cluster { workers, owners: owners.collect(), count })
}

/// Takes the leases of partitions that no other living worker has. A partition is skipped while a transaction of its dead worker
/// may still be committed.
pub(super) async fn take(
    database: &PgPool,
    worker_id: Uuid,
    wanted: &[&Partition],
) -> sqlx::Result<Vec<Lease>> {
    let domains: Vec<_> = wanted.iter().map(|partition| partition.domain.clone()).collect();
    let numbers: Vec<_> = wanted.iter().map(|partition| i32::from(partition.number)).collect();
    let taken = sqlx::query!(
        "with free as (
             select domain, number from partitions
             join unnest($2::text[], $3::integer[]) as wanted (domain, number) using (domain, number)
             where worker_id = $1 is true
                or not exists (select from workers where workers.worker_id = partitions.worker_id
                               and alive_until > clock_timestamp())
             for update of partitions skip locked
         )
         update partitions set worker_id = $1, epoch = epoch + 1, wait_seconds = 0, age_seconds = 0 from free
         where partitions.domain = free.domain and partitions.number = free.number
         returning partitions.domain, partitions.number, epoch",
        worker_id,
        &domains,
        &numbers,
    );
    let taken = taken.fetch_all(database).await?.into_iter();
    let lease = taken.filter_map(|row| {
        let partition = Partition { domain: row.domain, number: u16::try_from(row.number).ok()? };
        Some(Lease { partition, epoch: row.epoch, expired: CancellationToken::new() })
    });
    Ok(lease.collect())
}

/// How long commands wait in a partition, in whole seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Waits {
    /// How long a new command waits.
    pub(super) new: i32,
    /// How long the oldest command in progress has waited.
    pub(super) oldest: i32,
}

/// Stores how long commands wait, by partition and epoch of the lease.
pub(super) async fn store_waits(database: &PgPool, waits: &[(&Partition, i64, Waits)]) -> sqlx::Result<()> {
    let domains: Vec<_> = waits.iter().map(|(partition, ..)| partition.domain.clone()).collect();
    let numbers: Vec<_> = waits.iter().map(|(partition, ..)| i32::from(partition.number)).collect();
    let epochs: Vec<_> = waits.iter().map(|(_, epoch, _)| *epoch).collect();
    let new: Vec<_> = waits.iter().map(|(.., waits)| waits.new).collect();
    let oldest: Vec<_> = waits.iter().map(|(.., waits)| waits.oldest).collect();
    sqlx::query!(
        "update partitions set wait_seconds = new.wait_seconds, age_seconds = new.age_seconds
         from unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::integer[])
              as new (domain, number, epoch, wait_seconds, age_seconds)
         where partitions.domain = new.domain and partitions.number = new.number
           and partitions.epoch = new.epoch",
        &domains,
        &numbers,
        &epochs,
        &new,
        &oldest,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Returns leases, so that other workers can take them. The waits are no longer known.
pub(super) async fn give_back(database: &PgPool, leases: &[Lease]) -> sqlx::Result<()> {
    let domains: Vec<_> = leases.iter().map(|lease| lease.partition.domain.clone()).collect();
    let numbers: Vec<_> = leases.iter().map(|lease| i32::from(lease.partition.number)).collect();
    let epochs: Vec<_> = leases.iter().map(|lease| lease.epoch).collect();
    sqlx::query!(
        "update partitions set worker_id = null, wait_seconds = 0, age_seconds = 0
         from unnest($1::text[], $2::integer[], $3::bigint[]) as ended (domain, number, epoch)
         where partitions.domain = ended.domain and partitions.number = ended.number
           and partitions.epoch = ended.epoch",
        &domains,
        &numbers,
        &epochs,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Removes this worker, and the rows of workers that ended without this.
pub(super) async fn leave(database: &PgPool, worker_id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from workers where worker_id = $1 or alive_until < clock_timestamp() - interval '1 hour'",
        worker_id,
    )
    .execute(database)
    .await?;
    Ok(())
}
