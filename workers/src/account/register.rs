//! Registers an account.

use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, AccountRegistered, Register},
    command::{Failure, OnConstraint},
};

use crate::{
    account::verify_email::{check_address, send_verification},
    engine::{context::Context, rule::Rule},
    mail::{MailKind, Recipient},
};

impl Rule for Register {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountRegistered, Failure> {
        check_address(&self.email)?;
        let account_id = sqlx::query_scalar!(
            r#"insert into accounts (name, email, password_hash, language) values ($1, $2, $3, $4)
               returning account_id as "account_id: AccountId""#,
            &*self.name,
            &*self.email,
            self.password_hash,
            self.language as _,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint("accounts_name_unique", AccountRefusal::NameTaken)?;
        let registered = AccountRegistered { account_id, name: self.name.to_string() };
        if cx.mailer.is_some() {
            let to = Recipient {
                account_id,
                name: self.name.to_string(),
                email: self.email.to_string(),
                language: self.language,
            };
            send_verification(cx, MailKind::VerifyEmail, &to).await?;
        }
        cx.publish("account.registered", &registered);
        Ok(registered)
    }
}
