//! Erases what the site knows about the owner of an account. Ids, numbers and the records of money stay.

use guildhall_common::contract::account::{AccountId, PERSONAL_FIELDS};
use serde_json::Value;

use crate::{
    account::{erased_outcomes, erased_texts},
    engine::context::Context,
};

/// Erases the names, addresses and texts of an account, in all tables.
pub(super) async fn erase_person(
    cx: &mut Context<'_>,
    account_id: AccountId,
    names: &[String],
) -> sqlx::Result<()> {
    retain_identity(cx, account_id).await?;
    erased_outcomes::schedule(cx, account_id, names).await?;
    erase_dead_letters(cx, names).await?;
    erased_texts::erase_texts_of(cx.db, account_id).await?;
    delete_private_rows(cx, account_id).await?;
    erase_account(cx, account_id).await
}

/// The names and addresses of the owner and of their characters, also earlier ones, in lower case.
pub(super) async fn names_of(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"select lower(name) as "name!" from accounts where account_id = $1
           union select lower(email) from accounts where account_id = $1
           union select game_login from accounts where account_id = $1 and game_login is not null
           union select lower(name) from characters where account_id = $1 and deleted_at is null
           union select lower(former_name) from characters
                 where account_id = $1 and deleted_at is null and former_name is not null
           union select lower(recipient) from mails where account_id = $1
           union select lower(email) from mail_tokens where account_id = $1
           union select lower(value #>> '{}') from audit_log join audit_texts using (audit_id)
                 cross join unnest(array[before, after]) as value
                 where field = 'name' and action like 'character.%' and value is not null
                   and about_account_id = $1"#,
        account_id.get(),
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// Keeps the name and the address for as long as the site must know who has paid.
async fn retain_identity(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    let retention = cx.settings.retention.identities;
    if retention.is_zero() {
        return Ok(());
    }
    sqlx::query!(
        "insert into retained_identities (account_id, name, email, deleted_at, kept_until)
         select account_id, name, email, $2, $3 from accounts
         where account_id = $1
           and exists (select from receipts join payments using (payment_id) where payments.account_id = $1)
         on conflict do nothing",
        account_id.get(),
        cx.now,
        cx.now + retention,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Erases the messages of dead letters that name the account. An operator cannot replay them any more.
async fn erase_dead_letters(cx: &mut Context<'_>, names: &[String]) -> sqlx::Result<()> {
    // A word such as "command" may be the name of an account. Names are the values of fields such as "name" or "new_email".
    let fields: Vec<String> = names
        .iter()
        .map(|name| Value::from(name.as_str()))
        .flat_map(|name| {
            PERSONAL_FIELDS.map(|field| [format!("{field}\":{name}"), format!("{field}\": {name}")])
        })
        .flatten()
        .collect();
    sqlx::query!(
        "with named as (
             select dead_letter_id from dead_letter_bodies
             where exists (select from unnest($1::text[]) as field
                           where strpos(lower(encode(body, 'escape')), field) > 0)
         ), bodies as (
             delete from dead_letter_bodies using named
             where dead_letter_bodies.dead_letter_id = named.dead_letter_id
         )
         update dead_letters set message = null
         where exists (select from unnest($1::text[]) as field where strpos(lower(message), field) > 0)",
        &fields,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Deletes the rows that only the owner and the staff needed.
async fn delete_private_rows(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query!(
        "with sessions as (delete from sessions where account_id = $1),
              clients as (delete from known_clients where account_id = $1),
              codes as (delete from recovery_codes where account_id = $1),
              notes as (delete from account_notes where account_id = $1),
              links as (delete from link_codes where account_id = $1),
              proposals as (delete from admin_proposals where account_id = $1 or proposed_by = $1),
              imported as (delete from imported_accounts where account_id = $1),
              exports as (delete from account_exports where account_id = $1),
              notifications as (
                  delete from payment_notifications using payments
                  where account_id = $1 and state in ('settled', 'discarded')
                    and payment_notifications.provider = payments.provider
                    and payment_notifications.reference = payments.reference
              )
         delete from mails where account_id = $1",
        account_id.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Erases the account. Its row stays, because payments, purchases and posts refer to it.
async fn erase_account(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    // No registration allows such a name, so it never belongs to anyone else.
    sqlx::query!(
        "update accounts
         set name = 'deleted account ' || account_id, email = '', email_verified_at = null, password_hash = '',
             game_login = null, roles = '{}', language = 'en', second_factor = null, second_factor_enabled_at = null,
             second_factor_last_step = null, suspended_until = null, suspension_reason = null,
             password_expired = false, deletion_due_at = null, deleted_at = $2
         where account_id = $1",
        account_id.get(),
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
