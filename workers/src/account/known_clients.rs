//! The clients that an account knows, and those that it trusts.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{AccountId, Language, StartSession},
    command::Failure,
};
use serde_json::json;

use crate::{
    account::owner::in_words,
    engine::context::Context,
    mail::{MailKind, MailRecipient, NewMail},
};

/// The maximum number of clients that an account knows.
const KNOWN_CLIENTS: i64 = 40;

/// How long a trusted client needs no second factor.
const TRUST: TimeDelta = TimeDelta::days(30);

/// Sends a mail about a log-in if the account has logged in before, but neither from this device nor from this network.
pub(super) async fn tell_about_new_device(
    cx: &mut Context<'_>,
    command: &StartSession,
) -> Result<(), Failure> {
    let owner = sqlx::query_as!(
        MailRecipient,
        r#"select account_id as "account_id: AccountId", name, email, language as "language: Language"
           from accounts
           where account_id = $1 and email_verified_at is not null
             and exists (select from known_clients known where known.account_id = $1)
             and not exists (
                 select from known_clients known
                 where known.account_id = $1 and encode(client_hash, 'hex') = any($2)
             )"#,
        command.account_id.get(),
        &command.clients,
    );
    if let Some(owner) = owner.fetch_optional(&mut *cx.db).await? {
        let details = json!({
            "device": command.device, "network": command.network, "at": in_words(cx.now)
        });
        cx.send_mail(NewMail { details, ..NewMail::new(MailKind::NewDevice, &owner) }).await?;
    }
    Ok(())
}

/// Stores the clients of a log-in. The account keeps the ones that were used last.
pub(super) async fn remember_clients(cx: &mut Context<'_>, command: &StartSession) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into known_clients (account_id, client_hash, last_log_in_at)
         select $1, decode(client, 'hex'), $3 from unnest($2::text[]) as clients (client) order by client
         on conflict (account_id, client_hash) do update set last_log_in_at = excluded.last_log_in_at",
        command.account_id.get(),
        &command.clients,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    sqlx::query!(
        "delete from known_clients where account_id = $1 and client_hash in (
             select client_hash from known_clients where account_id = $1
             order by last_log_in_at desc, client_hash offset $2
         )",
        command.account_id.get(),
        KNOWN_CLIENTS,
    )
    .execute(&mut *cx.db)
    .await?;
    match &command.device_to_trust {
        Some(device) => trust(cx, command.account_id, device).await,
        None => Ok(()),
    }
}

/// Lets a client of the account log in without a second factor for some time.
async fn trust(cx: &mut Context<'_>, account_id: AccountId, device: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "update known_clients set trusted_until = $3 where account_id = $1 and client_hash = decode($2, 'hex')",
        account_id.get(),
        device,
        cx.now + TRUST,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Whether the account trusts a client at the moment.
pub(super) async fn is_trusted(
    cx: &mut Context<'_>,
    account_id: AccountId,
    device: &str,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
               select from known_clients
               where account_id = $1 and client_hash = decode($2, 'hex') and trusted_until > $3
           ) as "is_trusted!""#,
        account_id.get(),
        device,
        cx.now,
    )
    .fetch_one(&mut *cx.db)
    .await
}

/// Ends the trust in all clients of the account. They stay known.
pub(super) async fn distrust_all(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query!(
        "update known_clients set trusted_until = null where account_id = $1 and trusted_until is not null",
        account_id.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
