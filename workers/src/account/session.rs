//! Sessions. Each has one valid refresh token at a time, and a use replaces it.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, EndOtherSessions, EndSession, RotateSession, SessionEnded, SessionId,
        SessionRotated, SessionStarted, SessionsEnded, StartSession, session_key,
    },
    command::Failure,
};
use serde_json::json;

use crate::{
    account::{
        known_clients::{remember_clients, tell_about_new_device},
        owner::Owner,
        second_factor_proof::prove_log_in,
    },
    engine::{context::Context, rule::Rule},
};

/// The maximum number of active sessions of an account. A new one ends the oldest.
const MAX_SESSIONS: i64 = 100;

/// The event after which the apis close streams of ended sessions.
const SESSIONS_ENDED: &str = "account.sessions_ended";

impl Rule for StartSession {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<SessionStarted, Failure> {
        let owner = Owner::lock(cx, self.account_id).await?;
        owner.check_log_in()?;
        if let Some(proven) = &self.proven_hash {
            owner.check_password(proven)?;
        }
        prove_log_in(cx, self, &owner).await?;
        if let Some(renewed) = &self.renewed_hash {
            owner.renew_hash(cx, renewed).await?;
        }
        sqlx::query!(
            "insert into sessions (session_id, account_id, device, network, last_used_at)
             values ($1, $2, $3, $4, $5)",
            self.session_id.get(),
            self.account_id.get(),
            self.device,
            self.network,
            cx.now,
        )
        .execute(&mut *cx.db)
        .await?;
        insert_token(cx, &self.token_hash, self.session_id, self.expires_at).await?;
        end_oldest(cx, self).await?;
        if cx.services.mailer.is_some() {
            tell_about_new_device(cx, self).await?;
        }
        remember_clients(cx, self).await?;
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
                update_session(cx, self, presented.session_id).await?;
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

/// Stores where the session was used, for its owner.
async fn update_session(
    cx: &mut Context<'_>,
    command: &RotateSession,
    session_id: SessionId,
) -> Result<(), Failure> {
    sqlx::query!(
        "update sessions set device = $2, network = $3, last_used_at = $4 where session_id = $1",
        session_id.get(),
        command.device,
        command.network,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
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

impl Rule for EndOtherSessions {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<SessionsEnded, Failure> {
        let account_id = cx.account_id()?;
        Ok(SessionsEnded { ended: end_all(cx, account_id, Some(self.kept)).await? })
    }
}

/// Ends the sessions that were not used for the longest time, if there are too many.
async fn end_oldest(cx: &mut Context<'_>, new: &StartSession) -> sqlx::Result<()> {
    let ended = sqlx::query_scalar!(
        r#"update sessions set ended_at = $3
           where session_id in (
               select session_id from sessions where account_id = $1 and ended_at is null and session_id <> $4
               order by coalesce(last_used_at, created_at) desc, session_id desc offset $2 limit 1000)
           returning session_id as "session_id: SessionId""#,
        new.account_id.get(),
        MAX_SESSIONS - 1,
        cx.now,
        new.session_id.get(),
    )
    .fetch_all(&mut *cx.db)
    .await?;
    invalidate_ended(cx, new.account_id, ended);
    Ok(())
}

/// Ends the sessions of an account, except one. Returns their number.
pub(super) async fn end_all(
    cx: &mut Context<'_>,
    account_id: AccountId,
    kept: Option<SessionId>,
) -> sqlx::Result<u32> {
    let ended = sqlx::query_scalar!(
        r#"update sessions set ended_at = $3
           where account_id = $1 and ended_at is null and session_id is distinct from $2
           returning session_id as "session_id: SessionId""#,
        account_id.get(),
        kept.map(SessionId::get),
        cx.now,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    let number = ended.len() as u32;
    invalidate_ended(cx, account_id, ended);
    Ok(number)
}

/// Tells the apis that sessions have ended.
fn invalidate_ended(cx: &mut Context<'_>, account_id: AccountId, ended: Vec<SessionId>) {
    if !ended.is_empty() {
        cx.publish(SESSIONS_ENDED, &json!({ "account_id": account_id }));
    }
    cx.invalidate(ended.into_iter().map(session_key));
}

/// Invalidates what is cached about the account of each active session.
pub(super) async fn invalidate_sessions(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    let active = sqlx::query_scalar!(
        r#"select session_id as "session_id: SessionId" from sessions where account_id = $1 and ended_at is null"#,
        account_id.get(),
    );
    let active = active.fetch_all(&mut *cx.db).await?;
    cx.invalidate(active.into_iter().map(session_key));
    Ok(())
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

async fn end(cx: &mut Context<'_>, session_id: SessionId) -> Result<(), Failure> {
    let account_id = sqlx::query_scalar!(
        r#"update sessions set ended_at = $2 where session_id = $1 returning account_id as "account_id: AccountId""#,
        session_id.get(),
        cx.now
    )
    .fetch_one(&mut *cx.db)
    .await?;
    invalidate_ended(cx, account_id, vec![session_id]);
    Ok(())
}
