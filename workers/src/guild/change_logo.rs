//! Changes and removes the logo of a guild, as its leader or a vice-leader.

use guildhall_common::contract::{
    command::Failure,
    guild::{
        ChangeLogo, GuildAction, GuildRefusal, LogoChanged, LogoPictures, LogoRemoved, LogoSize, RemoveLogo,
    },
};
use sqlx::PgConnection;

use crate::engine::{context::Context, rule::Rule};

impl Rule for ChangeLogo {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LogoChanged, Failure> {
        let guild = cx.guild_for(GuildAction::ChangeLogo, self.guild_id).await?;
        let hash = self.pictures.hash();
        // The lock keeps a moderator from blocking the logo until this transaction ends.
        let is_blocked = sqlx::query_scalar!(
            r#"select blocked_at is not null as "is_blocked!" from logos where hash = $1 for update"#,
            &*hash
        )
        .fetch_optional(&mut *cx.db)
        .await?;
        if is_blocked == Some(true) {
            return Err(GuildRefusal::LogoBlocked.into());
        }
        let logo_id = store(cx.db, &hash, &self.pictures).await?;
        sqlx::query!("update guilds set logo_id = $2 where guild_id = $1", guild.guild_id.get(), logo_id)
            .execute(&mut *cx.db)
            .await?;
        cx.invalidate_guild(&guild.name);
        let changed = LogoChanged { guild_id: guild.guild_id, logo: hash };
        cx.publish("guild.logo_changed", &changed);
        Ok(changed)
    }
}

/// Stores the pictures of a logo, unless another guild has it already. It returns the id of the logo.
async fn store(database: &mut PgConnection, hash: &str, pictures: &LogoPictures) -> sqlx::Result<i64> {
    let pictures = LogoSize::ALL.map(|size| pictures.get(size));
    sqlx::query_scalar!(
        "with logo as (
             insert into logos (hash) values ($1) on conflict (hash) do update set uploaded_at = now()
             returning logo_id
         ),
         stored as (
             insert into logo_pictures (logo_id, size, media_type, bytes)
             select logo_id, size, media_type, bytes
             from logo cross join unnest($2::text[], $3::text[], $4::bytea[]) as pictures (size, media_type, bytes)
             on conflict do nothing
         )
         select logo_id from logo",
        hash,
        &LogoSize::ALL as _,
        &pictures.map(|picture| picture.picture_type) as _,
        &pictures.map(|picture| picture.data.bytes()) as _,
    )
    .fetch_one(database)
    .await
}

impl Rule for RemoveLogo {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LogoRemoved, Failure> {
        let guild = cx.guild_for(GuildAction::ChangeLogo, self.guild_id).await?;
        let removed = sqlx::query!(
            "update guilds set logo_id = null where guild_id = $1 and logo_id is not null",
            guild.guild_id.get()
        )
        .execute(&mut *cx.db)
        .await?;
        if removed.rows_affected() == 0 {
            return Err(GuildRefusal::LogoNotFound.into());
        }
        cx.invalidate_guild(&guild.name);
        let removed = LogoRemoved { guild_id: guild.guild_id };
        cx.publish("guild.logo_removed", &removed);
        Ok(removed)
    }
}
