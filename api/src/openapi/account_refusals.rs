//! The refusals of accounts.

use guildhall_common::contract::{
    account::AccountRefusal::{
        self, AccountNotFound, CharacterNameNotAllowed, CharacterNameTaken, EmailAlreadyVerified, EmailTaken,
        EmailUnchanged, LastAdmin, MailNotConfigured, NotSuspended, PasswordHasChanged, RoleUnchanged,
        SessionNotFound, SuspensionInThePast, TargetIsAdmin, TokenNotFound, TooManyCharacters, TooManyMails,
    },
    command::RefusalKind,
};

use crate::openapi::refusal_entry::{Entry, all, and, refused};

pub(super) fn account() -> Vec<Entry> {
    let wrong_password =
        || refused(RefusalKind::Forbidden, "wrong_password", "The password of your account is wrong.");
    let wrong_code = refused(
        RefusalKind::Forbidden,
        "wrong_code",
        "This code is wrong or not valid any more. Ask for a new mail.",
    );
    vec![
        ("account_register", all(&[AccountRefusal::NameTaken])),
        (
            "account_resend_verification",
            all(&[AccountNotFound, EmailAlreadyVerified, MailNotConfigured, TooManyMails]),
        ),
        ("account_verify_email", all(&[TokenNotFound, AccountNotFound, EmailTaken])),
        ("account_verify_email_code", and(wrong_code, &[AccountNotFound, EmailTaken])),
        (
            "account_change_email",
            and(
                wrong_password(),
                &[AccountNotFound, PasswordHasChanged, EmailUnchanged, MailNotConfigured, TooManyMails],
            ),
        ),
        ("account_undo_email_change", all(&[TokenNotFound, AccountNotFound, EmailTaken])),
        ("account_reset_password", all(&[TokenNotFound, AccountNotFound])),
        ("account_change_password", and(wrong_password(), &[AccountNotFound, PasswordHasChanged])),
        ("account_change_language", all(&[AccountNotFound])),
        ("account_end_session", all(&[SessionNotFound])),
        ("account_create_character", all(&[CharacterNameNotAllowed, CharacterNameTaken, TooManyCharacters])),
        (
            "auth_log_in",
            all(&[AccountNotFound, AccountRefusal::AccountSuspended, AccountRefusal::PasswordExpired]),
        ),
        ("auth_log_out", all(&[SessionNotFound])),
    ]
}

pub(super) fn account_administration() -> Vec<Entry> {
    vec![
        ("admin_account", all(&[AccountRefusal::AccountNotFound])),
        (
            "admin_suspend_account",
            all(&[AccountRefusal::AccountNotFound, TargetIsAdmin, SuspensionInThePast]),
        ),
        ("admin_lift_suspension", all(&[AccountRefusal::AccountNotFound, NotSuspended])),
        (
            "admin_expire_password",
            all(&[
                AccountRefusal::AccountNotFound,
                TargetIsAdmin,
                MailNotConfigured,
                AccountRefusal::EmailNotVerified,
            ]),
        ),
        ("admin_verify_email", all(&[AccountRefusal::AccountNotFound, EmailAlreadyVerified, EmailTaken])),
        ("admin_add_account_note", all(&[AccountRefusal::AccountNotFound])),
        ("admin_grant_role", all(&[AccountRefusal::AccountNotFound, RoleUnchanged])),
        ("admin_revoke_role", all(&[AccountRefusal::AccountNotFound, RoleUnchanged, LastAdmin])),
    ]
}
