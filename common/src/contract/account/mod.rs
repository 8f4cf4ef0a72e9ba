//! Accounts: commands, outputs, refusals.

mod administration;
mod email;
mod leaving;
mod link;
mod password;
mod second_factor;
mod session;
mod values;
mod wire_forms;

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

pub use self::{
    administration::{
        AccountNoteAdded, AccountNoteId, AccountSuspended, AddAccountNote, ExpirePassword, GrantRole,
        LiftSuspension, NoteText, PasswordExpired, ResetSecondFactor, RevokeRole, RoleGranted, RoleRevoked,
        StaffRole, SuspendAccount, SuspensionLifted, VerifyEmailByHand,
    },
    email::{
        ChangeEmail, EmailChangeRequested, EmailChangeUndone, EmailVerified, ResendVerification,
        UndoEmailChange, VerificationSent, VerifyEmail, VerifyEmailCode,
    },
    leaving::{
        CancelDeletion, CancelDeletionByLink, DeletionCancelled, DeletionScheduled, ExportOpened,
        ExportRequested, OpenExport, RequestExport, ScheduleDeletion,
    },
    link::{CreateLinkCode, LinkCode, LinkCodeCreated, LinkCodeUsed, UseLinkCode},
    password::{
        ChangePassword, PasswordChanged, PasswordReset, PasswordResetRequested, RequestPasswordReset,
        ResetPassword,
    },
    second_factor::{
        AcceptedStep, DisableSecondFactor, EnableSecondFactor, RecoveryCodesReplaced, ReplaceRecoveryCodes,
        SecondFactorDisabled, SecondFactorEnabled, SecondFactorProof,
    },
    session::{
        EndOtherSessions, EndSession, RenewedHash, RotateSession, SessionEnded, SessionRotated,
        SessionStarted, SessionsEnded, StartSession, session_key,
    },
    values::{AccountName, Email, SessionId},
};
pub use super::actor::{AccountId, ServiceTokenId};
use super::{
    actor::Actor,
    cache_key::CacheKey,
    character::{
        CancelCharacterDeletion, CharacterCreated, CharacterDeletionCancelled, CharacterDeletionRequested,
        CharacterRenamed, CreateCharacter, DeleteCharacter, RenameCharacter,
    },
    partition_key::{PartitionKey, Partitioned},
};
use crate::{domain, refusals};

domain! {
    AccountCommand = "account" {
        "account.register" => Register -> AccountRegistered,
        "account.start_session" => StartSession -> SessionStarted,
        "account.rotate_session" => RotateSession -> SessionRotated,
        "account.end_session" => EndSession -> SessionEnded,
        "account.end_other_sessions" => EndOtherSessions -> SessionsEnded,
        "account.create_character" => CreateCharacter -> CharacterCreated,
        "account.rename_character" => RenameCharacter -> CharacterRenamed,
        "account.delete_character" => DeleteCharacter -> CharacterDeletionRequested,
        "account.cancel_character_deletion" => CancelCharacterDeletion -> CharacterDeletionCancelled,
        "account.create_link_code" => CreateLinkCode -> LinkCodeCreated,
        "account.change_language" => ChangeLanguage -> LanguageChanged,
        "account.resend_verification" => ResendVerification -> VerificationSent,
        "account.verify_email" => VerifyEmail -> EmailVerified,
        "account.verify_email_code" => VerifyEmailCode -> Option<EmailVerified>,
        "account.change_email" => ChangeEmail -> EmailChangeRequested,
        "account.undo_email_change" => UndoEmailChange -> EmailChangeUndone,
        "account.request_password_reset" => RequestPasswordReset -> PasswordResetRequested,
        "account.reset_password" => ResetPassword -> PasswordReset,
        "account.change_password" => ChangePassword -> PasswordChanged,
        "account.suspend" => SuspendAccount -> AccountSuspended,
        "account.lift_suspension" => LiftSuspension -> SuspensionLifted,
        "account.expire_password" => ExpirePassword -> PasswordExpired,
        "account.verify_email_by_hand" => VerifyEmailByHand -> EmailVerified,
        "account.add_note" => AddAccountNote -> AccountNoteAdded,
        "account.grant_role" => GrantRole -> RoleGranted,
        "account.revoke_role" => RevokeRole -> RoleRevoked,
        "account.enable_second_factor" => EnableSecondFactor -> SecondFactorEnabled,
        "account.disable_second_factor" => DisableSecondFactor -> SecondFactorDisabled,
        "account.replace_recovery_codes" => ReplaceRecoveryCodes -> RecoveryCodesReplaced,
        "account.reset_second_factor" => ResetSecondFactor -> SecondFactorDisabled,
        "account.request_export" => RequestExport -> ExportRequested,
        "account.open_export" => OpenExport -> ExportOpened,
        "account.schedule_deletion" => ScheduleDeletion -> DeletionScheduled,
        "account.cancel_deletion" => CancelDeletion -> DeletionCancelled,
        "account.cancel_deletion_by_link" => CancelDeletionByLink -> DeletionCancelled,
    }
}

