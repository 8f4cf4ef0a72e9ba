//! Registers an account.

use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, AccountRegistered, Register},
    command::Failure,
};

use crate::{
    account::verify_email::{check_address, send_verification},
    engine::{context::Context, rule::Rule},
    mail::{MailKind, MailRecipient},
};

impl Rule for Register {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountRegistered, Failure> {
        check_address(&self.email)?;
        let account_id = sqlx::query_scalar!(
            r#"insert into accounts (name, email, password_hash, language) values ($1, $2, $3, $4)
               on conflict on constraint accounts_name_unique do nothing
               returning account_id as "account_id: AccountId""#,
            &*self.name,
            &*self.email,
            self.password_hash,
            self.language as _,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::NameTaken)?;
        let registered = AccountRegistered { account_id, name: self.name.to_string() };
        if cx.services.mailer.is_some() {
            let to = MailRecipient {
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
