//! The site that is measured: its address, its data set, and the accounts that send requests.

use std::{path::PathBuf, time::Duration};

use anyhow::Context;
use futures_util::{StreamExt, TryStreamExt, stream};
use guildhall_testkit::{
    environment::setting,
    http::{HttpClient, registration},
};
use sqlx::{PgPool, postgres::PgPoolOptions};
use uuid::Uuid;

use crate::processes::Processes;

/// The number of log-ins at the same time. Each needs a processor for some milliseconds.
const LOG_INS_AT_A_TIME: usize = 4;

/// The site and its accounts.
pub(crate) struct BenchSite {
    /// A client of the api without a token.
    pub(crate) http: HttpClient,
    /// The URL of the floors (a) and (b).
    pub(crate) floor_url: String,
    pub(crate) folder: PathBuf,
    pub(crate) processes: Processes,
    pub(crate) database: PgPool,
    /// The password of all accounts of the data set.
    pub(crate) password: String,
    pub(crate) leaders: Vec<Leader>,
    /// The token of the account with 4,000 characters.
    pub(crate) collector: String,
    /// The tokens of accounts that may read all payments.
    pub(crate) watchers: Vec<String>,
    pub(crate) offers: Vec<i64>,
}

/// The leader of a guild of the data set, with an account of its own.
#[derive(Debug, Clone)]
pub(crate) struct Leader {
    pub(crate) token: String,
    pub(crate) character: String,
    pub(crate) guild_id: i64,
    pub(crate) guild: String,
    /// The third member of the guild.
    pub(crate) third_member: String,
}

impl BenchSite {
    /// Loads the data set into the database of a running site that has none, and logs in with its accounts.
    ///
    /// # Errors
    /// When the site or the database does not respond as expected.
    pub(crate) async fn prepare(database_url: &str) -> anyhow::Result<Self> {
        let database = PgPoolOptions::new()
            .acquire_timeout(Duration::from_secs(10))
            .max_connections(4)
            .connect(database_url)
            .await?;
        let password = Uuid::new_v4().to_string();
        let http = HttpClient::new(&setting("GUILDHALL_API_LISTEN")?);
        http.post("/accounts/register", &registration("bench1", &password)).send().await?.success()?;
        sqlx::raw_sql(include_str!("dataset.sql")).execute(&database).await.context("the data set")?;
        let folder = PathBuf::from(setting("BENCH_STACK")?);
        let mut site = Self {
            floor_url: format!("http://127.0.0.1:{}", setting("DEV_FLOOR_PORT")?),
            processes: Processes::new(&folder),
            collector: http.log_in("benchcollector", &password).await?,
            offers: sqlx::query_scalar(
                "select offer_id from shop_offers where name like 'Bench %' order by position",
            )
            .fetch_all(&database)
            .await?,
            leaders: vec![],
            watchers: vec![],
            http,
            folder,
            database,
            password,
        };
        site.leaders = site.log_in_leaders().await?;
        Ok(site)
    }

    async fn log_in_leaders(&self) -> anyhow::Result<Vec<Leader>> {
        let rows: Vec<(String, String, i64, String, String)> = sqlx::query_as(
            "select accounts.name, characters.name, guild_id, guilds.name, guilds.name || ' aaaad'
             from guilds join characters on character_id = leader_id join accounts using (account_id)
             where accounts.name ~ '^bench[0-9]+$' order by guild_id",
        )
        .fetch_all(&self.database)
        .await?;
        let log_ins =
            rows.into_iter().map(|(account, character, guild_id, guild, third_member)| async move {
                let token = self.http.log_in(&account, &self.password).await?;
                anyhow::Ok(Leader { token, character, guild_id, guild, third_member })
            });
        stream::iter(log_ins).buffered(LOG_INS_AT_A_TIME).try_collect().await
    }

    /// Logs in with the accounts that follow payments, unless that is done.
    ///
    /// # Errors
    /// When the site does not respond.
    pub(crate) async fn log_in_watchers(&mut self) -> anyhow::Result<()> {
        if !self.watchers.is_empty() {
            return Ok(());
        }
        let names: Vec<String> =
            sqlx::query_scalar("select name from accounts where name like 'benchwatcher%'")
                .fetch_all(&self.database)
                .await?;
        let log_ins = names.iter().map(|name| self.http.log_in(name, &self.password));
        self.watchers = stream::iter(log_ins).buffered(LOG_INS_AT_A_TIME).try_collect().await?;
        Ok(())
    }

    /// The URL of a path, for wrk.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.http.address())
    }
}
