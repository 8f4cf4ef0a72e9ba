//! What goes wrong: one thing at a time, or two.

use std::time::Duration;

use anyhow::Context;
use guildhall_common::{bus::Topology, guild::GuildCommand};
use lapin::{BasicProperties, Connection, ConnectionProperties, options::BasicPublishOptions};
use rand::{RngExt, rngs::StdRng};
use sqlx::{Connection as _, PgConnection};
use tokio::time::sleep;

use super::site::Site;
use crate::stack::{Part, Stack};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fault {
    /// SIGKILL, and started again.
    Kill(Part),
    /// SIGSTOP, and SIGCONT.
    Freeze(Part),
    /// All connections of the site's processes to this one are cut in the middle of whatever they carry.
    Cut(Part),
    /// Redis forgets everything.
    Flush,
    /// RabbitMQ takes no messages for want of memory.
    MemoryAlarm,
    /// RabbitMQ takes no messages for want of disk.
    DiskAlarm,
    /// Somebody else holds all the connections that Postgres has.
    NoConnections,
    /// A message that is none.
    Poison,
}

impl Fault {
    /// Each that there is.
    #[must_use]
    pub(super) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for part in Part::ALL {
            all.extend([Self::Kill(part), Self::Freeze(part)]);
        }
        all.extend([Part::Postgres, Part::Redis, Part::Rabbitmq].map(Self::Cut));
        all.extend([Self::Flush, Self::MemoryAlarm, Self::DiskAlarm, Self::NoConnections, Self::Poison]);
        all
    }

    #[must_use]
    pub(super) fn name(self) -> String {
        match self {
            Self::Kill(part) => format!("kill {}", part.name()),
            Self::Freeze(part) => format!("freeze {}", part.name()),
            Self::Cut(part) => format!("cut {}", part.name()),
            Self::Flush => "flush redis".to_owned(),
            Self::MemoryAlarm => "memory alarm".to_owned(),
            Self::DiskAlarm => "disk alarm".to_owned(),
            Self::NoConnections => "no connections".to_owned(),
            Self::Poison => "poison".to_owned(),
        }
    }

    /// Which of the processes it strikes.
    #[must_use]
    pub(super) fn part(self) -> Part {
        match self {
            Self::Kill(part) | Self::Freeze(part) | Self::Cut(part) => part,
            Self::Flush => Part::Redis,
            Self::MemoryAlarm | Self::DiskAlarm | Self::Poison => Part::Rabbitmq,
            Self::NoConnections => Part::Postgres,
        }
    }

    /// Lets it happen, and ends it.
    ///
    /// # Errors
    /// When it cannot be ended: then nothing that follows tells anything.
    pub(super) async fn strike(self, site: &Site, random: &mut StdRng) -> anyhow::Result<()> {
        let lasts = Duration::from_millis(random.random_range(100..2500));
        match self {
            Self::Kill(part) => {
                site.stack.kill(part).await?;
                sleep(lasts).await;
                site.stack.start(part).await
            }
            Self::Freeze(part) => {
                site.stack.signal(part, "STOP").await?;
                sleep(lasts).await;
                site.stack.signal(part, "CONT").await
            }
            Self::Cut(Part::Postgres) => sqlx::query(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'guildhall-%'",
            )
            .execute(&site.database)
            .await
            .map(drop)
            .context("the connections to Postgres cannot be cut"),
            Self::Cut(Part::Redis) => redis(&["client", "kill", "type", "normal"]).await,
            Self::Cut(_) => rabbitmqctl(site, &["close_all_connections", "drill"]).await,
            Self::Flush => redis(&["flushall"]).await,
            Self::MemoryAlarm => {
                rabbitmqctl(site, &["set_vm_memory_high_watermark", "absolute", "1MB"]).await?;
                sleep(lasts).await;
                rabbitmqctl(site, &["set_vm_memory_high_watermark", "absolute", "1GB"]).await
            }
            Self::DiskAlarm => {
                rabbitmqctl(site, &["set_disk_free_limit", "100000GB"]).await?;
                sleep(lasts).await;
                rabbitmqctl(site, &["set_disk_free_limit", "50MB"]).await
            }
            Self::NoConnections => no_connections(lasts).await,
            Self::Poison => poison().await,
        }
    }
}

async fn redis(command: &[&str]) -> anyhow::Result<()> {
    let url = Stack::setting("GUILDHALL_REDIS_URL")?;
    Stack::run("redis-cli", &[&["-u", url.as_str(), "--no-auth-warning"], command].concat()).await
}

async fn rabbitmqctl(site: &Site, command: &[&str]) -> anyhow::Result<()> {
    site.stack.dev(&[&["part", "rabbitmqctl"], command].concat()).await
}

async fn no_connections(lasts: Duration) -> anyhow::Result<()> {
    let url = Stack::setting("GUILDHALL_DATABASE_URL")?;
    let mut held = Vec::new();
    while let Ok(connection) = PgConnection::connect(&url).await {
        held.push(connection);
    }
    sleep(lasts).await;
    for connection in held {
        connection.close().await?;
    }
    Ok(())
}

async fn poison() -> anyhow::Result<()> {
    let url = Stack::setting("GUILDHALL_AMQP_URL")?;
    let queue = Topology::new("guildhall").commands::<GuildCommand>();
    let connection = Connection::connect(&url, ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    let properties = BasicProperties::default().with_delivery_mode(2);
    channel
        .basic_publish(
            "".into(),
            queue.into(),
            BasicPublishOptions::default(),
            b"{\"not\": \"a command\"}",
            properties,
        )
        .await?;
    connection.close(200, "done".into()).await?;
    Ok(())
}
