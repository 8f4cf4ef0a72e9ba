//! Creates the accounts of a game whose community moves to the site.

use guildhall_common::contract::{
    account::{AccountId, AccountName, AccountRegistered},
    command::Failure,
    game::{AccountsImported, GameAccount, ImportAccounts, ImportedAccount},
};

use crate::{
    engine::{context::Context, rule::Rule},
    game,
    mail::is_deliverable,
};

/// The longest name that gets a number behind it.
const LONGEST_BASE: usize = 28;

impl Rule for ImportAccounts {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountsImported, Failure> {
        game::require_import(cx).await?;
        let mut accounts = Vec::with_capacity(self.accounts.len());
        for account in &self.accounts {
            accounts.push(match find(cx, account).await? {
                Some(found) => found,
                None => {
                    create(cx, account).await?;
                    let created = find(cx, account).await?.ok_or(sqlx::Error::RowNotFound)?;
                    ImportedAccount { created: true, ..created }
                }
            });
        }
        Ok(AccountsImported { accounts })
    }
}

/// The account that was imported before.
async fn find(cx: &mut Context<'_>, account: &GameAccount) -> sqlx::Result<Option<ImportedAccount>> {
    let found = sqlx::query!(
        r#"select account_id as "account_id: AccountId", name, email <> '' as "has_email!",
                  password_hash <> '' as "has_password!",
                  (name_key = lower($2) or game_login = lower($2)) is true as "has_game_login!"
           from imported_accounts join accounts using (account_id) where game_account_id = $1"#,
        &*account.game_account_id,
        &*account.name,
    );
    Ok(found.fetch_optional(&mut *cx.db).await?.map(|row| ImportedAccount {
        game_account_id: account.game_account_id.clone(),
        account_id: row.account_id,
        name: row.name,
        created: false,
        has_game_login: row.has_game_login,
        has_email: row.has_email,
        has_password: row.has_password,
    }))
}

/// Creates an account with the name of the game, or with a similar one.
async fn create(cx: &mut Context<'_>, account: &GameAccount) -> Result<(), Failure> {
    let email = account.email.as_deref().filter(|email| is_deliverable(email)).unwrap_or_default();
    // The site refuses registrations with such a name, so it stays unique. An address is no such name: another account may verify it.
    let game_login = (account.name.parse::<AccountName>().is_err() && !account.name.contains('@'))
        .then(|| account.name.to_lowercase());
    for name in names(&account.name) {
        let account_id = sqlx::query_scalar!(
            r#"insert into accounts (name, email, password_hash, created_at, game_login)
               select $1, $2, $3, least($4::timestamptz, $5::timestamptz),
                      (select $6::text where not exists (select from accounts where game_login = $6))
               on conflict on constraint accounts_name_unique do nothing
               returning account_id as "account_id: AccountId""#,
            name,
            email,
            account.password_hash.as_deref().unwrap_or_default(),
            account.created_at.map(|time| time.0),
            cx.now,
            game_login,
        );
        let Some(account_id) = account_id.fetch_optional(&mut *cx.db).await? else { continue };
        sqlx::query!(
            "insert into imported_accounts (game_account_id, account_id) values ($1, $2)",
            &*account.game_account_id,
            account_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        cx.publish("account.registered", &AccountRegistered { account_id, name });
        return Ok(());
    }
    Err(sqlx::Error::InvalidArgument(format!("no name is free like {}", &*account.name)).into())
}

/// The names that an account may get, the best first.
fn names(game_name: &str) -> impl Iterator<Item = String> {
    let allowed: String =
        game_name.chars().filter(|char| char.is_ascii_alphanumeric() || *char == '_').collect();
    let prefix = if allowed.starts_with(|first: char| first.is_ascii_alphabetic()) { "" } else { "p" };
    let base: String = format!("{prefix}{allowed}").chars().take(LONGEST_BASE).collect();
    let base = format!("{base:_<3}");
    let own = game_name.parse::<AccountName>().ok().map(String::from);
    game::similar_names(own, base, '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_account_gets_a_name_that_the_site_allows() {
        for (game_name, first) in [
            ("mira", "mira"),
            ("1234567", "p1234567"),
            ("1", "p1_"),
            ("mira.storm@example.org", "mirastormexampleorg"),
            ("\u{c1}lvaro", "lvaro"),
            ("---", "p__"),
            ("_x", "p_x"),
        ] {
            let names: Vec<String> = names(game_name).take(3).collect();
            assert_eq!(names[0], first);
            for name in names {
                name.parse::<AccountName>().unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
        let longest = names(&"x".repeat(255)).last().unwrap();
        longest.parse::<AccountName>().unwrap();
    }
}
