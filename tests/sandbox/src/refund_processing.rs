//! The background processing of refunds.

use std::{sync::Arc, time::Duration};

use tokio::time::sleep;

use crate::{bank::RefundStatus, state::SandboxState};

/// Completes a refund after the configured delay, and queues a notification.
pub(crate) async fn complete_refund_later(
    state: Arc<SandboxState>,
    end_to_end_id: String,
    refund_id: String,
) {
    sleep(Duration::from_millis(state.config.refund_ms)).await;
    let fails = state.faults().api.devolucao_fails.fires();
    let status = if fails { RefundStatus::Failed } else { RefundStatus::Refunded };
    let completed = state.bank().complete_refund(&end_to_end_id, &refund_id, status);
    match completed {
        Ok(()) => state.queue_notification(&end_to_end_id),
        Err(error) => tracing::error!(?error, end_to_end_id, refund_id, "refund not completed"),
    }
}
