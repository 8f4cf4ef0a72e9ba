//! The course of the drill, and its checks.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use clap::Args;
use futures_util::future::try_join_all;
use guildhall_testkit::environment::setting;
use serde_json::json;
use sqlx::PgPool;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::{maildir, policy::PolicyServer};
use crate::{client::RetryingClient, consistency, process::Part, stack::Stack};

/// The time from a kill to the next start.
const DOWNTIME: Duration = Duration::from_millis(200);

/// The time limit until each mail is sent and delivered after the last fault. A mail may wait for the lease of its job (30 s) and for a
/// later attempt (60 s).
const DELIVERY_TIME_LIMIT: Duration = Duration::from_secs(240);

/// A kill does not wait longer for a mail. A refused mail is sent again after a second.
const RECEIVE_TIME_LIMIT: Duration = Duration::from_secs(3);

/// The maximum time from the reception of a mail to the kill.
const KILL_DELAY_MICROS: u64 = 6_000;

/// The players that register during a fault.
const PLAYERS_PER_FAULT: usize = 5;

const PASSWORD: &str = "nine violet harbours";

#[derive(Debug, Args)]
pub struct MailDrillSettings {
    /// How often the workers or the mail server are killed
    #[arg(long, default_value_t = 100)]
    kills: usize,
}

/// What happens while mails are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// SIGKILL, and another start.
    Kill(Part),
    /// SIGSTOP of the mail server for this time. A step of the protocol may take 10 s.
    Freeze(Duration),
    /// The mail server does not run for this time.
    Outage(Duration),
}

struct MailDrill {
    stack: Stack,
    database: PgPool,
    visitor: RetryingClient,
    policy: PolicyServer,
    /// The folder to which Postfix delivers.
    delivered: PathBuf,
    players: usize,
}

/// Kills the workers and the mail server this often.
///
/// # Errors
/// When a mail is lost, two mails have the same id, or a link does not work.
pub async fn run(settings: &MailDrillSettings) -> anyhow::Result<()> {
    MailDrill::from_environment().await?.run(settings.kills).await
}

impl MailDrill {
    async fn from_environment() -> anyhow::Result<Self> {
        let address = format!("127.0.0.1:{}", setting("DEV_POLICY_PORT")?);
        Ok(Self {
            stack: Stack::from_environment()?,
            database: PgPool::connect(&setting("GUILDHALL_DATABASE_URL")?).await?,
            visitor: RetryingClient::new(&setting("GUILDHALL_API_LISTEN")?),
            policy: PolicyServer::start(&address).await?,
            delivered: PathBuf::from(setting("DRILL_POSTFIX")?).join("mails/all"),
            players: 0,
        })
    }

    async fn run(mut self, kills: usize) -> anyhow::Result<()> {
        let mut faults: Vec<_> =
            (0..kills).map(|kill| Fault::Kill([Part::Workers, Part::Postfix][kill % 2])).collect();
        for (place, fault) in [
            Fault::Freeze(Duration::from_secs(1)),
            Fault::Outage(Duration::from_secs(3)),
            Fault::Freeze(Duration::from_secs(12)),
        ]
        .into_iter()
        .enumerate()
        {
            faults.insert((place + 1) * faults.len() / 4, fault);
        }
        for (number, fault) in faults.iter().enumerate() {
            let started = Instant::now();
            self.register_during(*fault).await.with_context(|| format!("{fault:?}"))?;
            println!("{:3}  {:5.1} s  {fault:?}", number + 1, started.elapsed().as_secs_f64());
        }
        self.wait_until_delivered().await?;
        let repeats = self.check().await?;
        println!(
            "{kills} kills, {} mails: each was delivered, {repeats} of them twice with the same Message-ID, {} were refused for a \
             while, and each link works",
            self.players,
            self.policy.refusals()
        );
        Ok(())
    }

    async fn register_during(&mut self, fault: Fault) -> anyhow::Result<()> {
        let first = self.players;
        self.players += PLAYERS_PER_FAULT;
        let registrations = (first..self.players).map(|number| {
            let account = json!({ "name": name(number), "email": email(number), "password": PASSWORD });
            self.visitor.post("/accounts/register", account)
        });
        tokio::try_join!(try_join_all(registrations), self.inject(fault))?;
        Ok(())
    }

    async fn inject(&self, fault: Fault) -> anyhow::Result<()> {
        match fault {
            Fault::Kill(part) => {
                // While Postfix stores and confirms a mail, and the worker stores that it is sent.
                let _ = timeout(RECEIVE_TIME_LIMIT, self.policy.received()).await;
                sleep(Duration::from_micros(rand::random_range(0..KILL_DELAY_MICROS))).await;
                self.restart(part, DOWNTIME).await
            }
            Fault::Outage(duration) => self.restart(Part::Postfix, duration).await,
            Fault::Freeze(duration) => {
                self.stack.signal(Part::Postfix, "STOP").await?;
                sleep(duration).await;
                self.stack.signal(Part::Postfix, "CONT").await.map(drop)
            }
        }
    }

    async fn restart(&self, part: Part, downtime: Duration) -> anyhow::Result<()> {
        self.stack.kill(part).await?;
        sleep(downtime).await;
        self.stack.start(part).await
    }

    /// Waits until Postfix has accepted and delivered each mail.
    async fn wait_until_delivered(&self) -> anyhow::Result<()> {
        let started = Instant::now();
        loop {
            let waiting: i64 = sqlx::query_scalar("select count(*) from mails where state = 'waiting'")
                .fetch_one(&self.database)
                .await?;
            let delivered = maildir::read(&self.delivered)?.len();
            if waiting == 0 && delivered >= self.players {
                return Ok(());
            }
            ensure!(
                started.elapsed() < DELIVERY_TIME_LIMIT,
                "lost: {waiting} mails wait, and {delivered} of {} were delivered after {DELIVERY_TIME_LIMIT:?}",
                self.players
            );
            sleep(Duration::from_millis(500)).await;
        }
    }

    /// Compares the mails of the site with those that were delivered. Returns how many of them were delivered twice or more often.
    async fn check(&self) -> anyhow::Result<usize> {
        let sent: Vec<(Uuid, String, String)> =
            sqlx::query_as("select mail_id, recipient, state from mails").fetch_all(&self.database).await?;
        ensure!(sent.len() == self.players, "duplicated: {} mails for {} players", sent.len(), self.players);
        let mut delivered = maildir::read(&self.delivered)?;
        let mut repeats = 0;
        for (mail_id, recipient, state) in sent {
            ensure!(state == "sent", "lost: the mail {mail_id} is {state}");
            let copies = delivered
                .remove(&mail_id.to_string())
                .with_context(|| format!("lost: the mail {mail_id}"))?;
            ensure!(copies[0].recipient == recipient, "wrong: the mail {mail_id} is for another recipient");
            ensure!(copies.iter().all(|copy| *copy == copies[0]), "wrong: two mails have the id {mail_id}");
            repeats += usize::from(copies.len() > 1);
            let verified = json!({ "token": copies[0].token()? });
            let applied = self.visitor.post("/accounts/verify-email", verified).await?;
            ensure!(applied["status"] == "applied", "wrong: the link of {mail_id} does not work: {applied}");
        }
        ensure!(delivered.is_empty(), "duplicated: delivered and not sent: {:?}", delivered.keys());
        let violations = consistency::check_after_load(&self.database, 0).await?;
        ensure!(violations.is_empty(), "{}", violations.join("; "));
        Ok(repeats)
    }
}

fn name(number: usize) -> String {
    format!("player_{number}")
}

fn email(number: usize) -> String {
    format!("{}@example.org", name(number))
}
