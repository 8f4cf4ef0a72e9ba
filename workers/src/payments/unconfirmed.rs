//! The comparison of a claimed transfer with the records.

use guildhall_common::contract::providers::Provider;
use sqlx::PgConnection;

use crate::{
    payments::records::find_receipt,
    providers::{RefundState, ReportedRefund},
};

/// The part of a claimed transfer that the records do not have: the provider has not confirmed it. None if they have all of it.
pub(super) async fn find_unconfirmed(
    database: &mut PgConnection,
    provider: Provider,
    end_to_end_id: &str,
    refunds: &[ReportedRefund],
) -> sqlx::Result<Option<&'static str>> {
    let Some(receipt) = find_receipt(&mut *database, provider, end_to_end_id).await? else {
        return Ok(Some("the provider does not confirm it"));
    };
    if refunds.is_empty() {
        return Ok(None);
    }
    let recorded = sqlx::query!(
        r#"select refund_id, state as "state: RefundState" from refunds where receipt_id = $1"#,
        receipt.receipt_id.get(),
    )
    .fetch_all(database)
    .await?;
    let is_recorded = |claimed: &ReportedRefund| {
        // A refund that is claimed as pending may be completed by now.
        recorded.iter().any(|recorded| {
            recorded.refund_id == claimed.refund_id
                && (claimed.state == RefundState::Pending || recorded.state == claimed.state)
        })
    };
    Ok((!refunds.iter().all(is_recorded)).then_some("the provider does not confirm the refund"))
}
