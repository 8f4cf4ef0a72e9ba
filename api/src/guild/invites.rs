//! Open invites of a guild, or of the caller's characters. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountId,
    character::CharacterId,
    command::Refusal,
    guild::{GuildAction, GuildId, GuildRefusal},
    values::Timestamp,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows, problem::Problem};

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
    /// Checks that a character of the account may cancel the invites of the guild, if there is one.
    ///
    /// # Errors
    /// 403 when none is; 404 when the guild does not exist; 503 when the database does not respond.
    pub(super) async fn authorize(&self, database: &PgPool) -> Result<(), Problem> {
        let Some(guild_id) = self.guild_id else {
            return Ok(());
        };
        let action = GuildAction::CancelInvite;
        let is_allowed = sqlx::query_scalar!(
            r#"select exists (select from allowed_members(guild_id, leader_id, $2, $3)) as "is_allowed!"
               from guilds where guild_id = $1"#,
            guild_id.get(),
            self.account_id.get(),
            action.ranks() as _,
        )
        .fetch_optional(database)
        .await?;
        match is_allowed {
            Some(true) => Ok(()),
            Some(false) => Err(action.missing_rank().refused().into()),
            None => Err(GuildRefusal::GuildNotFound.refused().into()),
        }
    }
}

/// The expiry, the guild and the character of an invite.
type InvitePosition = (Timestamp, GuildId, CharacterId);

impl List for InviteList {
    type Item = GuildInvite;
    type Position = InvitePosition;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (
                   select from guild_invites where guild_id = $1 and expires_at > now()
                   union all
                   select from characters join guild_invites using (character_id)
                   where $1 is null and account_id = $2 and deleted_at is null and expires_at > now()
                   limit $3) as counted"#,
            self.guild_id as Option<GuildId>,
            self.account_id.get(),
            limit,
        )
        .fetch_one(database)
        .await
    }

    /// Sorted by expiry. An index has the invites of a guild in this order, and one the invites of each character.
    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<InvitePosition>,
    ) -> sqlx::Result<Vec<GuildInvite>> {
        let end = rows.end();
        let (after, guild_id, character_id) = match rows.after {
            Some((expires_at, guild_id, character_id)) => {
                (Some(expires_at.0), Some(guild_id), Some(character_id))
            }
            None => (None, None, None),
        };
        sqlx::query_as!(
            GuildInvite,
            r#"with after as materialized (
                   select greatest($6::timestamptz, now()) as expires_at,
                          case when $6 > now() then $7::bigint else 9223372036854775807 end as guild_id,
                          case when $6 > now() then $8::bigint else 9223372036854775807 end as character_id
               ), open as (
                   (select invite.* from after cross join lateral (
                        select * from guild_invites
                        where guild_id = $1 and (expires_at, character_id) > (after.expires_at, after.character_id)
                        order by expires_at, character_id limit $5) as invite)
                   union all
                   (select invite.* from after cross join characters cross join lateral (
                        select * from guild_invites
                        where guild_invites.character_id = characters.character_id
                          and (expires_at, guild_invites.guild_id) >= (after.expires_at, after.guild_id)
                          and (expires_at, guild_invites.guild_id, guild_invites.character_id)
                              > (after.expires_at, after.guild_id, after.character_id)
                        order by expires_at, guild_invites.guild_id limit $5) as invite
                    where $1 is null and account_id = $2 and deleted_at is null)
               )
               select guild_id as "guild_id!: GuildId", guilds.name as guild_name,
                      invited.character_id as "character_id: CharacterId", invited.name as character_name,
                      inviter.name as invited_by, invited_at as "invited_at!", expires_at as "expires_at!"
               from (select * from open order by expires_at, guild_id, character_id limit $3 offset $4) as open
               join guilds using (guild_id)
               join characters invited on invited.character_id = open.character_id
               join characters inviter on inviter.character_id = invited_by
               order by expires_at, guild_id, invited.character_id"#,
            self.guild_id as Option<GuildId>,
            self.account_id.get(),
            rows.limit,
            rows.offset,
            end,
            after,
            guild_id as Option<GuildId>,
            character_id as Option<CharacterId>,
        )
        .fetch_all(database)
        .await
    }

    fn position(invite: &GuildInvite) -> InvitePosition {
        (Timestamp(invite.expires_at), invite.guild_id, invite.character_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/guild/invites")
    }
}

guildhall_common::examples! {
    GuildInvite {
        "guild_id": 1, "guild_name": "Night Watch", "character_id": 8, "character_name": "Tom Ashwood",
        "invited_by": "Mira Stormborn", "invited_at": "2030-01-01T12:00:00Z", "expires_at": "2030-01-31T12:00:00Z"
    }
}
