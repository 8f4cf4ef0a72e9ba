//! All jobs that the workers run.

use crate::{
    account, character,
    engine::{job_transaction, jobs::JobKinds, purge},
    game, guild, mail, news, payments, site,
};

pub(crate) fn all_jobs() -> JobKinds {
    JobKinds::default()
        .with::<account::DeleteAccount>()
        .with::<account::EraseOutcomes>()
        .with::<account::ExportAccount>()
        .with::<account::PurgeAccounts>()
        .with::<account::PurgeSessions>()
        .with::<character::DeleteDueCharacter>()
        .with::<game::EndPresence>()
        .with::<game::PurgeChanges>()
        .with::<guild::DeleteLogoObjects>()
        .with::<guild::MoveLogos>()
        .with::<guild::PurgeInvites>()
        .with::<guild::PurgeLogos>()
        .with::<job_transaction::InvalidateCache>()
        .with::<mail::PurgeMails>()
        .with::<mail::SendMail>()
        .with::<news::AnnouncePost>()
        .with::<news::RenderPosts>()
        .with::<payments::CancelCharge>()
        .with::<payments::CheckCharge>()
        .with::<payments::ProcessNotification>()
        .with::<payments::PurgeNotifications>()
        .with::<payments::RecheckCharge>()
        .with::<payments::ReconcileLateReceipts>()
        .with::<payments::ReconcileReceipts>()
        .with::<payments::ReconcileRefunds>()
        .with::<payments::RegisterCharge>()
        .with::<payments::SendRefund>()
        .with::<purge::PurgeDeadLetterBodies>()
        .with::<purge::PurgeOperations>()
        .with::<site::SampleHealth>()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::all_jobs;

    /// Workers of other versions read stored jobs, so a line never changes.
    const STORED_JOBS: &str = include_str!("stored_jobs.jsonl");

    #[test]
    fn jobs_keep_their_stored_form() {
        let jobs = all_jobs();
        let mut named = BTreeSet::new();
        for line in STORED_JOBS.lines() {
            let job = jobs.parse(serde_json::from_str(line).unwrap()).unwrap();
            assert_eq!(job.stored().to_string(), line);
            named.insert(job.name());
        }
        assert_eq!(named, jobs.names().collect());
    }

    /// No rule schedules them.
    #[test]
    fn jobs_without_fields_recur() {
        let jobs = all_jobs();
        let lines = STORED_JOBS.lines().filter(|line| !line.contains(','));
        let without_fields =
            lines.map(|line| jobs.parse(serde_json::from_str(line).unwrap()).unwrap().name());
        assert_eq!(without_fields.collect::<BTreeSet<_>>(), jobs.recurring().collect());
    }
}
