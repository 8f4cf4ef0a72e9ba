//! Writing down what the game could not give.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveriesRefused, RefuseDeliveries},
};

use crate::{
    engine::rule::{Context, Rule},
    game::timeline::{What, happened},
};

impl Rule for RefuseDeliveries {
    /// Each comes again after a pause that doubles, from 5 s to 10 min, until it was tried too often.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesRefused, Failure> {
        let mut refused = DeliveriesRefused { again: vec![], parked: vec![], unchanged: vec![] };
        for delivery in &self.deliveries {
            let parked = sqlx::query_scalar!(
                r#"update deliveries
                   set last_error = $2,
                       due_at = $3::timestamptz + least(interval '10 minutes', interval '5 seconds' * power(2, least(attempts - 1, 7))),
                       parked_at = case when attempts >= $4 then $3::timestamptz end
                   where delivery_id = $1 and state = 'open' and attempts > 0 and attempts = coalesce($5, attempts)
                   returning parked_at is not null as "parked!""#,
                delivery.delivery_id,
                &*delivery.reason,
                cx.now,
                cx.settings.delivery_tries,
                delivery.attempt.map(|attempt| attempt.get()),
            )
            .fetch_optional(&mut *cx.db)
            .await?;
            let Some(parked) = parked else {
                refused.unchanged.push(delivery.delivery_id);
                continue;
            };
            let what = if parked { What::Parked } else { What::Refused };
            happened(cx, what, &[delivery.delivery_id], Some(&delivery.reason)).await?;
            let list = if parked { &mut refused.parked } else { &mut refused.again };
            list.push(delivery.delivery_id);
        }
        Ok(refused)
    }
}
