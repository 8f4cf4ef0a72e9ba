//! What goes wrong with RabbitMQ. Of a cluster: with its first node.

use std::{fs::File, io::Write, path::PathBuf, time::Duration};

use anyhow::{Context, ensure};
use guildhall_common::{
    bus::{Broker, Topology},
    guild::GuildCommand,
};
use lapin::{
    BasicProperties, Confirmation,
    options::{BasicPublishOptions, ConfirmSelectOptions},
};
use tokio::time::sleep;
use uuid::Uuid;

use crate::stack::{Part, Stack};

pub(super) async fn close(stack: &Stack) -> anyhow::Result<()> {
    control(stack, &["close_all_connections", "drill"]).await
}

pub(super) async fn memory_alarm(stack: &Stack, lasts: Duration) -> anyhow::Result<()> {
    control(stack, &["set_vm_memory_high_watermark", "absolute", "1MB"]).await?;
    sleep(lasts).await;
    control(stack, &["set_vm_memory_high_watermark", "absolute", "1GB"]).await
}

pub(super) async fn disk_alarm(stack: &Stack, lasts: Duration) -> anyhow::Result<()> {
    control(stack, &["set_disk_free_limit", "100000GB"]).await?;
    sleep(lasts).await;
    control(stack, &["set_disk_free_limit", "50MB"]).await
}

async fn control(stack: &Stack, command: &[&str]) -> anyhow::Result<()> {
    stack.dev(&[&["part", "rabbitmqctl"], command].concat()).await.map(drop)
}

/// Where RabbitMQ keeps its data, if that is a disk of its own which may be filled.
pub(super) fn small_disk() -> Option<PathBuf> {
    Stack::setting("DRILL_SMALL_DISK").ok().map(Into::into)
}

pub(super) async fn full_disk(stack: &Stack, lasts: Duration) -> anyhow::Result<()> {
    let ballast = small_disk().context("RabbitMQ has no disk of its own")?.join("ballast");
    let filled = tokio::task::spawn_blocking({
        let ballast = ballast.clone();
        move || fill(&ballast)
    });
    filled.await??;
    sleep(lasts).await;
    tokio::fs::remove_file(&ballast).await?;
    // It does not always get over it by itself.
    stack.kill(Part::Rabbitmq).await?;
    stack.start(Part::Rabbitmq).await
}

/// Writes until nothing more goes in.
fn fill(ballast: &PathBuf) -> std::io::Result<()> {
    let mut file = File::create(ballast)?;
    for size in [1 << 20, 1 << 12, 1] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
    Ok(())
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
