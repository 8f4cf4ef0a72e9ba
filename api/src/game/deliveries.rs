//! Long polling: a lease request waits until a delivery is due.

use std::time::Duration;

use guildhall_common::contract::{
    command::Actor,
    game::{DeliveriesLeased, LeaseDeliveries, LeaseWait},
};
use tokio::time::{Instant, sleep, timeout_at};

use crate::{
    http::{command_request::CommandRequest, problem::Problem},
    state::State,
};

/// The interval between checks. Events announce purchases, but no event announces that a lease expires.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

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
    let ends_at = Instant::now() + Duration::from_secs(wait.get().unsigned_abs());
    let mut events = state.events.listen();
    loop {
        if is_due(state).await? {
            let leased = state.commands.send_and_wait(request, actor, command()).await?;
            // Another game server may have leased them first.
            if !leased.items.is_empty() {
                return Ok(leased);
            }
        }
        let next_check = async {
            tokio::select! {
                () = events.wait_for(|event| event.topic == "delivery.ready") => {}
                () = sleep(POLL_INTERVAL) => {}
            }
        };
        let next_check = state.stop.run_until_cancelled(timeout_at(ends_at, next_check));
        if !matches!(next_check.await, Some(Ok(()))) {
            return Ok(DeliveriesLeased { items: vec![] });
        }
    }
}

async fn is_due(state: &State) -> Result<bool, Problem> {
    let due = sqlx::query_scalar!(
        r#"select exists (select from deliveries where state = 'open' and due_at <= now()) as "due!""#,
    );
    Ok(due.fetch_one(&state.database).await?)
}
