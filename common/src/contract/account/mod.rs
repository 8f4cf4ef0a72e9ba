//! Accounts: their commands and values.

mod add_note;
mod cancel_character_deletion;
mod cancel_deletion;
mod cancel_deletion_by_link;
mod change_email;
mod change_language;
mod change_password;
mod create_character;
mod create_link_code;
mod delete_character;
mod disable_second_factor;
mod enable_second_factor;
mod end_other_sessions;
mod end_session;
mod expire_password;
mod grant_role;
mod language;
mod lift_suspension;
mod open_export;
mod refusal;
mod register;
mod rename_character;
mod replace_recovery_codes;
mod request_export;
mod request_password_reset;
mod resend_verification;
mod reset_password;
mod reset_second_factor;
mod revoke_role;
mod role;
mod rotate_session;
mod schedule_deletion;
mod second_factor_proof;
mod start_session;
mod suspend;
mod undo_email_change;
mod values;
mod verify_email;
mod verify_email_by_hand;
mod verify_email_code;

use super::cache_key::CacheKey;
use crate::domain;

pub use self::{
    language::Language,
    refusal::AccountRefusal,
    role::{Role, StaffRole},
    second_factor_proof::{AcceptedStep, SecondFactorProof},
    values::{AccountName, AccountNoteId, Email, LinkCode, NoteText, PERSONAL_FIELDS, SessionId},
};
pub use super::actor::{AccountId, ServiceTokenId};

domain! {
    /// The commands about accounts.
    AccountCommand("account") {
        register::Register,
        start_session::StartSession,
        rotate_session::RotateSession,
        end_session::EndSession,
        end_other_sessions::EndOtherSessions,
        create_character::CreateCharacter,
        rename_character::RenameCharacter,
        delete_character::DeleteCharacter,
        cancel_character_deletion::CancelCharacterDeletion,
        create_link_code::CreateLinkCode,
        change_language::ChangeLanguage,
        resend_verification::ResendVerification,
        verify_email::VerifyEmail,
        verify_email_code::VerifyEmailCode,
        change_email::ChangeEmail,
        undo_email_change::UndoEmailChange,
        request_password_reset::RequestPasswordReset,
        reset_password::ResetPassword,
        change_password::ChangePassword,
        suspend::SuspendAccount,
        lift_suspension::LiftSuspension,
        expire_password::ExpirePassword,
        verify_email_by_hand::VerifyEmailByHand,
        add_note::AddAccountNote,
        grant_role::GrantRole,
        revoke_role::RevokeRole,
        enable_second_factor::EnableSecondFactor,
        disable_second_factor::DisableSecondFactor,
        replace_recovery_codes::ReplaceRecoveryCodes,
        reset_second_factor::ResetSecondFactor,
        request_export::RequestExport,
        open_export::OpenExport,
        schedule_deletion::ScheduleDeletion,
        cancel_deletion::CancelDeletion,
        cancel_deletion_by_link::CancelDeletionByLink,
    }
}

/// The prefix of service tokens. Scanners for leaked secrets recognise it.
pub const SERVICE_TOKEN_PREFIX: &str = "ghs_";

/// The valid service tokens.
#[must_use]
pub fn service_tokens_key() -> CacheKey {
    CacheKey::new("service-tokens", "all")
}

/// The roles of a session's account.
#[must_use]
pub fn session_key(session_id: SessionId) -> CacheKey {
    CacheKey::new("session", &session_id.to_string())
}
