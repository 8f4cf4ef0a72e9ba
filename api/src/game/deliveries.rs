//! Waiting until there is something to hand out.

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

/// How often to look, beside hearing of what was bought: a lease runs out in silence.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Leases what is due; waits for it, if there is nothing.
///
/// # Errors
/// Those of sending the command, and of the database.
pub(super) async fn lease(
    state: &State,
    call: &CommandRequest,
    actor: Actor,
    command: impl Fn() -> LeaseDeliveries,
    wait: LeaseWait,
) -> Result<DeliveriesLeased, Problem> {
    let ends_at = Instant::now() + Duration::from_secs(wait.get().unsigned_abs());
    let mut events = state.events.listen();
    loop {
        if is_due(state).await? {
            let leased = state.commands.send_and_wait(call, actor, command()).await?;
            // Another game server may have been faster.
            if !leased.items.is_empty() {
                return Ok(leased);
            }
        }
        let more = async {
            tokio::select! {
                () = events.wait_for(|event| event.topic == "delivery.ready") => {}
                () = sleep(LOOK_EVERY) => {}
            }
        };
        let more = state.stop.run_until_cancelled(timeout_at(ends_at, more));
        if !matches!(more.await, Some(Ok(()))) {
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
