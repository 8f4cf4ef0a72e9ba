//! The kinds of mails, and what their links do.

use chrono::TimeDelta;

use crate::mail::token::TokenPurpose;

/// The time in which a mail without a link is still worth sending.
const WORTH_SENDING: TimeDelta = TimeDelta::days(3);

/// The kinds of mails. Each has a template of its name in each language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MailKind {
    /// Verifies the address of a new account.
    VerifyEmail,
    /// Verifies the new address of an account.
    VerifyNewEmail,
    /// Tells the old address that the account has another one.
    EmailChanged,
    /// Informs the owner of an address about a registration with it.
    AddressTaken,
    ResetPassword,
    PasswordChanged,
    NewDevice,
    SecondFactorEnabled,
    SecondFactorDisabled,
    RecoveryCodeUsed,
    AccountSuspended,
    /// The export of the account's data is ready.
    ExportReady,
    DeletionScheduled,
    /// The last mail. Its row is deleted when it is sent.
    DeletionDone,
}

/// The link of a mail, if it does something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Action {
    pub(crate) purpose: TokenPurpose,
    pub(crate) lifetime: TimeDelta,
    /// Whether the mail also has a code, which a player can type on another device.
    pub(crate) has_code: bool,
}

impl MailKind {
    const ALL: [Self; 14] = [
        Self::VerifyEmail,
        Self::VerifyNewEmail,
        Self::EmailChanged,
        Self::AddressTaken,
        Self::ResetPassword,
        Self::PasswordChanged,
        Self::NewDevice,
        Self::SecondFactorEnabled,
        Self::SecondFactorDisabled,
        Self::RecoveryCodeUsed,
        Self::AccountSuspended,
        Self::ExportReady,
        Self::DeletionScheduled,
        Self::DeletionDone,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verify_email",
            Self::VerifyNewEmail => "verify_new_email",
            Self::EmailChanged => "email_changed",
            Self::AddressTaken => "address_taken",
            Self::ResetPassword => "reset_password",
            Self::PasswordChanged => "password_changed",
            Self::NewDevice => "new_device",
            Self::SecondFactorEnabled => "second_factor_enabled",
            Self::SecondFactorDisabled => "second_factor_disabled",
            Self::RecoveryCodeUsed => "recovery_code_used",
            Self::AccountSuspended => "account_suspended",
            Self::ExportReady => "export_ready",
            Self::DeletionScheduled => "deletion_scheduled",
            Self::DeletionDone => "deletion_done",
        }
    }

    /// The kinds that strangers can cause.
    pub(crate) fn limited() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| kind.is_limited())
    }

    /// The kind of a stored mail. None if a newer worker stored it.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub(crate) fn action(self) -> Option<Action> {
        let action = |purpose, lifetime, has_code| Some(Action { purpose, lifetime, has_code });
        match self {
            Self::VerifyEmail | Self::VerifyNewEmail => {
                action(TokenPurpose::VerifyEmail, TimeDelta::hours(24), true)
            }
            Self::EmailChanged => action(TokenPurpose::UndoEmailChange, TimeDelta::days(7), false),
            Self::ResetPassword => action(TokenPurpose::ResetPassword, TimeDelta::hours(1), false),
            Self::ExportReady => action(TokenPurpose::OpenExport, TimeDelta::days(7), false),
            // It has no effect when the account is deleted.
            Self::DeletionScheduled => action(TokenPurpose::CancelDeletion, TimeDelta::days(365), false),
            Self::AddressTaken
            | Self::PasswordChanged
            | Self::NewDevice
            | Self::SecondFactorEnabled
            | Self::SecondFactorDisabled
            | Self::RecoveryCodeUsed
            | Self::AccountSuspended
            | Self::DeletionDone => None,
        }
    }

    /// How long the mail may wait for the mail server.
    pub(crate) fn worth_sending(self) -> TimeDelta {
        self.action().map_or(WORTH_SENDING, |action| action.lifetime.min(WORTH_SENDING))
    }

    /// The path of the site's page that the link opens, if the mail has a link.
    pub(crate) fn page(self) -> Option<&'static str> {
        match self {
            Self::VerifyEmail | Self::VerifyNewEmail => Some("/verify-email"),
            Self::EmailChanged => Some("/undo-email-change"),
            Self::ResetPassword => Some("/reset-password"),
            Self::AddressTaken | Self::PasswordChanged => Some("/forgot-password"),
            Self::NewDevice => Some("/account/sessions"),
            Self::SecondFactorEnabled | Self::SecondFactorDisabled | Self::RecoveryCodeUsed => {
                Some("/account/security")
            }
            Self::ExportReady => Some("/export"),
            Self::DeletionScheduled => Some("/cancel-deletion"),
            Self::AccountSuspended | Self::DeletionDone => None,
        }
    }

    /// Whether the owner of the recipient's account requests the mail. Such mails are limited per account. A link that sets a forgotten
    /// password is none of them, so a stranger with the password cannot keep the owner out.
    pub(crate) fn is_requested(self) -> bool {
        match self {
            Self::VerifyEmail | Self::VerifyNewEmail | Self::ExportReady | Self::DeletionScheduled => true,
            Self::EmailChanged
            | Self::AddressTaken
            | Self::ResetPassword
            | Self::PasswordChanged
            | Self::NewDevice
            | Self::SecondFactorEnabled
            | Self::SecondFactorDisabled
            | Self::RecoveryCodeUsed
            | Self::AccountSuspended
            | Self::DeletionDone => false,
        }
    }

    /// Whether a stranger can cause the mail. Such mails are limited per address.
    pub(crate) fn is_limited(self) -> bool {
        match self {
            Self::VerifyEmail | Self::VerifyNewEmail | Self::AddressTaken | Self::ResetPassword => true,
            Self::EmailChanged
            | Self::PasswordChanged
            | Self::NewDevice
            | Self::SecondFactorEnabled
            | Self::SecondFactorDisabled
            | Self::RecoveryCodeUsed
            | Self::AccountSuspended
            | Self::ExportReady
            | Self::DeletionScheduled
            | Self::DeletionDone => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::MailKind;
    use crate::mailer::rendering::{Site, load};

    #[test]
    fn each_kind_has_a_template() {
        let site =
            Site { name: "A".to_owned(), url: "https://a.example".to_owned(), color: "#000000".to_owned() };
        let link = "https://a.example/page";
        let values = json!({
            "account_name": "mira", "link": link, "code": "12345678", "expires_in_hours": "24",
            "expires_in_minutes": "60", "undo_days": "7", "new_email": "new@example.org",
            "changed_at": "now", "device": "Tablet", "network": "203.0.113.7", "at": "now",
            "codes_left": "9", "reason": "Fraud.", "expires_in_days": "7", "deleted_at": "2030-02-01"
        });
        let templates = load(None).unwrap();
        for kind in MailKind::ALL {
            let mail = templates.render(kind.name(), "en", &site, &values).unwrap();
            assert_eq!(mail.text.contains(link), kind.page().is_some(), "{kind:?}");
            assert_eq!(MailKind::from_name(kind.name()), Some(kind));
        }
    }
}
