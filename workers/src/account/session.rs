//! Sessions. Each has one valid refresh token at a time, and a use replaces it.

use chrono::{DateTime, TimeDelta, Utc};
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

/// The time in which a renewal can be repeated, because its response may have been lost.
const REPEAT_TIME: TimeDelta = TimeDelta::seconds(30);

/// A refresh token that a client presents.
struct PresentedToken {
    session_id: SessionId,
    account_id: AccountId,
    replaced_at: Option<DateTime<Utc>>,
    /// The hash of its successor, if it was replaced and the successor was not used.
    unused_successor: Option<String>,
}

impl Rule for RotateSession {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<SessionRotated, Failure> {
        let presented = find_token(cx, &self.presented_hash).await?;
        let next_hash = match (presented.replaced_at, &presented.unused_successor) {
            (None, _) => {
                replace_token(cx, self, presented.session_id).await?;
                Some(self.next_hash.clone())
            }
            (Some(replaced_at), Some(successor)) if cx.now - replaced_at < REPEAT_TIME => {
                next_hashes(self).find(|hash| *hash == successor).cloned()
            }
            (Some(_), _) => None,
        };
        // A replaced token was stolen from its owner, or the owner presents it after a theft. So the session ends.
        // This is an output and not a refusal, because a refusal would roll back the end of the session.
        let fresh = next_hash.is_some();
        if !fresh {
            end(cx, presented.session_id).await?;
        }
        let PresentedToken { session_id, account_id, .. } = presented;
        Ok(SessionRotated { fresh, session_id, account_id, next_hash })
    }
}

/// The hashes of the next token under all secrets of the site.
fn next_hashes(command: &RotateSession) -> impl Iterator<Item = &String> {
    std::iter::once(&command.next_hash).chain(&command.older_next_hashes)
}

async fn find_token(cx: &mut Context<'_>, token_hash: &str) -> Result<PresentedToken, Failure> {
    let presented = sqlx::query_as!(
        PresentedToken,
        r#"select session_id as "session_id: SessionId", account_id as "account_id: AccountId",
                  presented.replaced_at,
                  (select encode(successor.token_hash, 'hex') from refresh_tokens as successor
                   where successor.token_hash = presented.successor_hash and successor.replaced_at is null)
                      as unused_successor
           from refresh_tokens as presented join sessions using (session_id)
           where presented.token_hash = decode($1, 'hex') and presented.expires_at > $2 and ended_at is null
           for update of sessions, presented"#,
        token_hash,
        cx.now,
    );
    Ok(presented.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::SessionNotFound)?)
}

async fn replace_token(
    cx: &mut Context<'_>,
    command: &RotateSession,
    session_id: SessionId,
) -> Result<(), Failure> {
    sqlx::query!(
        "update refresh_tokens set replaced_at = $2, successor_hash = decode($3, 'hex')
         where token_hash = decode($1, 'hex')",
        command.presented_hash,
        cx.now,
        command.next_hash,
    )
    .execute(&mut *cx.db)
    .await?;
    insert_token(cx, &command.next_hash, session_id, command.expires_at).await
}

impl Rule for EndSession {
    const REFUSES_BEFORE_WRITING: bool = true;

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
