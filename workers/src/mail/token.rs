//! The tokens in the links of mails: a command that presents one uses it up.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{AccountId, AccountRefusal},
    command::Failure,
};

use crate::engine::context::Context;

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum TokenPurpose {
    VerifyEmail,
    ResetPassword,
    UndoEmailChange,
    OpenExport,
    CancelDeletion,
}

/// A token that was used up.
pub(crate) struct UsedToken {
    pub(crate) account_id: AccountId,
    pub(crate) email: String,
    pub(crate) expires_at: DateTime<Utc>,
}

/// Uses up a valid token.
///
/// # Errors
/// It does not exist, was used before, or has expired.
pub(crate) async fn take_token(
    cx: &mut Context<'_>,
    token_hash: &str,
    purpose: TokenPurpose,
) -> Result<UsedToken, Failure> {
    let token = sqlx::query_as!(
        UsedToken,
        r#"delete from mail_tokens
           where token_hash = decode($1, 'hex') and purpose = $2 and expires_at > $3
           returning account_id as "account_id: AccountId", email, expires_at"#,
        token_hash,
        purpose as _,
        cx.now,
    );
    Ok(token.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::TokenNotFound)?)
}
