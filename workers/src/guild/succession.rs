//! The end of a membership without a command of the player: a character or an account is deleted.

use guildhall_common::contract::{
    character::CharacterId,
    guild::{AssignableRank, GuildDeleted, GuildId, LeadershipPassed, MemberRemoved},
};
use sqlx::PgConnection;

use crate::{engine::context::Context, guild::access::Guild};

/// Locks a character and its guild, in the lock order. A caller that locks more rows calls this first.
///
/// # Errors
/// Those of the database. The character has changed its guild meanwhile: the caller tries again.
pub(crate) async fn lock_with_guild(
    database: &mut PgConnection,
    character_id: CharacterId,
) -> sqlx::Result<()> {
    lock_guild(database, character_id).await.map(drop)
}

/// Removes a character from its guild. If it leads the guild, the leadership passes to the member with the highest rank that has
/// been there for the longest time. A guild without other members is deleted.
///
/// It is for jobs too, and it does nothing for a character without a guild. It does not look at `offline_required`, because
/// there is no player who could wait.
///
/// # Errors
/// Those of [`lock_with_guild`].
pub(crate) async fn leave_or_pass_leadership(
    cx: &mut Context<'_>,
    character_id: CharacterId,
) -> sqlx::Result<()> {
    let Some(guild) = lock_guild(cx.db, character_id).await? else { return Ok(()) };
    let guild_id = guild.guild_id;
    cx.invalidate_guild(&guild.name);
    if guild.leader_id == character_id {
        let Some(successor) = find_successor(cx.db, &guild).await? else {
            // The foreign keys delete the last member and the invites too.
            sqlx::query!("delete from guilds where guild_id = $1", guild_id.get())
                .execute(&mut *cx.db)
                .await?;
            cx.publish("guild.deleted", &GuildDeleted { guild_id });
            return Ok(());
        };
        make_leader(cx.db, guild_id, successor).await?;
        let passed = LeadershipPassed { guild_id, leader_id: successor, former_leader_id: character_id };
        cx.publish("guild.leadership_passed", &passed);
    }
    sqlx::query!("delete from guild_members where character_id = $1", character_id.get())
        .execute(&mut *cx.db)
        .await?;
    cx.publish("guild.member_left", &MemberRemoved { guild_id, character_id });
    Ok(())
}

/// Makes a member the leader of its guild, which is locked.
pub(super) async fn make_leader(
    database: &mut PgConnection,
    guild_id: GuildId,
    successor: CharacterId,
) -> sqlx::Result<()> {
    // The stored rank of a leader is vice-leader: it applies after the leadership is passed on.
    sqlx::query!(
        "with successor as (update guild_members set rank = $3 where character_id = $2)
         update guilds set leader_id = $2 where guild_id = $1",
        guild_id.get(),
        successor.get(),
        AssignableRank::ViceLeader as _,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Locks a character and its guild, and returns the guild.
async fn lock_guild(database: &mut PgConnection, character_id: CharacterId) -> sqlx::Result<Option<Guild>> {
    let guild_id = find_guild(database, character_id).await?.map(|guild| guild.guild_id);
    let guild_ids: Vec<i64> = guild_id.iter().map(|id| id.get()).collect();
    sqlx::query!(
        r#"select lock_rows($1, '{}', array[$2::bigint], '{}', '{}', '{}', '{}')::text as locked"#,
        &guild_ids,
        character_id.get(),
    )
    .fetch_one(&mut *database)
    .await?;
    // A later statement: it sees the changes of the transactions for which the locks have waited.
    let guild = find_guild(database, character_id).await?;
    if guild.as_ref().is_some_and(|guild| Some(guild.guild_id) != guild_id) {
        let error = "the character has joined another guild before it was locked";
        return Err(sqlx::Error::Protocol(error.to_owned()));
    }
    Ok(guild)
}

async fn find_guild(database: &mut PgConnection, character_id: CharacterId) -> sqlx::Result<Option<Guild>> {
    sqlx::query_as!(
        Guild,
        r#"select guild_id as "guild_id: GuildId", name, leader_id as "leader_id: CharacterId"
           from guild_members join guilds using (guild_id) where character_id = $1"#,
        character_id.get(),
    )
    .fetch_optional(database)
    .await
}

/// The next leader: a member that will not be deleted too, if there is one.
async fn find_successor(database: &mut PgConnection, guild: &Guild) -> sqlx::Result<Option<CharacterId>> {
    sqlx::query_scalar!(
        r#"select character_id as "character_id: CharacterId"
           from guild_members join characters using (character_id)
           where guild_id = $1 and character_id <> $2
           order by deletion_due_at is not null, rank desc, joined_at, character_id limit 1"#,
        guild.guild_id.get(),
        guild.leader_id.get(),
    )
    .fetch_optional(database)
    .await
}
