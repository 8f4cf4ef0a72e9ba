//! Turns the second factor of an account on and off, and replaces its recovery codes.

use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, DisableSecondFactor, EnableSecondFactor, RecoveryCodesReplaced,
        ReplaceRecoveryCodes, ResetSecondFactor, SecondFactorDisabled, SecondFactorEnabled,
    },
    command::Failure,
};
use serde_json::json;

use crate::{
    account::{
        known_clients::distrust_all,
        owner::{Owner, in_words},
        sanctions::lock_subordinate,
        second_factor_proof::{tell_about_recovery_code, use_proof},
        session::{end_all, invalidate_sessions},
    },
    engine::{audit::Entry, context::Context, rule::Rule},
    mail::MailKind,
};

impl Rule for EnableSecondFactor {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<SecondFactorEnabled, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        if owner.has_second_factor {
            return Err(AccountRefusal::SecondFactorEnabled.into());
        }
        sqlx::query!(
            "update accounts set second_factor = decode($2, 'hex'), second_factor_enabled_at = $3,
                    second_factor_last_step = $4
             where account_id = $1",
            account_id.get(),
            self.sealed_secret,
            cx.now,
            self.step,
        )
        .execute(&mut *cx.db)
        .await?;
        replace_recovery_codes(cx, account_id, &self.recovery_hashes).await?;
        owner.tell(cx, MailKind::SecondFactorEnabled, json!({ "at": in_words(cx.now) })).await?;
        // The other sessions may belong to a stranger who knows the password. Without an end, they would get the roles that need a
        // second factor.
        end_all(cx, account_id, self.kept_session).await?;
        // The cached roles of a session may depend on the second factor.
        invalidate_sessions(cx, account_id).await?;
        Ok(SecondFactorEnabled { account_id })
    }
}

impl Rule for DisableSecondFactor {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<SecondFactorDisabled, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        owner.check_second_factor()?;
        use_proof(cx, account_id, &self.proof).await?;
        disable(cx, account_id, &owner).await
    }
}

impl Rule for ResetSecondFactor {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<SecondFactorDisabled, Failure> {
        let account_id = self.account_id;
        lock_subordinate(cx, account_id).await?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_second_factor()?;
        let entry = Entry::new("account.reset_second_factor", json!({ "account_id": account_id }));
        cx.audit(entry.text("reason", &self.reason)).await?;
        disable(cx, account_id, &owner).await
    }
}

/// Disables the second factor for an operator.
pub(crate) async fn disable_for_operator(cx: &mut Context<'_>, account_id: AccountId) -> Result<(), Failure> {
    let owner = Owner::lock(cx, account_id).await?;
    owner.check_second_factor()?;
    let entry = Entry::new("account.disable_second_factor", json!({ "account_id": account_id }));
    entry.write(&mut *cx.db).await?;
    disable(cx, account_id, &owner).await.map(drop)
}

async fn disable(
    cx: &mut Context<'_>,
    account_id: AccountId,
    owner: &Owner,
) -> Result<SecondFactorDisabled, Failure> {
    sqlx::query!(
        "update accounts set second_factor = null, second_factor_enabled_at = null,
                second_factor_last_step = null
         where account_id = $1",
        account_id.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    replace_recovery_codes(cx, account_id, &[]).await?;
    distrust_all(cx, account_id).await?;
    owner.tell(cx, MailKind::SecondFactorDisabled, json!({ "at": in_words(cx.now) })).await?;
    invalidate_sessions(cx, account_id).await?;
    Ok(SecondFactorDisabled { account_id })
}

impl Rule for ReplaceRecoveryCodes {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<RecoveryCodesReplaced, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        owner.check_second_factor()?;
        use_proof(cx, account_id, &self.proof).await?;
        replace_recovery_codes(cx, account_id, &self.recovery_hashes).await?;
        tell_about_recovery_code(cx, account_id, &owner, &self.proof).await?;
        Ok(RecoveryCodesReplaced { account_id })
    }
}

/// Stores these recovery codes in place of all others.
async fn replace_recovery_codes(
    cx: &mut Context<'_>,
    account_id: AccountId,
    hashes: &[String],
) -> sqlx::Result<()> {
    sqlx::query!("delete from recovery_codes where account_id = $1", account_id.get())
        .execute(&mut *cx.db)
        .await?;
    sqlx::query!(
        "insert into recovery_codes (account_id, code_hash)
         select $1, decode(hash, 'hex') from unnest($2::text[]) as hashes (hash)",
        account_id.get(),
        hashes,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