impl Partitioned for AccountCommand {
    fn partition_key(&self, actor: Actor) -> Option<PartitionKey> {
        match self {
            Self::Register(command) => Some(PartitionKey::new("name", command.name.to_lowercase())),
            Self::StartSession(command) => Some(PartitionKey::account(command.account_id)),
            Self::RotateSession(command) => Some(PartitionKey::new("token", &command.presented_hash)),
            Self::VerifyEmail(command) => Some(PartitionKey::new("token", &command.token_hash)),
            Self::UndoEmailChange(command) => Some(PartitionKey::new("token", &command.token_hash)),
            Self::ResetPassword(command) => Some(PartitionKey::new("token", &command.token_hash)),
            Self::CancelDeletionByLink(command) => Some(PartitionKey::new("token", &command.token_hash)),
            Self::OpenExport(command) => Some(PartitionKey::new("token", &command.token_hash)),
            Self::RequestPasswordReset(command) => Some(PartitionKey::new("email", command.email.key())),
            Self::SuspendAccount(command) => Some(PartitionKey::account(command.account_id)),
            Self::LiftSuspension(command) => Some(PartitionKey::account(command.account_id)),
            Self::ExpirePassword(command) => Some(PartitionKey::account(command.account_id)),
            Self::VerifyEmailByHand(command) => Some(PartitionKey::account(command.account_id)),
            Self::AddAccountNote(command) => Some(PartitionKey::account(command.account_id)),
            Self::GrantRole(command) => Some(PartitionKey::account(command.account_id)),
            Self::RevokeRole(command) => Some(PartitionKey::account(command.account_id)),
            Self::ResetSecondFactor(command) => Some(PartitionKey::account(command.account_id)),
            Self::EndSession(_)
            | Self::EndOtherSessions(_)
            | Self::CreateCharacter(_)
            | Self::RenameCharacter(_)
            | Self::DeleteCharacter(_)
            | Self::CancelCharacterDeletion(_)
            | Self::CreateLinkCode(_)
            | Self::ChangeLanguage(_)
            | Self::ResendVerification(_)
            | Self::VerifyEmailCode(_)
            | Self::ChangeEmail(_)
            | Self::ChangePassword(_)
            | Self::EnableSecondFactor(_)
            | Self::DisableSecondFactor(_)
            | Self::ReplaceRecoveryCodes(_)
            | Self::RequestExport(_)
            | Self::ScheduleDeletion(_)
            | Self::CancelDeletion(_) => actor.partition_key(),
        }
    }

    fn is_always_accepted(&self) -> bool {
        matches!(self, Self::EndSession(_) | Self::EndOtherSessions(_) | Self::SuspendAccount(_))
    }
}

/// The language of an account's mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Portuguese of Brazil.
    Pt,
    /// Spanish.
    Es,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::En, Self::Pt, Self::Es];

    /// The code of ISO 639-1.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Pt => "pt",
            Self::Es => "es",
        }
    }
}

/// What an account may do beyond playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Role {
    /// The role of every account.
    Player,
    /// Writes news.
    Editor,
    /// Manages the shop.
    Merchant,
    /// May do everything.
    Admin,
    /// The role of a game server.
    Game,
}

/// Registers an account. Passwords and tokens are hashed before they are queued.
#[derive(Debug, Serialize, Deserialize)]
pub struct Register {
    pub name: AccountName,
    pub email: Email,
    /// A PHC string of argon2id.
    pub password_hash: String,
    #[serde(default)]
    pub language: Language,
}

/// Changes the language of the account's mails.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeLanguage {
    pub language: Language,
}

