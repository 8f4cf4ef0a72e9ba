//! Refuses deliveries that a game server could not deliver.

use guildhall_common::{
    contract::{
        command::Failure,
        game::{DeliveriesRefused, RefuseDeliveries},
    },
    platform::backoff::DELIVERY_DELAY,
};

use crate::{
    engine::rule::{Context, Rule},
    game::{
        game_server,
        timeline::{self, DeliveryEventKind},
    },
};

impl Rule for RefuseDeliveries {
    /// A refused delivery is due again after a delay. After too many refusals it is parked.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesRefused, Failure> {
        game_server::record_answer(cx).await?;
        let mut refused = DeliveriesRefused { again: vec![], parked: vec![], unchanged: vec![] };
        for delivery in &self.deliveries {
            let parked = sqlx::query_scalar!(
                r#"update deliveries
                   set last_error = $2, refusals = refusals + 1, unanswered = 0,
                       due_at = $3::timestamptz + least($7::interval, $6::interval * power(2, least(refusals, 20))),
                       parked_at = case when refusals + 1 >= $4 then $3::timestamptz end
                   where delivery_id = $1 and state = 'open' and attempts > 0 and attempts = coalesce($5, attempts)
                   returning parked_at is not null as "parked!""#,
                delivery.delivery_id.get(),
                &*delivery.reason,
                cx.now,
                cx.settings.delivery_tries,
                delivery.attempt.map(|attempt| attempt.get()),
                DELIVERY_DELAY.first as _,
                DELIVERY_DELAY.longest as _,
            )
            .fetch_optional(&mut *cx.db)
            .await?;
            let Some(parked) = parked else {
                refused.unchanged.push(delivery.delivery_id);
                continue;
            };
            let event = if parked { DeliveryEventKind::Parked } else { DeliveryEventKind::Refused };
            timeline::record(cx, event, &[delivery.delivery_id], Some(&delivery.reason)).await?;
            let list = if parked { &mut refused.parked } else { &mut refused.again };
            list.push(delivery.delivery_id);
        }
        Ok(refused)
    }
}
