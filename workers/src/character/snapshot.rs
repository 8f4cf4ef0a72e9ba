//! Snapshots of all online characters of a game server. A snapshot may have several parts.

use guildhall_common::contract::{actor::ServiceTokenId, character::CharacterId, game::SnapshotId};

use crate::{
    character::reported::{Reported, online_keys},
    engine::context::Context,
};

/// Stores a part of a snapshot. The last part makes the characters offline that are not in the snapshot, and returns them.
pub(super) async fn store_part(
    cx: &mut Context<'_>,
    server: ServiceTokenId,
    snapshot_id: SnapshotId,
    reported: &Reported<'_>,
    is_last: bool,
) -> sqlx::Result<Vec<CharacterId>> {
    let is_new = sqlx::query_scalar!(
        r#"select snapshot_id is distinct from $2 as "is_new!" from game_servers where service_token_id = $1"#,
        server.get(),
        snapshot_id.get(),
    );
    if !is_new.fetch_one(&mut *cx.db).await? {
        return Ok(vec![]);
    }
    sqlx::query!(
        "insert into snapshot_characters (service_token_id, character_id, snapshot_id)
         select $1, character_id, $2 from characters where name_key = any($3) and online_by = $1 order by character_id
         on conflict (service_token_id, character_id) do update set snapshot_id = excluded.snapshot_id",
        server.get(),
        snapshot_id.get(),
        &online_keys(reported),
    )
    .execute(&mut *cx.db)
    .await?;
    if is_last {
        return end(cx, server, snapshot_id).await;
    }
    sqlx::query!(
        "update game_servers set open_snapshot_id = $2 where service_token_id = $1",
        server.get(),
        snapshot_id.get()
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(vec![])
}

/// Adds characters to the snapshot whose last part has not arrived: players who log in meanwhile are in none of its parts.
pub(super) async fn add_to_open(
    cx: &mut Context<'_>,
    server: ServiceTokenId,
    reported: &Reported<'_>,
) -> sqlx::Result<()> {
    let online = online_keys(reported);
    if online.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into snapshot_characters (service_token_id, character_id, snapshot_id)
         select service_token_id, character_id, open_snapshot_id
         from game_servers join characters on online_by = service_token_id
         where service_token_id = $1 and open_snapshot_id is not null and name_key = any($2) order by character_id
         on conflict (service_token_id, character_id) do update set snapshot_id = excluded.snapshot_id",
        server.get(),
        &online,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

async fn end(
    cx: &mut Context<'_>,
    server: ServiceTokenId,
    snapshot_id: SnapshotId,
) -> sqlx::Result<Vec<CharacterId>> {
    let offline = sqlx::query_scalar!(
        r#"update characters set online = false, online_by = null
           where character_id in (
               select character_id from characters
               where online_by = $1 and not exists (
                   select from snapshot_characters as part
                   where part.service_token_id = $1 and part.character_id = characters.character_id
                       and part.snapshot_id = $2)
               order by name_key for no key update)
           returning character_id as "character_id: CharacterId""#,
        server.get(),
        snapshot_id.get(),
    )
    .fetch_all(&mut *cx.db)
    .await?;
    sqlx::query!("delete from snapshot_characters where service_token_id = $1", server.get())
        .execute(&mut *cx.db)
        .await?;
    sqlx::query!(
        "update game_servers set snapshot_id = $2, open_snapshot_id = null where service_token_id = $1",
        server.get(),
        snapshot_id.get()
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(offline)
}
