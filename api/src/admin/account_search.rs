//! The accounts that an administrator looks for, and what is known about one. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{AccountId, AccountNoteId, AccountRefusal, Language, Role, SessionId},
    character::CharacterId,
    command::{OperationId, Refusal},
    payment::PaymentId,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, types::Json};

use crate::http::problem::Problem;

/// The maximum number of found accounts, of sessions and of notes.
const SHOWN: i64 = 100;

/// What an administrator knows about the account. An account must match all of it.
#[derive(Debug, Default)]
pub(super) struct AccountSearch {
    /// The beginning of the name.
    pub(super) name: Option<String>,
    pub(super) email: Option<String>,
    pub(super) character: Option<String>,
    pub(super) payment_id: Option<PaymentId>,
    pub(super) operation_id: Option<OperationId>,
}

/// The accounts that match a search, sorted by name.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct FoundAccounts {
    pub accounts: Vec<AccountSummary>,
}

/// An account that matches a search.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct AccountSummary {
    pub account_id: AccountId,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub suspended: bool,
    pub created_at: DateTime<Utc>,
}

/// What is known about an account.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AccountDetails {
    pub account_id: AccountId,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub language: Language,
    pub roles: Vec<Role>,
    pub coins: i64,
    pub created_at: DateTime<Utc>,
    pub suspended: bool,
    /// Missing if the account is not suspended, or suspended for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_until: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspension_reason: Option<String>,
    /// Whether the account must set a new password by a mail before it can log in.
    pub password_expired: bool,
    /// The active sessions, the last used one first.
    pub sessions: Vec<AccountSession>,
    pub characters: Vec<AccountCharacter>,
    /// The notes of the staff, newest first.
    pub notes: Vec<AccountNote>,
}

/// An active session of an account.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct AccountSession {
    pub session_id: SessionId,
    pub device: String,
    pub network: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: DateTime<Utc>,
}

/// A character of an account.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct AccountCharacter {
    pub character_id: CharacterId,
    pub name: String,
}

/// A note of the staff.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct AccountNote {
    pub note_id: AccountNoteId,
    pub author_id: AccountId,
    pub text: String,
    pub created_at: DateTime<Utc>,
}

pub(super) async fn find_accounts(
    database: &PgPool,
    search: &AccountSearch,
) -> Result<FoundAccounts, Problem> {
    let prefix = search.name.as_deref().map(escape_prefix);
    let accounts = sqlx::query_as!(
        AccountSummary,
        r#"select account_id as "account_id: AccountId", name, email,
                  email_verified_at is not null as "email_verified!",
                  coalesce(suspended_until > now(), false) as "suspended!", created_at
           from accounts
           where ($1::text is null or name_key like $1)
             and ($2::text is null or email_key = lower($2))
             and ($3::text is null
                  or account_id = (select account_id from characters where characters.name_key = lower($3)))
             and ($4::uuid is null
                  or account_id = (select payments.account_id from payments where payments.payment_id = $4))
             and ($5::uuid is null
                  or account_id = (select operations.account_id from operations
                                   where operations.operation_id = $5))
           order by name_key limit $6"#,
        prefix,
        search.email,
        search.character,
        search.payment_id.map(PaymentId::get),
        search.operation_id.map(OperationId::get),
        SHOWN,
    );
    Ok(FoundAccounts { accounts: accounts.fetch_all(database).await? })
}

/// A pattern of `like` for names that begin with a text of letters, digits and underscores.
fn escape_prefix(text: &str) -> String {
    format!("{}%", text.to_ascii_lowercase().replace('_', r"\_"))
}

pub(super) async fn account_details(
    database: &PgPool,
    account_id: AccountId,
) -> Result<AccountDetails, Problem> {
    let row = sqlx::query!(
        r#"select name, email, email_verified_at is not null as "email_verified!", language as "language: Language",
                  roles as "roles: Vec<Role>", coalesce(balance, 0) as "coins!", created_at,
                  coalesce(suspended_until > now(), false) as "suspended!",
                  case when isfinite(suspended_until) then suspended_until end as suspended_until,
                  suspension_reason, password_expired,
                  (select coalesce(jsonb_agg(session order by session.last_used_at desc), '[]')
                   from (select session_id, device, network, created_at,
                                coalesce(last_used_at, created_at) as last_used_at
                         from sessions where sessions.account_id = $1 and ended_at is null
                         order by 5 desc limit $2) as session) as "sessions!: Json<Vec<AccountSession>>",
                  (select coalesce(jsonb_agg(found order by found.name), '[]')
                   from (select character_id, name from characters where characters.account_id = $1 and deleted_at is null
                         order by name_key limit $2) as found) as "characters!: Json<Vec<AccountCharacter>>",
                  (select coalesce(jsonb_agg(note order by note.note_id desc), '[]')
                   from (select note_id, author_id, text, created_at from account_notes
                         where account_notes.account_id = $1 order by note_id desc limit $2) as note)
                      as "notes!: Json<Vec<AccountNote>>"
           from accounts left join coin_accounts using (account_id) where account_id = $1"#,
        account_id.get(),
        SHOWN,
    )
    .fetch_optional(database)
    .await?
    .ok_or_else(|| AccountRefusal::AccountNotFound.refused())?;
    Ok(AccountDetails {
        account_id,
        name: row.name,
        email: row.email,
        email_verified: row.email_verified,
        language: row.language,
        roles: row.roles,
        coins: row.coins,
        created_at: row.created_at,
        suspended: row.suspended,
        suspended_until: row.suspended_until.filter(|_| row.suspended),
        suspension_reason: row.suspension_reason.filter(|_| row.suspended),
        password_expired: row.password_expired,
        sessions: row.sessions.0,
        characters: row.characters.0,
        notes: row.notes.0,
    })
}

guildhall_common::examples! {
    FoundAccounts {
        "accounts": [{
            "account_id": 3, "name": "mira", "email": "mira@example.org", "email_verified": true,
            "suspended": false, "created_at": "2030-01-01T12:00:00Z"
        }]
    }
    AccountDetails {
        "account_id": 3, "name": "mira", "email": "mira@example.org", "email_verified": true, "language": "en",
        "roles": [], "coins": 250, "created_at": "2030-01-01T12:00:00Z", "suspended": true,
        "suspended_until": "2030-02-01T12:00:00Z", "suspension_reason": "Spam.", "password_expired": false,
        "sessions": [], "characters": [{ "character_id": 7, "name": "Mira Stormborn" }],
        "notes": [{ "note_id": 1, "author_id": 1, "text": "Asked twice.", "created_at": "2030-01-02T12:00:00Z" }]
    }
}
