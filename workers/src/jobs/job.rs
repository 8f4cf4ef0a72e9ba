//! The jobs that exist, with their wire names and their intervals.

use chrono::TimeDelta;
use guildhall_common::contract::{
    actor::{AccountId, ServiceTokenId},
    cache_key::CacheKey,
    character::CharacterId,
    guild::LogoId,
    mail::MailId,
    news::PostId,
    notification::NotificationId,
    payment::{PaymentId, ReceiptId},
};
use serde::{Deserialize, Serialize};

use crate::jobs::lane::Lane;

/// A job as it is stored. A changed job is a new variant. A renamed one keeps its wire name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Job {
    /// Announces a post at its time of publication.
    AnnouncePost {
        post_id: PostId,
    },
    PurgeOperations,
    PurgeInvites,
    PurgeSessions,
    /// Registers a charge with its payment provider, so that the player can pay it.
    RegisterCharge {
        payment_id: PaymentId,
    },
    /// Compares a payment with its charge at the provider, until the payment has expired.
    #[serde(rename = "watch_charge")]
    CheckCharge {
        payment_id: PaymentId,
    },
    /// Compares an expired payment with its charge at the provider once more.
    RecheckCharge {
        payment_id: PaymentId,
    },
    /// Cancels a charge at the provider.
    CancelCharge {
        payment_id: PaymentId,
    },
    /// Processes a notification of a payment provider.
    #[serde(rename = "read_notification")]
    ProcessNotification {
        notification_id: NotificationId,
    },
    /// Sends a refund through the provider.
    SendRefund {
        receipt_id: ReceiptId,
        refund_id: String,
    },
    /// Finds received money without a notification.
    #[serde(rename = "reconcile")]
    ReconcileReceipts,
    /// Finds received money that the provider has listed late.
    ReconcileLateReceipts,
    /// Finds returned money without a notification.
    #[serde(rename = "reconcile_returns")]
    ReconcileRefunds,
    PurgeNotifications,
    /// Samples the state of the site, for administrators.
    SampleHealth,
    /// Makes the characters of a game server offline when its lease on their presence has expired.
    EndPresence {
        service_token_id: ServiceTokenId,
    },
    PurgeDeadLetterBodies,
    SendMail {
        mail_id: MailId,
    },
    /// Deletes old mails, and secrets of mails that have expired.
    PurgeMails,
    /// Collects the data of an account, and sends its owner a link to it.
    ExportAccount {
        account_id: AccountId,
    },
    /// Deletes an account whose grace period has ended.
    DeleteAccount {
        account_id: AccountId,
    },
    /// Erases the outcomes of operations that name the owner of a deleted account, some thousand rows at a time.
    EraseOutcomes {
        account_id: AccountId,
    },
    /// Deletes exports and identities of deleted accounts that were kept for long enough.
    PurgeAccounts,
    /// Deletes the logos that no guild has any more, and the pictures of blocked ones.
    PurgeLogos,
    /// Moves pictures of logos from Postgres to the object store.
    MoveLogos,
    /// Deletes the pictures of a purged logo in the object store.
    DeleteLogoObjects {
        logo_id: LogoId,
    },
    /// Deletes a character some days after its player has requested it.
    DeleteCharacter {
        character_id: CharacterId,
    },
    /// Invalidates the cached responses that another job has made stale.
    InvalidateCache {
        keys: Vec<CacheKey>,
    },
}

impl Job {
    /// The recurring jobs and their intervals.
    pub(super) const RECURRING: [(Self, TimeDelta); 13] = [
        (Self::PurgeOperations, TimeDelta::hours(1)),
        (Self::PurgeInvites, TimeDelta::hours(1)),
        (Self::PurgeSessions, TimeDelta::hours(1)),
        (Self::PurgeNotifications, TimeDelta::hours(1)),
        (Self::PurgeDeadLetterBodies, TimeDelta::hours(1)),
        (Self::PurgeMails, TimeDelta::hours(1)),
        (Self::PurgeAccounts, TimeDelta::hours(1)),
        (Self::PurgeLogos, TimeDelta::hours(1)),
        (Self::MoveLogos, TimeDelta::minutes(1)),
        (Self::ReconcileReceipts, TimeDelta::minutes(1)),
        (Self::SampleHealth, TimeDelta::minutes(1)),
        (Self::ReconcileLateReceipts, TimeDelta::hours(3)),
        (Self::ReconcileRefunds, TimeDelta::hours(6)),
    ];

    pub(super) fn lane(&self) -> Lane {
        match self {
            Self::SendMail { .. } => Lane::Mail,
            _ => Lane::Main,
        }
    }

    /// Whether a player waits for the job. The claim of due jobs has the same condition.
    pub(super) fn is_awaited(&self) -> bool {
        matches!(self, Self::RegisterCharge { .. })
    }

    /// When a job that is done runs next.
    pub(super) fn next_run(&self) -> NextRun {
        let recurring = Self::RECURRING.iter().find(|(job, _)| job == self);
        recurring.map_or(NextRun::Done, |(_, interval)| NextRun::After(*interval))
    }
}

/// The result of an attempt at a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextRun {
    /// The job is done. A recurring job runs again after its interval.
    Done,
    /// The job continues after this time.
    After(TimeDelta),
}

#[cfg(test)]
mod tests {
    use super::Job;

    /// Workers of other versions read stored jobs, so a line never changes.
    #[test]
    fn jobs_keep_their_stored_form() {
        for line in [
            r#"{"name":"announce_post","post_id":7}"#,
            r#"{"name":"register_charge","payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#,
            r#"{"name":"watch_charge","payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#,
            r#"{"name":"recheck_charge","payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#,
            r#"{"name":"cancel_charge","payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#,
            r#"{"name":"read_notification","notification_id":7}"#,
            r#"{"name":"send_refund","receipt_id":7,"refund_id":"0192f0c12a3b7c4d8e5f60718293a4b5"}"#,
            r#"{"name":"reconcile"}"#,
            r#"{"name":"reconcile_late_receipts"}"#,
            r#"{"name":"sample_health"}"#,
            r#"{"name":"end_presence","service_token_id":7}"#,
            r#"{"name":"export_account","account_id":7}"#,
            r#"{"name":"delete_account","account_id":7}"#,
            r#"{"name":"erase_outcomes","account_id":7}"#,
            r#"{"name":"delete_logo_objects","logo_id":7}"#,
            r#"{"name":"delete_character","character_id":7}"#,
            r#"{"name":"invalidate_cache","keys":["guild:night watch","guilds"]}"#,
            r#"{"name":"send_mail","mail_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#,
        ] {
            let job: Job = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&job).unwrap(), line);
        }
    }
}
