//! The charge of a payment: the provider's report about it is fetched and recorded. Money enters the records only in this way, or by a
//! signed notification.

use guildhall_common::{
    contract::{payment::PaymentId, providers::Provider},
    platform::db,
};

use crate::{
    app::App,
    payments::payment::{PaymentSelector, lock},
    providers::{ChargeReport, ProviderError, ProviderResult},
};

/// A payment, and the reference of its charge at the provider.
pub(super) struct ChargeReference {
    pub(super) payment_id: PaymentId,
    pub(super) provider: Provider,
    pub(super) reference: String,
}

/// Finds the charge of a payment. It never changes, and nothing is locked while the provider responds.
pub(super) async fn find_charge(
    app: &App,
    selector: PaymentSelector<'_>,
) -> sqlx::Result<Option<ChargeReference>> {
    let (id, provider, reference) = selector.parts();
    sqlx::query_as!(
        ChargeReference,
        r#"select payment_id as "payment_id: PaymentId", provider as "provider: Provider", reference
           from payments where payment_id = $1 or (provider = $2 and reference = $3)"#,
        id as Option<PaymentId>,
        provider,
        reference,
    )
    .fetch_optional(&app.database)
    .await
}

/// Fetches the provider's report about a charge. It is empty if the charge was never registered, or if the provider reports
/// only by signed notifications.
pub(super) async fn fetch_report(app: &App, charge: &ChargeReference) -> ProviderResult<ChargeReport> {
    match app.services.providers.get(charge.provider)?.fetch_charge(&charge.reference).await {
        Err(ProviderError::NotFound | ProviderError::Unsupported) => Ok(ChargeReport::default()),
        report => report,
    }
}

/// Fetches the provider's report about a charge and records it.
pub(super) async fn update_payment(app: &App, charge: &ChargeReference) -> anyhow::Result<()> {
    let report = fetch_report(app, charge).await?;
    let mut transaction = db::begin(&app.database).await?;
    if let Some(mut payment) = lock(&mut transaction, PaymentSelector::Id(charge.payment_id)).await? {
        payment.record(&mut transaction, &report).await?;
        transaction.commit().await?;
    }
    Ok(())
}
