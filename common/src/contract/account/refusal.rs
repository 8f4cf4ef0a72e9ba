//! The reasons to refuse these commands.

use crate::refusals;

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
