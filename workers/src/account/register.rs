use guildhall_common::contract::{
    account::{AccountRefusal, AccountRegistered, Register},
    command::{Failure, OnConstraint},
};

use crate::engine::rule::{Context, Rule};

impl Rule for Register {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountRegistered, Failure> {
        let taken = sqlx::query_scalar!(
            r#"select exists (select from accounts where name_key = $1) as "taken!""#,
            self.name.key(),
        );
        // The name is looked at first, so that of two wrongs the same one is always told.
        if taken.fetch_one(&mut *cx.db).await? {
            return Err(AccountRefusal::NameTaken.into());
        }
        let account_id = sqlx::query_scalar!(
            "insert into accounts (name, email, password_hash) values ($1, $2, $3) returning account_id",
            &*self.name,
            &*self.email,
            self.password_hash,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint("accounts_email_unique", AccountRefusal::EmailTaken)?;
        let registered = AccountRegistered { account_id, name: self.name.to_string() };
        cx.event("account.registered", &registered);
        Ok(registered)
    }
}
