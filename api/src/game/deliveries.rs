//! The lease of deliveries. A request waits until one is due.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::contract::{
    account::ServiceTokenId,
    command::Actor,
    game::{DeliveriesLeased, LeaseDeliveries, LeaseWait, RenewPresence},
};

use crate::{
    game::long_poll::LongPoll,
    http::{command_request::CommandRequest, problem::Problem},
    state::State,
};

/// The interval between renewals of the lease on presence.
const RENEWAL_INTERVAL: TimeDelta = TimeDelta::seconds(15);

/// Leases the deliveries that are due. If there are none, it waits for them.
///
/// # Errors
/// Those of the command, and 503 when the database does not respond.
pub(super) async fn lease(
    state: &State,
    request: &CommandRequest,
    actor: Actor,
    command: impl Fn() -> LeaseDeliveries,
    wait: LeaseWait,
) -> Result<DeliveriesLeased, Problem> {
    let mut poll = LongPoll::start(state, wait);
    renew_presence(state, request, actor).await?;
    loop {
        let command = command();
        if let Some(now) = find_due(state, actor, &command).await? {
            // If no worker has time, the command waits in its queue after this request has failed.
            let command = LeaseDeliveries { deadline: Some(now + state.commands.wait), ..command };
            let leased = state.commands.send_and_wait(request, actor, command).await?;
            // Another game server may have leased them first.
            if !leased.items.is_empty() {
                return Ok(leased);
            }
        }
        if !poll.wait_for_check("delivery.ready").await {
            return Ok(DeliveriesLeased { items: vec![] });
        }
    }
}

/// Renews the game server's lease on presence. A poll without due deliveries sends no other command.
async fn renew_presence(state: &State, request: &CommandRequest, actor: Actor) -> Result<(), Problem> {
    let Some(service_token_id) = actor.service_token_id() else { return Ok(()) };
    let is_renewed = sqlx::query_scalar!(
        r#"select exists (
               select from game_servers where service_token_id = $1 and seen_at > now() - $2::interval
           ) as "is_renewed!""#,
        service_token_id.get(),
        RENEWAL_INTERVAL as _,
    );
    if is_renewed.fetch_one(&state.database).await? {
        return Ok(());
    }
    // A lease lasts for many polls, so the next one tries again if this one fails.
    let _ = state.commands.enqueue(request, actor, RenewPresence).await;
    Ok(())
}

/// The time by the clock of the database, if the game server may lease a delivery now. Its token may have been revoked while it
/// waited. Deliveries of suspended buyers wait.
async fn find_due(
    state: &State,
    actor: Actor,
    command: &LeaseDeliveries,
) -> Result<Option<DateTime<Utc>>, Problem> {
    let service_token_id = actor.service_token_id().map(ServiceTokenId::get);
    let world = command.world.as_deref();
    if command.online {
        return Ok(find_due_online(state, service_token_id, world).await?);
    }
    let due = sqlx::query_scalar!(
        r#"select now() as "now!"
           where exists (select from service_tokens where service_token_id = $1 and revoked_at is null)
               and exists (
                   select from deliveries
                   where state = 'open' and due_at <= now() and ($2::text is null or exists (
                       select from characters
                       where characters.character_id = deliveries.character_id and (world is null or world = $2)))
                       and (select suspended_until > now() from accounts where account_id = kept_account_id) is not true)"#,
        service_token_id,
        world,
    );
    Ok(due.fetch_optional(&state.database).await?)
}

/// It starts from the characters that are online: many deliveries may wait for players who are offline, and `offset 0` keeps
/// Postgres from reading these.
async fn find_due_online(
    state: &State,
    service_token_id: Option<i64>,
    world: Option<&str>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        r#"select now() as "now!"
           where exists (select from service_tokens where service_token_id = $1 and revoked_at is null) and exists (
               select from game_servers join characters on online_by = game_servers.service_token_id
                   cross join lateral (
                       select from deliveries
                       where deliveries.character_id = characters.character_id and state = 'open' and due_at <= now()
                           and (select suspended_until > now() from accounts where account_id = kept_account_id) is not true
                       offset 0) as due
               where presence_until > now() and online_by is not null
                   and ($2::text is null or world is null or world = $2))"#,
        service_token_id,
        world,
    )
    .fetch_optional(&state.database)
    .await
}
