//! Changes the language of an account's mails.

use guildhall_common::contract::{
    account::{AccountRefusal, ChangeLanguage, LanguageChanged},
    command::Failure,
};

use crate::engine::{context::Context, rule::Rule};

impl Rule for ChangeLanguage {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LanguageChanged, Failure> {
        let account_id = cx.account_id()?;
        let changed = sqlx::query!(
            "update accounts set language = $2 where account_id = $1 and deleted_at is null",
            account_id.get(),
            self.language as _
        );
        if changed.execute(&mut *cx.db).await?.rows_affected() == 0 {
            return Err(AccountRefusal::AccountNotFound.into());
        }
        Ok(LanguageChanged { language: self.language })
    }
}
