//! Registers an account.

use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, AccountRegistered, Register},
    command::{Failure, OnConstraint},
};

use crate::engine::rule::{Context, Rule};

impl Rule for Register {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountRegistered, Failure> {
        let is_taken = sqlx::query_scalar!(
            r#"select exists (select from accounts where name_key = $1) as "is_taken!""#,
            self.name.key(),
        );
        // The name is checked first, so that the refusal is always the same when name and address are taken.
        if is_taken.fetch_one(&mut *cx.db).await? {
            return Err(AccountRefusal::NameTaken.into());
        }
        let account_id = sqlx::query_scalar!(
            r#"insert into accounts (name, email, password_hash) values ($1, $2, $3)
               returning account_id as "account_id: AccountId""#,
            &*self.name,
            &*self.email,
            self.password_hash,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint("accounts_email_unique", AccountRefusal::EmailTaken)?;
        let registered = AccountRegistered { account_id, name: self.name.to_string() };
        cx.publish("account.registered", &registered);
        Ok(registered)
    }
}