/// An account was registered.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountRegistered {
    pub account_id: AccountId,
    pub name: String,
}

/// The language of an account's mails was changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LanguageChanged {
    pub language: Language,
}

refusals! {
    AccountRefusal {
        Conflict NameTaken "account_name_taken" "Another account has this name.";
        Conflict EmailTaken "email_taken" "Another account has verified this e-mail address.";
        Conflict EmailNotAccepted "email_not_accepted" "No e-mail can be sent to this address. Enter another one.";
        Conflict EmailAlreadyVerified "email_already_verified" "The e-mail address of this account is verified.";
        Conflict EmailUnchanged "email_unchanged" "The account has this e-mail address already.";
        Conflict PasswordHasChanged "password_has_changed" "The password was changed meanwhile. Log in again.";
        Conflict SecondFactorEnabled "second_factor_enabled" "This account has a second factor. Disable it first.";
        Conflict SecondFactorNotEnabled "second_factor_not_enabled" "This account has no second factor.";
        Conflict SecondFactorRequired "second_factor_required" "This account has a second factor now. Log in again.";
        Conflict SecondFactorUsed "second_factor_used" "This code was used before. Wait for the next code of the app.";
        Conflict MailNotConfigured "mail_not_configured" "This site sends no e-mails. Ask its staff.";
        Conflict TooManyMails "too_many_mails" "This address has received many e-mails, or your account has requested many. Try again in an hour.";
        NotFound TokenNotFound "token_not_found" "This link is not valid, was used before, or has expired. Ask for a new one.";
        Conflict CharacterNameTaken "character_name_taken" "Another character has this name.";
        Conflict CharacterNameNotAllowed "character_name_not_allowed" "The game does not allow this character name.";
        Conflict TooManyCharacters "too_many_characters" "This account has reached its limit of characters.";
        NotFound CharacterNotFound "character_not_found" "This character does not exist.";
        Forbidden NotYourCharacter "not_your_character" "This character belongs to another account.";
        Conflict CharacterBelongsToGame "character_belongs_to_game" "The game owns this character. Rename or delete it in the game.";
        Conflict CharacterNameUnchanged "character_name_unchanged" "The character has this name already.";
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have enough coins.";
        Conflict CharacterLeadsGuild "character_leads_guild" "This character leads a guild. Pass the leadership on, or delete the guild.";
        Conflict DeliveriesPending "deliveries_pending" "The game has not delivered all purchases for this character. Wait, or ask the staff.";
        Conflict CharacterBeingDeleted "character_being_deleted" "This character will be deleted. Undo its deletion first.";
        Conflict CharacterNotBeingDeleted "character_not_being_deleted" "The deletion of this character was not requested.";
        NotFound SessionNotFound "session_not_found" "This session does not exist. Log in again.";
        Forbidden AccountSuspended "account_suspended" "This account is suspended.";
        Forbidden PasswordExpired "password_expired" "Set a new password first: ask for a link by mail.";
        Forbidden TargetIsAdmin "target_is_admin" "An administrator cannot do this to an administrator. Revoke the role first.";
        Conflict NotSuspended "not_suspended" "This account is not suspended.";
        Conflict SuspensionInThePast "suspension_in_the_past" "The end of the suspension is in the past.";
        Conflict EmailNotVerified "email_not_verified" "The e-mail address of this account is not verified.";
        Conflict RoleUnchanged "role_unchanged" "The account has this role already, or does not have it.";
        Conflict DeletionScheduled "deletion_scheduled" "The deletion of this account is scheduled already.";
        Conflict DeletionNotScheduled "deletion_not_scheduled" "No deletion of this account is scheduled.";
        Forbidden StaffStays "staff_stays" "An account with a role cannot be deleted. An administrator must revoke its roles first.";
        Conflict LastAdmin "last_admin" "The site needs an administrator.";
        NotFound AccountNotFound "account_not_found" "This account does not exist.";
    }
}

/// The prefix of service tokens. Scanners for leaked secrets recognise it.
pub const SERVICE_TOKEN_PREFIX: &str = "ghs_";

/// The valid service tokens.
#[must_use]
pub fn service_tokens_key() -> CacheKey {
    CacheKey::new("service-tokens", "all")
}

crate::examples! {
    AccountRegistered { "account_id": 3, "name": "mira" }
    LanguageChanged { "language": "pt" }
}
