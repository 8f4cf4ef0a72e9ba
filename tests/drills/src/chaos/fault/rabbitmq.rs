//! Faults of RabbitMQ. In a cluster they affect the first node.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, ensure};
use guildhall_common::{
    contract::{command::Domain, guild::GuildCommand},
    platform::bus::{Broker, Topology},
};
use guildhall_testkit::environment::setting;
use lapin::{
    BasicProperties, Confirmation,
    options::{BasicPublishOptions, ConfirmSelectOptions},
};
use tokio::time::sleep;
use uuid::Uuid;

use crate::{process::Part, stack::Stack};

pub(super) async fn close(stack: &Stack) -> anyhow::Result<()> {
    rabbitmqctl(stack, &["close_all_connections", "drill"]).await.map(drop)
}

pub(super) async fn memory_alarm(stack: &Stack, duration: Duration) -> anyhow::Result<()> {
    rabbitmqctl(stack, &["set_vm_memory_high_watermark", "absolute", "1MB"]).await?;
    sleep(duration).await;
    rabbitmqctl(stack, &["set_vm_memory_high_watermark", "absolute", "1GB"]).await.map(drop)
}

pub(super) async fn disk_alarm(stack: &Stack, duration: Duration) -> anyhow::Result<()> {
    rabbitmqctl(stack, &["set_disk_free_limit", "100000GB"]).await?;
    sleep(duration).await;
    recheck_disk(stack).await
}

/// RabbitMQ checks its disk every ten seconds while there is space. It also checks it when the limit is set.
async fn recheck_disk(stack: &Stack) -> anyhow::Result<()> {
    rabbitmqctl(stack, &["set_disk_free_limit", "50MB"]).await.map(drop)
}

async fn rabbitmqctl(stack: &Stack, command: &[&str]) -> anyhow::Result<String> {
    stack.dev(&[&["part", "rabbitmqctl"], command].concat()).await
}

/// The disk of RabbitMQ's data, if it is a separate one that may be filled.
pub(super) fn small_disk() -> Option<PathBuf> {
    setting("DRILL_SMALL_DISK").ok().map(Into::into)
}

/// The free space that a single RabbitMQ keeps: less than its limit, and enough for its next writes. Version 3.10 does not
/// survive a completely full disk: the log of a queue was corrupt. A node of a cluster keeps no space, because other
/// nodes have copies.
const FREE_SPACE: u64 = 24 << 20;

const FIRST_NODE: &str = "guildhall-drill@localhost";
const OTHER_NODE: &str = "guildhall-drill2@localhost";

pub(super) async fn full_disk(stack: &Stack, duration: Duration) -> anyhow::Result<()> {
    let disk = small_disk().context("RabbitMQ has no disk of its own")?;
    let is_single = stack.processes(Part::Rabbitmq).count() == 1;
    let ballast = disk.join("ballast");
    let free: u64 = Stack::run("df", &["--output=avail", "--block-size=1", &disk.to_string_lossy()])
        .await?
        .lines()
        .last()
        .context("df prints nothing")?
        .trim()
        .parse()?;
    let size = if is_single { free.saturating_sub(FREE_SPACE) } else { free };
    tokio::task::spawn_blocking({
        let ballast = ballast.clone();
        move || fill(&ballast, size)
    })
    .await??;
    if is_single {
        recheck_disk(stack).await?;
        sleep(duration).await;
        tokio::fs::remove_file(&ballast).await?;
        return recheck_disk(stack).await;
    }
    sleep(duration).await;
    tokio::fs::remove_file(&ballast).await?;
    if stack.is_running(Part::Rabbitmq) {
        stack.kill(Part::Rabbitmq).await?;
    }
    replace_first_node(stack, &disk).await
}

/// Replaces a node that has lost its disk, as an operator does. Version 3.10 may have lost its copies of some queues. It was
/// also seen to lose new copies (`rabbitmq-queues shrink` and `grow`) at its next start.
async fn replace_first_node(stack: &Stack, disk: &Path) -> anyhow::Result<()> {
    stack.dev(&["part", "rabbitmq-queues", "-n", OTHER_NODE, "shrink", FIRST_NODE]).await?;
    rabbitmqctl(stack, &["-n", OTHER_NODE, "forget_cluster_node", FIRST_NODE]).await?;
    tokio::fs::remove_dir_all(disk.join("mnesia")).await?;
    stack.start(Part::Rabbitmq).await?;
    stack.dev(&["part", "rabbitmq-queues", "grow", FIRST_NODE, "all"]).await.map(drop)
}

/// Writes this many bytes, or fewer on a full disk.
fn fill(ballast: &Path, size: u64) -> std::io::Result<()> {
    let written = std::io::copy(&mut std::io::repeat(0).take(size), &mut File::create(ballast)?);
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::StorageFull => Err(error),
        _ => Ok(()),
    }
}

pub(super) async fn poison() -> anyhow::Result<()> {
    let broker = Broker::new(&setting("GUILDHALL_AMQP_URL")?)?;
    let queue = Topology::new("guildhall").partition(GuildCommand::NAME, 0);
    let connection = broker.connect("poison").await?;
    let channel = connection.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    let body = format!("{{\"not\": \"a command\", \"but\": \"{}\"}}", Uuid::new_v4());
    let properties = BasicProperties::default().with_delivery_mode(2);
    let published = channel.basic_publish(
        "".into(),
        queue.into(),
        BasicPublishOptions::default(),
        body.as_bytes(),
        properties,
    );
    let confirmation = published.await?.await?;
    ensure!(matches!(confirmation, Confirmation::Ack(_)), "RabbitMQ did not confirm the poison message");
    connection.close(200, "done".into()).await?;
    Ok(())
}
