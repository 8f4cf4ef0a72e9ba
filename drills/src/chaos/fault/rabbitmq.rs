//! What goes wrong with RabbitMQ. Of a cluster: with its first node.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, ensure};
use guildhall_common::{
    contract::guild::GuildCommand,
    platform::bus::{Broker, Topology},
};
use lapin::{
    BasicProperties, Confirmation,
    options::{BasicPublishOptions, ConfirmSelectOptions},
};
use tokio::time::sleep;
use uuid::Uuid;

use crate::stack::{Part, Stack};

pub(super) async fn close(stack: &Stack) -> anyhow::Result<()> {
    control(stack, &["close_all_connections", "drill"]).await.map(drop)
}

pub(super) async fn memory_alarm(stack: &Stack, lasts: Duration) -> anyhow::Result<()> {
    control(stack, &["set_vm_memory_high_watermark", "absolute", "1MB"]).await?;
    sleep(lasts).await;
    control(stack, &["set_vm_memory_high_watermark", "absolute", "1GB"]).await.map(drop)
}

pub(super) async fn disk_alarm(stack: &Stack, lasts: Duration) -> anyhow::Result<()> {
    control(stack, &["set_disk_free_limit", "100000GB"]).await?;
    sleep(lasts).await;
    look_at_disk(stack).await
}

/// RabbitMQ looks at its disk every ten seconds while there is room; and when it is told how much is to be left.
async fn look_at_disk(stack: &Stack) -> anyhow::Result<()> {
    control(stack, &["set_disk_free_limit", "50MB"]).await.map(drop)
}

async fn control(stack: &Stack, command: &[&str]) -> anyhow::Result<String> {
    stack.dev(&[&["part", "rabbitmqctl"], command].concat()).await
}

/// Where RabbitMQ keeps its data, if that is a disk of its own which may be filled.
pub(super) fn small_disk() -> Option<PathBuf> {
    Stack::setting("DRILL_SMALL_DISK").ok().map(Into::into)
}

/// How much is left of the disk of a RabbitMQ that is alone: less than it wants to be free, and enough for what it
/// still writes. Version 3.10 does not survive one that is full to the last byte: the log of a queue was found corrupt.
/// A node of a cluster gets no byte, since others have copies.
const LEFT: u64 = 24 << 20;

const FIRST_NODE: &str = "guildhall-drill@localhost";
const OTHER_NODE: &str = "guildhall-drill2@localhost";

pub(super) async fn full_disk(stack: &Stack, lasts: Duration) -> anyhow::Result<()> {
    let disk = small_disk().context("RabbitMQ has no disk of its own")?;
    let alone = stack.processes(Part::Rabbitmq).count() == 1;
    let ballast = disk.join("ballast");
    let free: u64 = Stack::run("df", &["--output=avail", "--block-size=1", &disk.to_string_lossy()])
        .await?
        .lines()
        .last()
        .context("df says nothing")?
        .trim()
        .parse()?;
    let size = if alone { free.saturating_sub(LEFT) } else { free };
    tokio::task::spawn_blocking({
        let ballast = ballast.clone();
        move || fill(&ballast, size)
    })
    .await??;
    if alone {
        look_at_disk(stack).await?;
        sleep(lasts).await;
        tokio::fs::remove_file(&ballast).await?;
        return look_at_disk(stack).await;
    }
    sleep(lasts).await;
    tokio::fs::remove_file(&ballast).await?;
    if stack.runs(Part::Rabbitmq) {
        stack.kill(Part::Rabbitmq).await?;
    }
    replace_first_node(stack, &disk).await
}

/// As one does with a node that has lost its disk. Version 3.10 may have lost its copies of some queues, and was seen
/// to lose those that were made anew (`rabbitmq-queues shrink` and `grow`) when it was started the next time.
async fn replace_first_node(stack: &Stack, disk: &Path) -> anyhow::Result<()> {
    stack.dev(&["part", "rabbitmq-queues", "-n", OTHER_NODE, "shrink", FIRST_NODE]).await?;
    control(stack, &["-n", OTHER_NODE, "forget_cluster_node", FIRST_NODE]).await?;
    tokio::fs::remove_dir_all(disk.join("mnesia")).await?;
    stack.start(Part::Rabbitmq).await?;
    stack.dev(&["part", "rabbitmq-queues", "grow", FIRST_NODE, "all"]).await.map(drop)
}

/// Writes so many bytes, or all that go in.
fn fill(ballast: &Path, size: u64) -> std::io::Result<()> {
    let filled = std::io::copy(&mut std::io::repeat(0).take(size), &mut File::create(ballast)?);
    match filled {
        Err(error) if error.kind() != std::io::ErrorKind::StorageFull => Err(error),
        _ => Ok(()),
    }
}

pub(super) async fn poison() -> anyhow::Result<()> {
    let broker = Broker::new(&Stack::setting("GUILDHALL_AMQP_URL")?)?;
    let queue = Topology::new("guildhall").commands::<GuildCommand>();
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
    ensure!(matches!(confirmation, Confirmation::Ack(_)), "RabbitMQ did not take the poison");
    connection.close(200, "done".into()).await?;
    Ok(())
}
