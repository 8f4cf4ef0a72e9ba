//! Roles of accounts, and notes about them.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{
        AccountId, AccountNoteAdded, AccountNoteId, AccountRefusal, AddAccountNote, GrantRole, RevokeRole,
        RoleGranted, RoleRevoked, StaffRole,
    },
    command::{Failure, OnConstraint},
};
use serde_json::json;
use sqlx::PgConnection;

use crate::{
    account::{deletion, session::invalidate_sessions},
    engine::{audit::Entry, context::Context, rule::Rule},
};

/// How long a proposed administrator waits for a second one.
const PROPOSAL_LIFETIME: TimeDelta = TimeDelta::days(1);

impl Rule for GrantRole {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<RoleGranted, Failure> {
        let Self { account_id, role } = *self;
        let effective = role != StaffRole::Admin
            || !cx.settings.accounts.second_admin_required
            || is_second_admin(cx, account_id).await?;
        let action = if effective {
            if !set_role(cx, account_id, role, true).await? {
                return Err(AccountRefusal::RoleUnchanged.into());
            }
            "account.grant"
        } else {
            "account.propose_admin"
        };
        cx.audit(Entry::new(action, json!({ "account_id": account_id, "role": role }))).await?;
        Ok(RoleGranted { account_id, role, effective })
    }
}

impl Rule for RevokeRole {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<RoleRevoked, Failure> {
        let Self { account_id, role } = *self;
        if role == StaffRole::Admin {
            lock_admins(cx).await?;
        }
        if !set_role(cx, account_id, role, false).await? {
            return Err(AccountRefusal::RoleUnchanged.into());
        }
        if role == StaffRole::Admin && !has_admin(cx).await? {
            return Err(AccountRefusal::LastAdmin.into());
        }
        cx.audit(Entry::new("account.revoke", json!({ "account_id": account_id, "role": role }))).await?;
        Ok(RoleRevoked { account_id, role })
    }
}

/// Deletes the proposals by an account that is no administrator any more, and the one about it.
async fn delete_proposals(database: &mut PgConnection, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query!("delete from admin_proposals where proposed_by = $1 or account_id = $1", account_id.get())
        .execute(database)
        .await?;
    Ok(())
}

/// Whether another administrator has proposed the account. Otherwise this one does.
async fn is_second_admin(cx: &mut Context<'_>, account_id: AccountId) -> Result<bool, Failure> {
    let admin_id = cx.account_id()?;
    let proposal = sqlx::query!(
        "delete from admin_proposals using accounts
         where admin_proposals.account_id = $1 and proposed_by <> $2 and expires_at > $3
           and accounts.account_id = proposed_by and 'admin' = any(roles) and (suspended_until > $3) is not true",
        account_id.get(),
        admin_id.get(),
        cx.now,
    );
    if proposal.execute(&mut *cx.db).await?.rows_affected() > 0 {
        return Ok(true);
    }
    sqlx::query!(
        "insert into admin_proposals (account_id, proposed_by, expires_at) values ($1, $2, $3)
         on conflict (account_id) do update set proposed_by = excluded.proposed_by, expires_at = excluded.expires_at",
        account_id.get(),
        admin_id.get(),
        cx.now + PROPOSAL_LIFETIME,
    )
    .execute(&mut *cx.db)
    .await
    .on_constraint("admin_proposals_account", AccountRefusal::AccountNotFound)?;
    Ok(false)
}

/// Adds or removes a role. It applies to the next request of each session. An account with a role is not deleted.
/// The result is false if the account already had the role, or did not have it.
pub(crate) async fn set_role(
    cx: &mut Context<'_>,
    account_id: AccountId,
    role: StaffRole,
    is_granted: bool,
) -> Result<bool, Failure> {
    let has_role = sqlx::query_scalar!(
        r#"select $2 = any(roles) as "has_role!" from accounts where account_id = $1 and deleted_at is null for update"#,
        account_id.get(),
        role as _,
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .ok_or(AccountRefusal::AccountNotFound)?;
    if has_role == is_granted {
        return Ok(false);
    }
    sqlx::query!(
        "update accounts set roles = case when $3 then array_append(roles, $2) else array_remove(roles, $2) end
         where account_id = $1",
        account_id.get(),
        role as _,
        is_granted,
    )
    .execute(&mut *cx.db)
    .await?;
    if is_granted {
        deletion::keep_account(cx.db, account_id).await?;
    } else if role == StaffRole::Admin {
        delete_proposals(cx.db, account_id).await?;
    }
    invalidate_sessions(cx, account_id).await?;
    Ok(true)
}

/// Two administrators may revoke each other's role at the same time: the second waits here, and then finds no other one.
/// No index has the roles, because they rarely change. The statement reads a million accounts in 0.4 s.
async fn lock_admins(cx: &mut Context<'_>) -> sqlx::Result<()> {
    sqlx::query!("select from accounts where 'admin' = any(roles) order by account_id for update")
        .execute(&mut *cx.db)
        .await?;
    Ok(())
}

/// Whether an administrator remains who can log in.
async fn has_admin(cx: &mut Context<'_>) -> sqlx::Result<bool> {
    let remains = sqlx::query_scalar!(
        r#"select exists (select from accounts
                          where 'admin' = any(roles) and (suspended_until > $1) is not true) as "has_admin!""#,
        cx.now,
    );
    remains.fetch_one(&mut *cx.db).await
}

impl Rule for AddAccountNote {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountNoteAdded, Failure> {
        let author_id = cx.account_id()?;
        let note_id = sqlx::query_scalar!(
            r#"insert into account_notes (account_id, author_id, text)
               select account_id, $2, $3 from accounts where account_id = $1 and deleted_at is null for key share
               returning note_id as "note_id: AccountNoteId""#,
            self.account_id.get(),
            author_id.get(),
            &*self.text,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::AccountNotFound)?;
        let details = json!({ "account_id": self.account_id, "note_id": note_id });
        cx.audit(Entry::new("account.add_note", details).text("note", &self.text)).await?;
        Ok(AccountNoteAdded { note_id })
    }
}
