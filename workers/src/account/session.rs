//! Sessions. Each has one valid refresh token at a time, and a use replaces it.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, EndSession, RotateSession, SessionEnded, SessionId, SessionRotated,
        SessionStarted, StartSession, session_key,
    },
    command::{Failure, OnConstraint},
};

use crate::engine::rule::{Context, Rule};

/// The maximum number of clients that an account knows.
const KNOWN_CLIENTS: i64 = 40;

impl Rule for StartSession {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<SessionStarted, Failure> {
        sqlx::query!(
            "insert into sessions (session_id, account_id) values ($1, $2)",
            self.session_id.get(),
            self.account_id.get(),
        )
        .execute(&mut *cx.db)
        .await
        .on_constraint("sessions_account", AccountRefusal::AccountNotFound)?;
        insert_token(cx, &self.token_hash, self.session_id, self.expires_at).await?;
        remember_clients(cx, self.account_id, &self.clients).await?;
        Ok(SessionStarted { session_id: self.session_id })
    }
}

impl Rule for RotateSession {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<SessionRotated, Failure> {
        let presented = sqlx::query!(
            r#"select session_id as "session_id: SessionId", account_id as "account_id: AccountId", replaced_at
               from refresh_tokens join sessions using (session_id)
               where token_hash = decode($1, 'hex') and expires_at > $2 and ended_at is null
               for update of sessions, refresh_tokens"#,
            self.presented_hash,
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::SessionNotFound)?;
        // A replaced token was stolen from its owner, or the owner presents it after a theft. So the session ends.
        // This is an output and not a refusal, because a refusal would roll back the end of the session.
        let fresh = presented.replaced_at.is_none();
        if fresh {
            sqlx::query!(
                "update refresh_tokens set replaced_at = $2 where token_hash = decode($1, 'hex')",
                self.presented_hash,
                cx.now,
            )
            .execute(&mut *cx.db)
            .await?;
            insert_token(cx, &self.next_hash, presented.session_id, self.expires_at).await?;
        } else {
            end(cx, presented.session_id).await?;
        }
        Ok(SessionRotated { fresh, session_id: presented.session_id, account_id: presented.account_id })
    }
}

impl Rule for EndSession {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<SessionEnded, Failure> {
        let account_id = cx.account_id()?;
        let session = sqlx::query!(
            "select from sessions where session_id = $1 and account_id = $2 and ended_at is null",
            self.session_id.get(),
            account_id.get(),
        );
        session.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::SessionNotFound)?;
        end(cx, self.session_id).await?;
        Ok(SessionEnded { session_id: self.session_id })
    }
}

async fn insert_token(
    cx: &mut Context<'_>,
    token_hash: &str,
    session_id: SessionId,
    expires_at: DateTime<Utc>,
) -> Result<(), Failure> {
    sqlx::query!(
        "insert into refresh_tokens (token_hash, session_id, expires_at) values (decode($1, 'hex'), $2, $3)",
        token_hash,
        session_id.get(),
        expires_at,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Stores the clients of a log-in. The account keeps the ones that were used last.
async fn remember_clients(
    cx: &mut Context<'_>,
    account_id: AccountId,
    clients: &[String],
) -> Result<(), Failure> {
    sqlx::query!(
        "insert into known_clients (account_id, client_hash, last_log_in_at)
         select $1, decode(client, 'hex'), $3 from unnest($2::text[]) as clients (client) order by client
         on conflict (account_id, client_hash) do update set last_log_in_at = excluded.last_log_in_at",
        account_id.get(),
        clients,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    sqlx::query!(
        "delete from known_clients where account_id = $1 and client_hash in (
             select client_hash from known_clients where account_id = $1
             order by last_log_in_at desc, client_hash offset $2
         )",
        account_id.get(),
        KNOWN_CLIENTS,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

async fn end(cx: &mut Context<'_>, session_id: SessionId) -> Result<(), Failure> {
    sqlx::query!("update sessions set ended_at = $2 where session_id = $1", session_id.get(), cx.now)
        .execute(&mut *cx.db)
        .await?;
    cx.invalidate([session_key(session_id)]);
    Ok(())
}
