//! Who a drill speaks to, and as whom.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::Context;
use sqlx::PgPool;

use crate::{client::Client, journal::Journal, stack::Stack};

pub(super) struct Site {
    pub stack: Stack,
    pub journal: Arc<Journal>,
    pub database: PgPool,
    pub nobody: Client,
    pub merchant: Client,
    pub editor: Client,
    pub game: Client,
    pub bank: Client,
}

impl Site {
    /// Logs in as those whom `./dev drill` has made.
    ///
    /// # Errors
    /// When the site does not answer.
    pub(super) async fn of_environment(journal: Arc<Journal>) -> anyhow::Result<Self> {
        let nobody =
            Client::new(format!("http://{}", Stack::setting("GUILDHALL_API_LISTEN")?))?.journaled(&journal);
        let bank = Client::new(format!("http://{}", Stack::setting("GUILDHALL_SANDBOX_LISTEN")?))?;
        let credentials = credentials()?;
        let credential = |who: &str| credentials.get(who).with_context(|| format!("there is no {who}"));
        let (merchant, editor, game) = (credential("merchant")?, credential("editor")?, credential("game")?);
        Ok(Self {
            stack: Stack::from_environment()?,
            database: PgPool::connect(&Stack::setting("GUILDHALL_DATABASE_URL")?).await?,
            merchant: nobody.logged_in(&merchant.0, &merchant.1).await?,
            editor: nobody.logged_in(&editor.0, &editor.1).await?,
            game: nobody.with_token("game", game.1.clone()),
            journal,
            nobody,
            bank,
        })
    }
}

/// Who can sign in: by what they are, their name and secret.
fn credentials() -> anyhow::Result<BTreeMap<String, (String, String)>> {
    let text = Stack::setting("DRILL_CREDENTIALS")?;
    let people = text.lines().filter_map(|line| {
        let mut words = line.split(' ').map(ToOwned::to_owned);
        Some((words.next()?, (words.next()?, words.next()?)))
    });
    Ok(people.collect())
}
