//! The refusals of operations about accounts, sessions and the second factor.

use guildhall_common::contract::{
    account::AccountRefusal::{
        self, AccountNotFound, AccountSuspended, CharacterBelongsToGame, CharacterLeadsGuild,
        CharacterNameNotAllowed, CharacterNameTaken, CharacterNameUnchanged, CharacterNotBeingDeleted,
        DeletionNotScheduled, DeliveriesPending, EmailAlreadyVerified, EmailTaken, EmailUnchanged, LastAdmin,
        MailNotConfigured, NotSuspended, PasswordExpired, PasswordHasChanged, RoleUnchanged,
        SecondFactorEnabled, SecondFactorNotEnabled, SecondFactorRequired, SecondFactorUsed, SessionNotFound,
        StaffStays, SuspensionInThePast, TargetIsAdmin, TokenNotFound, TooManyCharacters, TooManyMails,
    },
    command::{RefusalKind, Refused},
};

use super::entry::{Entry, all, and, refused};
use crate::{captcha::problems as captcha, http::own_page};

/// The refusals of a request that can need a captcha, and those of the workers.
fn with_captcha(refusals: &[AccountRefusal]) -> Vec<Refused> {
    let refused = |code, detail| refused(RefusalKind::Forbidden, code, detail);
    let of_captcha = vec![
        refused(captcha::REQUIRED, captcha::REQUIRED_DETAIL),
        refused(captcha::FAILED, captcha::FAILED_DETAIL),
    ];
    [of_captcha, all(refusals)].concat()
}

fn wrong_password() -> Refused {
    refused(RefusalKind::Forbidden, "wrong_password", "The password of your account is wrong.")
}

pub(super) fn account() -> Vec<Entry> {
    let wrong_code = refused(
        RefusalKind::Forbidden,
        "wrong_code",
        "This code is wrong or not valid any more. Ask for a new mail.",
    );
    vec![
        ("account_register", with_captcha(&[AccountRefusal::NameTaken])),
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
        ("account_forgot_password", with_captcha(&[])),
        ("account_reset_password", all(&[TokenNotFound, AccountNotFound])),
        ("account_change_password", and(wrong_password(), &[AccountNotFound, PasswordHasChanged])),
        ("account_change_language", all(&[AccountNotFound])),
        ("account_end_session", all(&[SessionNotFound])),
        (
            "auth_log_in",
            with_captcha(&[AccountNotFound, SecondFactorRequired, AccountSuspended, PasswordExpired]),
        ),
        ("auth_log_out", all(&[SessionNotFound])),
    ]
}

pub(super) fn leaving() -> Vec<Entry> {
    vec![
        (
            "account_request_export",
            and(
                wrong_password(),
                &[AccountNotFound, PasswordHasChanged, MailNotConfigured, AccountRefusal::EmailNotVerified],
            ),
        ),
        ("account_open_export", all(&[TokenNotFound])),
        (
            "account_delete",
            and(
                wrong_password(),
                &[AccountNotFound, PasswordHasChanged, StaffStays, AccountRefusal::DeletionScheduled],
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
    let forbidden = |code, detail| refused(RefusalKind::Forbidden, code, detail);
    let wrong_proof = || forbidden("wrong_password_or_code", "The password or the code is wrong.");
    let of_enrolment = vec![
        forbidden("invalid_enrolment", "The enrolment is not valid or has expired. Start again."),
        forbidden("wrong_code", "This code is wrong. Enter the current code of the app."),
    ];
    let of_owner = [AccountNotFound, PasswordHasChanged, SecondFactorNotEnabled, SecondFactorUsed];
    vec![
        ("account_start_second_factor", and(wrong_password(), &[SecondFactorEnabled])),
        (
            "account_enable_second_factor",
            [of_enrolment, all(&[AccountNotFound, PasswordHasChanged, SecondFactorEnabled])].concat(),
        ),
        ("account_disable_second_factor", and(wrong_proof(), &of_owner)),
        ("account_replace_recovery_codes", and(wrong_proof(), &of_owner)),
        ("auth_second_factor", all(&[AccountNotFound, SecondFactorUsed, AccountSuspended, PasswordExpired])),
    ]
}

pub(super) fn cookie_sessions() -> Vec<Entry> {
    let cross_origin =
        || refused(RefusalKind::Forbidden, own_page::CROSS_ORIGIN, own_page::CROSS_ORIGIN_DETAIL);
    let log_in = with_captcha(&[AccountNotFound, SecondFactorRequired, AccountSuspended, PasswordExpired]);
    let with_code = [AccountNotFound, SecondFactorUsed, AccountSuspended, PasswordExpired];
    vec![
        ("auth_cookie_log_in", [vec![cross_origin()], log_in].concat()),
        ("auth_cookie_second_factor", and(cross_origin(), &with_code)),
        ("auth_cookie_refresh", vec![cross_origin()]),
        ("auth_cookie_log_out", vec![cross_origin()]),
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
