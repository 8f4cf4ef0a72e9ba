//! The lease of a game server on the presence of its characters.
//!
//! Each request of a game server renews it. When it expires, a job makes the characters offline, because the game server may
//! have crashed.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        actor::ServiceTokenId,
        command::Failure,
        game::{PresenceRenewed, RenewPresence},
        guild::guild_key,
    },
    platform::db,
};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::{
        context::Context,
        jobs::{Job, NextRun},
        rule::Rule,
    },
};

/// The time for which characters stay online after the last request of their game server.
const LEASE: TimeDelta = TimeDelta::minutes(5);

impl Rule for RenewPresence {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PresenceRenewed, Failure> {
        renew(cx).await?;
        Ok(PresenceRenewed {})
    }
}

/// Renews the lease of the game server that sent the command, and locks its row.
pub(crate) async fn renew(cx: &mut Context<'_>) -> Result<ServiceTokenId, Failure> {
    let service_token_id = cx.service_token_id()?;
    let until = cx.now + LEASE;
    // The count makes Postgres lock and read the row before it changes it: `for update` returns no row that the same statement has already changed. The
    // clock is read after the wait for the lock: the job may have held it, and have found the lease expired.
    let had_expired = sqlx::query_scalar!(
        r#"with previous as (select presence_until from game_servers where service_token_id = $1 for update)
           insert into game_servers (service_token_id, seen_at, presence_until)
           select $1, $2, $3 from (select count(*) from previous) as locked
           on conflict (service_token_id) do update
           set seen_at = excluded.seen_at, presence_until = excluded.presence_until
           returning (select presence_until <= clock_timestamp() from previous) as "had_expired?""#,
        service_token_id.get(),
        cx.now,
        until,
    )
    .fetch_one(&mut *cx.db)
    .await?;
    // The job of a lease that has not expired is scheduled.
    if had_expired.unwrap_or(true) {
        cx.schedule(&EndPresence { service_token_id }, until).await?;
    }
    Ok(service_token_id)
}

/// The job that makes the characters of a game server offline when its lease has expired.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EndPresence {
    pub(crate) service_token_id: ServiceTokenId,
}

impl Job for EndPresence {
    const NAME: &'static str = "end_presence";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let service_token_id = self.service_token_id;
        let mut transaction = db::begin(&app.database).await?;
        let server = sqlx::query!(
            r#"select presence_until, now() as "now!" from game_servers where service_token_id = $1 for update"#,
            service_token_id.get(),
        );
        let Some(server) = server.fetch_optional(&mut *transaction).await? else { return Ok(NextRun::Done) };
        if server.presence_until > server.now {
            return Ok(NextRun::After(server.presence_until - server.now));
        }
        let ended = sqlx::query!(
            "update characters set online = false where character_id in
             (select character_id from characters where online_by = $1 and online order by name_key for no key update)",
            service_token_id.get(),
        )
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        // The characters keep their game server until the cache is invalidated: this job finds them again if its worker dies here.
        let guilds = sqlx::query_scalar!(
            "select distinct guilds.name from characters
             join guild_members using (character_id) join guilds using (guild_id) where online_by = $1",
            service_token_id.get(),
        )
        .fetch_all(&app.database)
        .await?;
        let stale: Vec<_> = guilds.iter().map(|name| guild_key(name)).collect();
        app.cache.invalidate_or_suspend(&app.database, &stale).await?;
        sqlx::query!(
            "update characters set online_by = null where online_by = $1 and not online",
            service_token_id.get()
        )
        .execute(&app.database)
        .await?;
        let characters = ended.rows_affected();
        tracing::warn!(%service_token_id, characters, "presence lease of a game server expired");
        Ok(NextRun::Done)
    }
}
