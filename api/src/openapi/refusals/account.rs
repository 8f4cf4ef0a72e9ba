//! The refusals of operations about accounts, sessions and the second factor.

use guildhall_common::contract::{
    account::AccountRefusal::{
        self, AccountNotFound, AccountSuspended, CharacterBelongsToGame, CharacterLeadsGuild,
        CharacterNameNotAllowed, CharacterNameTaken, CharacterNameUnchanged, CharacterNotBeingDeleted,
        DeletionNotScheduled, DeliveriesPending, EmailAlreadyVerified, EmailNotAccepted, EmailTaken,
        EmailUnchanged, LastAdmin, MailNotConfigured, NotSuspended, PasswordExpired, PasswordHasChanged,
        RoleUnchanged, SecondFactorEnabled, SecondFactorNotEnabled, SecondFactorRequired, SecondFactorUsed,
        SessionNotFound, StaffStays, SuspensionInThePast, TargetIsAdmin, TokenNotFound, TooManyCharacters,
        TooManyMails,
    },
    command::Refused,
};

use super::entry::{Entry, all, and};
use crate::http::api_refusal::ApiRefusal::{
    CaptchaFailed, CaptchaRequired, CrossOrigin, InvalidEnrolment, WrongAppCode, WrongMailCode,
    WrongPassword, WrongPasswordOrCode,
};

/// The refusals of a request that can need a captcha, and those of the workers.
fn with_captcha(refusals: &[AccountRefusal]) -> Vec<Refused> {
    [all(&[CaptchaRequired, CaptchaFailed]), all(refusals)].concat()
}

/// The refusals of a log-in with a password.
const LOG_IN: [AccountRefusal; 5] =
    [AccountNotFound, PasswordHasChanged, SecondFactorRequired, AccountSuspended, PasswordExpired];

/// The refusals of a log-in with a code.
const LOG_IN_WITH_CODE: [AccountRefusal; 5] =
    [AccountNotFound, PasswordHasChanged, SecondFactorUsed, AccountSuspended, PasswordExpired];

pub(super) fn account() -> Vec<Entry> {
    vec![
        ("account_register", with_captcha(&[AccountRefusal::NameTaken, EmailNotAccepted])),
        (
            "account_resend_verification",
            all(&[AccountNotFound, EmailAlreadyVerified, MailNotConfigured, TooManyMails]),
        ),
        ("account_verify_email", all(&[TokenNotFound, AccountNotFound, EmailTaken])),
        ("account_verify_email_code", and(WrongMailCode, &[AccountNotFound, EmailTaken])),
        (
            "account_change_email",
            and(
                WrongPassword,
                &[
                    AccountNotFound,
                    PasswordHasChanged,
                    EmailUnchanged,
                    EmailNotAccepted,
                    MailNotConfigured,
                    TooManyMails,
                ],
            ),
        ),
        ("account_undo_email_change", all(&[TokenNotFound, AccountNotFound, EmailTaken])),
        ("account_forgot_password", with_captcha(&[])),
        ("account_reset_password", all(&[TokenNotFound, AccountNotFound])),
        ("account_change_password", and(WrongPassword, &[AccountNotFound, PasswordHasChanged])),
        ("account_change_language", all(&[AccountNotFound])),
        ("account_end_session", all(&[SessionNotFound])),
        ("auth_log_in", with_captcha(&LOG_IN)),
        ("auth_log_out", all(&[SessionNotFound])),
    ]
}

pub(super) fn leaving() -> Vec<Entry> {
    vec![
        (
            "account_request_export",
            and(
                WrongPassword,
                &[
                    AccountNotFound,
                    PasswordHasChanged,
                    MailNotConfigured,
                    AccountRefusal::EmailNotVerified,
                    TooManyMails,
                ],
            ),
        ),
        ("account_open_export", all(&[TokenNotFound])),
        (
            "account_delete",
            and(
                WrongPassword,
                &[
                    AccountNotFound,
                    PasswordHasChanged,
                    StaffStays,
                    AccountRefusal::DeletionScheduled,
                    TooManyMails,
                ],
            ),
        ),
        ("account_cancel_deletion", all(&[AccountNotFound, DeletionNotScheduled])),
        ("account_cancel_deletion_by_link", all(&[TokenNotFound, AccountNotFound, DeletionNotScheduled])),
    ]
}

pub(super) fn characters() -> Vec<Entry> {
    let rename = [
        AccountRefusal::CharacterNotFound,
        AccountRefusal::NotYourCharacter,
        CharacterBelongsToGame,
        AccountRefusal::CharacterBeingDeleted,
        CharacterNameNotAllowed,
        CharacterNameUnchanged,
        CharacterNameTaken,
        DeliveriesPending,
        AccountRefusal::NotEnoughCoins,
    ];
    let delete = [
        AccountRefusal::CharacterNotFound,
        AccountRefusal::NotYourCharacter,
        CharacterBelongsToGame,
        AccountRefusal::CharacterBeingDeleted,
        CharacterLeadsGuild,
        DeliveriesPending,
    ];
    vec![
        ("character_view", all(&[AccountRefusal::CharacterNotFound])),
        (
            "account_create_character",
            all(&[AccountNotFound, CharacterNameNotAllowed, CharacterNameTaken, TooManyCharacters]),
        ),
        ("account_rename_character", all(&rename)),
        ("account_delete_character", all(&delete)),
        (
            "account_cancel_character_deletion",
            all(&[
                AccountRefusal::CharacterNotFound,
                AccountRefusal::NotYourCharacter,
                CharacterNotBeingDeleted,
            ]),
        ),
    ]
}

pub(super) fn second_factor() -> Vec<Entry> {
    let of_enrolment = all(&[InvalidEnrolment, WrongAppCode]);
    let of_owner = [AccountNotFound, PasswordHasChanged, SecondFactorNotEnabled, SecondFactorUsed];
    vec![
        ("account_start_second_factor", and(WrongPassword, &[SecondFactorEnabled])),
        (
            "account_enable_second_factor",
            [of_enrolment, all(&[AccountNotFound, PasswordHasChanged, SecondFactorEnabled])].concat(),
        ),
        ("account_disable_second_factor", and(WrongPasswordOrCode, &of_owner)),
        ("account_replace_recovery_codes", and(WrongPasswordOrCode, &of_owner)),
        ("auth_second_factor", all(&LOG_IN_WITH_CODE)),
    ]
}

pub(super) fn cookie_sessions() -> Vec<Entry> {
    let log_in = with_captcha(&LOG_IN);
    vec![
        ("auth_cookie_log_in", [all(&[CrossOrigin]), log_in].concat()),
        ("auth_cookie_second_factor", and(CrossOrigin, &LOG_IN_WITH_CODE)),
        ("auth_cookie_refresh", all(&[CrossOrigin])),
        ("auth_cookie_log_out", all(&[CrossOrigin])),
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
        (
            "admin_reset_second_factor",
            all(&[AccountRefusal::AccountNotFound, TargetIsAdmin, SecondFactorNotEnabled]),
        ),
        ("admin_verify_email", all(&[AccountRefusal::AccountNotFound, EmailAlreadyVerified, EmailTaken])),
        ("admin_add_account_note", all(&[AccountRefusal::AccountNotFound])),
        ("admin_grant_role", all(&[AccountRefusal::AccountNotFound, RoleUnchanged])),
        ("admin_revoke_role", all(&[AccountRefusal::AccountNotFound, RoleUnchanged, LastAdmin])),
    ]
}
