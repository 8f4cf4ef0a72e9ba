//! The match on the job: it runs the job's code in the domain of the job.

use crate::{
    account,
    app::App,
    character, game, guild,
    jobs::{
        job::{Job, NextRun},
        purge,
        sample_health::sample_health,
    },
    mail, news, payments,
};

/// Runs one attempt at a job.
pub(super) async fn run(app: &App, job: &Job) -> anyhow::Result<NextRun> {
    match job {
        Job::AnnouncePost { post_id } => news::announce(app, *post_id).await,
        Job::PurgeOperations => purge::operations(app).await,
        Job::PurgeInvites => purge::invites(app).await,
        Job::PurgeSessions => purge::sessions(app).await,
        Job::RegisterCharge { payment_id } => payments::register_charge(app, *payment_id).await,
        Job::CheckCharge { payment_id } => payments::check_charge(app, *payment_id).await,
        Job::RecheckCharge { payment_id } => payments::recheck_charge(app, *payment_id).await,
        Job::CancelCharge { payment_id } => payments::cancel_charge(app, *payment_id).await,
        Job::ProcessNotification { notification_id } => {
            payments::process_notification(app, *notification_id).await
        }
        Job::SendRefund { receipt_id, refund_id } => payments::send_refund(app, *receipt_id, refund_id).await,
        Job::ReconcileReceipts => payments::reconcile_receipts(app).await,
        Job::ReconcileLateReceipts => payments::reconcile_late_receipts(app).await,
        Job::ReconcileRefunds => payments::reconcile_refunds(app).await,
        Job::EndPresence { service_token_id } => game::end_presence(app, *service_token_id).await,
        Job::SampleHealth => sample_health(app).await,
        Job::PurgeNotifications => purge::notifications(app).await,
        Job::PurgeDeadLetterBodies => purge::dead_letter_bodies(app).await,
        Job::SendMail { mail_id } => mail::send(app, *mail_id).await,
        Job::PurgeMails => purge::mails(app).await,
        Job::ExportAccount { account_id } => account::export(app, *account_id).await,
        Job::DeleteAccount { account_id } => account::delete(app, *account_id).await,
        Job::EraseOutcomes { account_id } => account::erase_next_outcomes(app, *account_id).await,
        Job::PurgeAccounts => purge::accounts(app).await,
        Job::PurgeLogos => guild::purge_logos(app).await,
        Job::MoveLogos => guild::move_logos(app).await,
        Job::DeleteLogoObjects { logo_id } => guild::delete_logo_objects(app, *logo_id).await,
        Job::DeleteCharacter { character_id } => character::deletion::delete_due(app, *character_id).await,
        Job::InvalidateCache { keys } => {
            app.cache.invalidate_or_suspend(&app.database, keys).await?;
            Ok(NextRun::Done)
        }
    }
}
