//! Link codes: the site makes them, and a game server uses them.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, CreateLinkCode, LinkCodeCreated},
    command::Failure,
    game::{GameRefusal, LinkCodeUsed, UseLinkCode},
};

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    game,
};

/// The time in which the player types the code in the game.
const LIFETIME: TimeDelta = TimeDelta::minutes(15);

impl Rule for CreateLinkCode {
    /// An account has one code: a new one replaces it.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<LinkCodeCreated, Failure> {
        let account_id = cx.account_id()?;
        let expires_at = cx.now + LIFETIME;
        sqlx::query!(
            "insert into link_codes (account_id, code_hash, expires_at)
             select account_id, decode($2, 'hex'), $3 from accounts
             where account_id = $1 and deleted_at is null for key share
             on conflict (account_id) do update
             set code_hash = excluded.code_hash, expires_at = excluded.expires_at
             returning account_id",
            account_id.get(),
            self.code_hash,
            expires_at,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::AccountNotFound)?;
        Ok(LinkCodeCreated { expires_at })
    }
}

impl Rule for UseLinkCode {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<LinkCodeUsed, Failure> {
        game::renew_presence(cx).await?;
        let used = sqlx::query!(
            r#"delete from link_codes using accounts
               where code_hash = decode($1, 'hex') and expires_at > $2
                   and accounts.account_id = link_codes.account_id and deleted_at is null
               returning accounts.account_id as "account_id: AccountId", name"#,
            self.code_hash,
            cx.now,
        );
        let used = used.fetch_optional(&mut *cx.db).await?.ok_or(GameRefusal::LinkCodeNotFound)?;
        let account_id = used.account_id;
        cx.audit(Entry::new("account.use_link_code", serde_json::json!({ "account_id": account_id })))
            .await?;
        Ok(LinkCodeUsed { account_id, account_name: used.name })
    }
}
