//! The tokens in the links of mails: a command that presents one uses it up.

use guildhall_common::contract::{
    account::{AccountId, AccountRefusal},
    command::Failure,
};
use sha2::{Digest, Sha256};

use crate::engine::rule::Context;

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Purpose {
    VerifyEmail,
    ResetPassword,
    UndoEmailChange,
}

/// The stored form of a code. The api hashes a presented code in the same way.
pub(crate) fn hash_code(account_id: AccountId, code: &str) -> [u8; 32] {
    Sha256::digest(format!("{account_id}:{code}").as_bytes()).into()
}

/// A token that was presented.
pub(crate) struct PresentedToken {
    pub(crate) account_id: AccountId,
    pub(crate) email: String,
}

/// Uses up a valid token.
///
/// # Errors
/// It does not exist, was used before, or has expired.
pub(crate) async fn take_token(
    cx: &mut Context<'_>,
    token_hash: &str,
    purpose: Purpose,
) -> Result<PresentedToken, Failure> {
    let token = sqlx::query_as!(
        PresentedToken,
        r#"delete from mail_tokens
           where token_hash = decode($1, 'hex') and purpose = $2 and expires_at > $3
           returning account_id as "account_id: AccountId", email"#,
        token_hash,
        purpose as _,
        cx.now,
    );
    Ok(token.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::TokenNotFound)?)
}
