//! Takes over the database of version 0.3.0, whose migrations were written as one file per domain since.

use anyhow::bail;
use sqlx::{Connection, PgConnection, migrate::Migrator};

/// The last migration of the new files that has only what version 0.3.0 has.
const LAST_OF_RELEASE: i64 = 14;

/// SHA-256 of the numbers and the checksums of all migrations of version 0.3.0.
const RELEASE_DIGEST: &str = "4eaaff4fd69966831e1f421c527ef133d0e7354b42c247cc4bd24d52e2bb430d";

/// Records the new files instead of the migrations of version 0.3.0. They lead to the same schema. It changes nothing in a new database
/// and in one that has the new files.
///
/// # Errors
/// The database has other migrations than those of version 0.3.0, or is unavailable.
pub(super) async fn take_over(database: &mut PgConnection, new: &Migrator) -> anyhow::Result<()> {
    let is_new = sqlx::query_scalar::<_, bool>("select to_regclass('_sqlx_migrations') is null");
    if is_new.fetch_one(&mut *database).await? {
        return Ok(());
    }
    let mut transaction = Connection::begin(database).await?;
    sqlx::query("lock table _sqlx_migrations in exclusive mode").execute(&mut *transaction).await?;
    let recorded = sqlx::query_as::<_, (i64, Vec<u8>, bool)>(
        "select version, checksum, success from _sqlx_migrations order by version",
    );
    let recorded = recorded.fetch_all(&mut *transaction).await?;
    let Some((_, first_checksum, _)) = recorded.first() else { return Ok(()) };
    if new.iter().next().is_some_and(|first| *first.checksum == **first_checksum) {
        return Ok(());
    }
    if digest(&recorded) != RELEASE_DIGEST {
        bail!(
            "this database has {} migrations, and they are not those of version 0.3.0. Update the site to version 0.3.0 first",
            recorded.len(),
        );
    }
    sqlx::query("delete from _sqlx_migrations").execute(&mut *transaction).await?;
    for migration in new.iter().filter(|migration| migration.version <= LAST_OF_RELEASE) {
        sqlx::query(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
             values ($1, $2, true, $3, 0)",
        )
        .bind(migration.version)
        .bind(&*migration.description)
        .bind(&*migration.checksum)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await?;
    tracing::info!("database of version 0.3.0 taken over");
    Ok(())
}

/// SHA-256 of the versions and checksums, in hex. A migration that has failed changes it.
fn digest(recorded: &[(i64, Vec<u8>, bool)]) -> String {
    use sha2::{Digest, Sha256};

    let mut sha = Sha256::new();
    for (version, checksum, success) in recorded {
        sha.update(format!("{version} {} {success}\n", hex::encode(checksum)));
    }
    hex::encode(sha.finalize())
}
