//! Open invites of a guild, or of the caller's characters. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountId,
    character::CharacterId,
    command::Refusal,
    guild::{GuildId, GuildRefusal},
    values::Limit,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{
    list::{List, Paging, page_query},
    problem::Problem,
};

/// An open invite: it is neither answered nor expired.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct GuildInvite {
    pub guild_id: GuildId,
    pub guild_name: String,
    pub character_id: CharacterId,
    pub character_name: String,
    /// The name of the member that invited the character.
    pub invited_by: String,
    pub invited_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// The open invites of a guild, or of the account's characters if there is no guild.
pub(super) struct InviteList {
    pub account_id: AccountId,
    pub guild_id: Option<GuildId>,
}

impl InviteList {
    /// Checks that a character of the account is the leader or a vice-leader of the guild, if there is one.
    ///
    /// # Errors
    /// 403 when none is; 404 when the guild does not exist; 503 when the database does not respond.
    pub(super) async fn authorize(&self, database: &PgPool) -> Result<(), Problem> {
        let Some(guild_id) = self.guild_id else {
            return Ok(());
        };
        // The stored rank of the leader and the vice-leaders is 2.
        let is_leading = sqlx::query_scalar!(
            r#"select exists (select from guild_members join characters using (character_id)
                              where guild_members.guild_id = guilds.guild_id and account_id = $2 and rank = 2) as "leads!"
               from guilds where guild_id = $1"#,
            guild_id.get(),
            self.account_id.get(),
        )
        .fetch_optional(database)
        .await?;
        match is_leading {
            Some(true) => Ok(()),
            Some(false) => Err(GuildRefusal::NotLeading.refused().into()),
            None => Err(GuildRefusal::GuildNotFound.refused().into()),
        }
    }
}

impl List for InviteList {
    type Item = GuildInvite;

    async fn count(&self, database: &PgPool) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from guild_invites join characters using (character_id)
               where expires_at > now() and case when $1::bigint is null then account_id = $2 else guild_id = $1 end"#,
            self.guild_id as Option<GuildId>,
            self.account_id.get(),
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, paging: Paging) -> sqlx::Result<Vec<GuildInvite>> {
        sqlx::query_as!(
            GuildInvite,
            r#"select guild_id as "guild_id: GuildId", guilds.name as guild_name,
                      invited.character_id as "character_id: CharacterId", invited.name as character_name,
                      inviter.name as invited_by, invited_at, expires_at
               from guild_invites join guilds using (guild_id)
               join characters invited on invited.character_id = guild_invites.character_id
               join characters inviter on inviter.character_id = invited_by
               where expires_at > now()
                 and case when $1::bigint is null then invited.account_id = $2 else guild_id = $1 end
               order by invited_at, guild_id, invited.character_id limit $3 offset $4"#,
            self.guild_id as Option<GuildId>,
            self.account_id.get(),
            paging.limit(),
            paging.offset(),
        )
        .fetch_all(database)
        .await
    }

    fn path(&self, page: i64, limit: Limit) -> String {
        format!("/guild/invites?{}", page_query(page, limit))
    }
}

guildhall_common::examples! {
    GuildInvite {
        "guild_id": 1, "guild_name": "Night Watch", "character_id": 8, "character_name": "Tom Ashwood",
        "invited_by": "Mira Stormborn", "invited_at": "2030-01-01T12:00:00Z", "expires_at": "2030-01-31T12:00:00Z"
    }
}
