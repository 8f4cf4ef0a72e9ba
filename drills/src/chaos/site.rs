//! Who a drill speaks to, and as whom.

use std::sync::Arc;

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
        let [merchant, editor, game] = ["merchant", "editor", "game"].map(Stack::credential);
        let (merchant, editor, game) = (merchant?, editor?, game?);
        Ok(Self {
            stack: Stack::from_environment()?,
            database: PgPool::connect(&Stack::setting("GUILDHALL_DATABASE_URL")?).await?,
            merchant: nobody.logged_in(&merchant.0, &merchant.1).await?,
            editor: nobody.logged_in(&editor.0, &editor.1).await?,
            game: nobody.with_token("game", game.1),
            journal,
            nobody,
            bank,
        })
    }
}
