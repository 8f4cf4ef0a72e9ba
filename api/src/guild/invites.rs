//! Open invites: of a guild, or to one's own characters. For who may see them alone, so not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    guild::GuildId,
    values::{Limit, Page},
};
use poem::http::StatusCode;
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    state::State,
};

/// An invite that has not expired.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct GuildInvite {
    pub guild_id: i64,
    pub guild_name: String,
    pub character_id: i64,
    pub character_name: String,
    pub invited_by: String,
    pub invited_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub(super) async fn invites(
    state: &State,
    account_id: i64,
    guild_id: Option<GuildId>,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<GuildInvite>>, Problem> {
    let guild_id = guild_id.map(GuildId::get);
    if let Some(guild_id) = guild_id {
        must_lead(state, account_id, guild_id).await?;
    }
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from guild_invites join characters using (character_id)
           where expires_at > now() and case when $1::bigint is null then account_id = $2 else guild_id = $1 end"#,
        guild_id,
        account_id,
    )
    .fetch_one(&state.database)
    .await?;
    let items = sqlx::query_as!(
        GuildInvite,
        "select guild_id, guilds.name as guild_name, invited.character_id, invited.name as character_name,
                inviter.name as invited_by, invited_at, expires_at
         from guild_invites join guilds using (guild_id)
         join characters invited on invited.character_id = guild_invites.character_id
         join characters inviter on inviter.character_id = invited_by
         where expires_at > now() and case when $1::bigint is null then invited.account_id = $2 else guild_id = $1 end
         order by invited_at, guild_id, invited.character_id limit $3 offset $4",
        guild_id,
        account_id,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    ReadResponse::private_page(items, page, limit, total)
}

async fn must_lead(state: &State, account_id: i64, guild_id: i64) -> Result<(), Problem> {
    let leads = sqlx::query_scalar!(
        r#"select exists (select from guild_members join characters using (character_id)
                          where guild_members.guild_id = guilds.guild_id and account_id = $2 and rank = 2) as "leads!"
           from guilds where guild_id = $1"#,
        guild_id,
        account_id,
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(|| Problem::not_found("guild_not_found", "There is no such guild."))?;
    if leads {
        return Ok(());
    }
    let detail = "Only the leader and the vice-leaders of the guild may do this.";
    Err(Problem::new(StatusCode::FORBIDDEN, "not_leading", detail))
}

guildhall_common::examples! {
    GuildInvite {
        "guild_id": 1, "guild_name": "Night Watch", "character_id": 8, "character_name": "Tom Ashwood",
        "invited_by": "Mira Stormborn", "invited_at": "2030-01-01T12:00:00Z", "expires_at": "2030-01-31T12:00:00Z"
    }
}
