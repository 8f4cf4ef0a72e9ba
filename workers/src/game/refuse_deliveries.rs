//! Refuses deliveries that a game server could not deliver.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        command::Failure,
        game::{DeliveriesRefused, RefuseDeliveries, RefusedDelivery},
    },
    platform::backoff::DELIVERY_DELAY,
};

use crate::{
    engine::{context::Context, rule::Rule},
    game::{
        game_server,
        timeline::{self, TimelineEvent},
    },
};

/// The number of refusals after which a delivery is parked. Temporary ones do not count.
const MAX_REFUSALS: i32 = 10;

/// The delay after a temporary refusal. It does not grow: the reason may pass at any moment.
const TEMPORARY_DELAY: TimeDelta = TimeDelta::minutes(1);

impl Rule for RefuseDeliveries {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesRefused, Failure> {
        game_server::record_answer(cx).await?;
        let mut refused = DeliveriesRefused { again: vec![], parked: vec![], unchanged: vec![] };
        for delivery in &self.deliveries {
            let change =
                if delivery.temporary { postpone(cx, delivery).await? } else { refuse(cx, delivery).await? };
            let (list, event) = match change {
                Change::None => (&mut refused.unchanged, None),
                Change::Postponed => (&mut refused.again, None),
                Change::Refused => (&mut refused.again, Some(TimelineEvent::Refused)),
                Change::Parked => (&mut refused.parked, Some(TimelineEvent::Parked)),
            };
            list.push(delivery.delivery_id);
            if let Some(event) = event {
                timeline::record(cx, event, &[delivery.delivery_id], Some(&delivery.reason)).await?;
            }
        }
        Ok(refused)
    }
}

/// What a refusal changed.
enum Change {
    /// The attempt is not the last one of an open delivery.
    None,
    /// Again for the same passing reason. That is no event: a player may be away for weeks.
    Postponed,
    Refused,
    Parked,
}

/// A refused delivery is due again after a delay. After too many refusals it is parked.
async fn refuse(cx: &mut Context<'_>, delivery: &RefusedDelivery) -> sqlx::Result<Change> {
    let is_parked = sqlx::query_scalar!(
        r#"update deliveries
           set last_error = $2, refusals = refusals + 1, unanswered = 0, is_postponed = false,
               due_at = $3::timestamptz + least($7::interval, $6::interval * power(2, least(refusals, 20))),
               parked_at = case when refusals + 1 >= $4 then $3::timestamptz end
           where delivery_id = $1 and state = 'open' and attempts > 0 and attempts = coalesce($5, attempts)
           returning parked_at is not null as "is_parked!""#,
        delivery.delivery_id.get(),
        &*delivery.reason,
        cx.now,
        MAX_REFUSALS,
        delivery.attempt.map(|attempt| attempt.get()),
        DELIVERY_DELAY.first as _,
        DELIVERY_DELAY.longest as _,
    )
    .fetch_optional(&mut *cx.db)
    .await?;
    Ok(match is_parked {
        None => Change::None,
        Some(false) => Change::Refused,
        Some(true) => Change::Parked,
    })
}

/// A temporary refusal does not count.
async fn postpone(cx: &mut Context<'_>, delivery: &RefusedDelivery) -> sqlx::Result<Change> {
    let is_repeated = sqlx::query_scalar!(
        r#"with previous as (
               select delivery_id, is_postponed and last_error is not distinct from $2 as is_repeated from deliveries
               where delivery_id = $1 and state = 'open' and attempts > 0 and attempts = coalesce($4, attempts)
               for update
           )
           update deliveries
           set last_error = $2, unanswered = 0, is_postponed = true, due_at = $3::timestamptz + $5::interval
           from previous where deliveries.delivery_id = previous.delivery_id
           returning is_repeated as "is_repeated!""#,
        delivery.delivery_id.get(),
        &*delivery.reason,
        cx.now,
        delivery.attempt.map(|attempt| attempt.get()),
        TEMPORARY_DELAY as _,
    )
    .fetch_optional(&mut *cx.db)
    .await?;
    Ok(match is_repeated {
        None => Change::None,
        Some(true) => Change::Postponed,
        Some(false) => Change::Refused,
    })
}
