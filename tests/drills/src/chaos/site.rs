//! The drilled site: clients of each role, and proxies in front of the apis and between the processes and their servers.

use std::{collections::HashMap, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::future::join_all;
use guildhall_testkit::{
    environment::setting,
    proxy::{Pattern, Proxy},
};
use sqlx::PgPool;

use super::limited_offer::LimitedOffer;
use crate::{
    client::RetryingClient,
    journal::Journal,
    process::{Part, Process},
    stack::Stack,
};

pub(super) struct ChaosSite {
    pub stack: Stack,
    pub journal: Arc<Journal>,
    pub database: PgPool,
    /// A client without a token.
    pub anonymous: RetryingClient,
    pub admin: RetryingClient,
    pub merchant: RetryingClient,
    pub editor: RetryingClient,
    pub game: RetryingClient,
    pub bank: RetryingClient,
    pub limited_offers: Vec<LimitedOffer>,
    /// In front of the apis, for all clients.
    api_proxy: Proxy,
    /// Between a process and a server.
    proxies: HashMap<(Process, Part), Vec<Proxy>>,
}

impl ChaosSite {
    /// Restarts the apis and workers behind proxies, and logs in with the demo accounts.
    ///
    /// # Errors
    /// When the site does not respond.
    pub(super) async fn from_environment(journal: Arc<Journal>) -> anyhow::Result<Self> {
        let mut stack = Stack::from_environment()?;
        let proxies = restart_behind_proxies(&mut stack).await?;
        let api_proxy = Proxy::to(&format!("http://{}", setting("DRILL_API")?)).await?;
        let anonymous = RetryingClient::new(&api_proxy.url).with_journal(&journal);
        let bank = RetryingClient::new(&setting("GUILDHALL_SANDBOX_LISTEN")?);
        let [admin, merchant, editor, game] = ["admin", "merchant", "editor", "game"].map(Stack::credential);
        let (admin, merchant, editor, game) = (admin?, merchant?, editor?, game?);
        let merchant = anonymous.log_in(&merchant.0, &merchant.1).await?;
        Ok(Self {
            stack,
            database: PgPool::connect(&setting("GUILDHALL_DATABASE_URL")?).await?,
            limited_offers: LimitedOffer::create_all(&merchant).await?,
            admin: anonymous.log_in(&admin.0, &admin.1).await?,
            merchant,
            editor: anonymous.log_in(&editor.0, &editor.1).await?,
            game: anonymous.with_token("game", game.1),
            journal,
            anonymous,
            bank,
            api_proxy,
            proxies,
        })
    }

    /// A site that does not run. Its folder is a new one.
    #[cfg(test)]
    pub(super) async fn unreachable() -> Self {
        let folder = std::env::temp_dir().join(format!("guildhall-drill-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir(&folder).unwrap();
        let journal = Arc::new(Journal::create(&folder.join("journal.jsonl")).unwrap());
        // Nothing listens on this port.
        let client = RetryingClient::new("127.0.0.1:1").with_journal(&journal);
        let database = sqlx::postgres::PgPoolOptions::new().acquire_timeout(Duration::from_millis(100));
        Self {
            stack: Stack::without_processes(folder),
            database: database.connect_lazy("postgres://127.0.0.1:1/none").unwrap(),
            limited_offers: vec![],
            admin: client.clone(),
            merchant: client.clone(),
            editor: client.clone(),
            game: client.clone(),
            bank: client.clone(),
            journal,
            anonymous: client,
            api_proxy: Proxy::to("http://127.0.0.1:1").await.unwrap(),
            proxies: HashMap::new(),
        }
    }

    /// Cuts all connections to a server in the middle of a message. For the api: the connections of all clients.
    pub(super) async fn cut(&self, server: Part) {
        if server == Part::Api {
            return self.api_proxy.cut().await;
        }
        join_all(self.proxies_to(server).map(|(_, proxy)| proxy.cut())).await;
    }

    /// Holds all traffic between a process and a server for a while.
    pub(super) async fn hold(&self, process: Process, server: Part, duration: Duration) {
        let proxies = self.proxies_to(server).filter(|(owner, _)| *owner == process);
        join_all(proxies.map(|(_, proxy)| proxy.hold(duration))).await;
    }

    /// The apis and workers that connect to a server.
    pub(super) fn clients_of(&self, server: Part) -> impl Iterator<Item = Process> {
        self.stack.services().filter(move |process| self.proxies.contains_key(&(*process, server)))
    }

    /// Waits until a worker sends or receives this pattern, and returns the worker. The pattern does not pass.
    ///
    /// # Errors
    /// When there is no worker.
    pub(super) async fn stop_worker_at(&self, server: Part, pattern: Pattern) -> anyhow::Result<Process> {
        let proxies = || self.proxies_to(server).filter(|(process, _)| process.part == Part::Workers);
        let stopped = Proxy::stop_at(proxies().map(|(_, proxy)| proxy), pattern).await?;
        let worker = proxies().find(|(_, proxy)| proxy.address == stopped);
        Ok(worker.context("there is no worker")?.0)
    }

    fn proxies_to(&self, server: Part) -> impl Iterator<Item = (Process, &Proxy)> {
        let proxies = self.proxies.iter().filter(move |((_, to), _)| *to == server);
        proxies.flat_map(|((process, _), proxies)| proxies.iter().map(|proxy| (*process, proxy)))
    }
}

/// The settings of apis and workers that contain addresses of servers.
const SERVERS: [(Part, &str); 3] = [
    (Part::Postgres, "GUILDHALL_DATABASE_URL"),
    (Part::Redis, "GUILDHALL_REDIS_URL"),
    (Part::Rabbitmq, "GUILDHALL_AMQP_URL"),
];

/// The settings of the workers that contain addresses of the bank.
const BANK: [(Part, &str); 2] =
    [(Part::Sandbox, "GUILDHALL_PIX_URL"), (Part::Sandbox, "GUILDHALL_PIX_TOKEN_URL")];

/// Restarts the apis and workers. Each gets its own proxy to each server.
async fn restart_behind_proxies(stack: &mut Stack) -> anyhow::Result<HashMap<(Process, Part), Vec<Proxy>>> {
    let mut proxies = HashMap::new();
    let processes: Vec<Process> = stack.services().collect();
    for process in processes {
        let mut settings = Vec::new();
        let bank = if process.part == Part::Workers { &BANK[..] } else { &[] };
        for (server, name) in SERVERS.iter().chain(bank) {
            let (urls, started) = start_proxies(&setting(name)?).await.context(*name)?;
            settings.push(format!("{name}={urls}"));
            proxies.entry((process, *server)).or_insert_with(Vec::new).extend(started);
        }
        stack.set_settings(process, settings);
        // In a cluster the second processes do not run yet.
        if stack.is_running(process) {
            stack.restart(process).await?;
        } else {
            stack.start(process).await?;
        }
    }
    Ok(proxies)
}

/// Starts a proxy for each URL, and returns the same URLs with the addresses of the proxies.
async fn start_proxies(urls: &str) -> anyhow::Result<(String, Vec<Proxy>)> {
    let mut proxies = Vec::new();
    for url in urls.split(',') {
        proxies.push(Proxy::to(url).await?);
    }
    let urls: Vec<&str> = proxies.iter().map(|proxy| &*proxy.url).collect();
    Ok((urls.join(","), proxies))
}
