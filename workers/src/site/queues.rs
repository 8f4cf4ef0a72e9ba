//! Counts the commands that wait in the queues.

use guildhall_common::platform::bus::{self, with_timeout};

use crate::app::App;

/// Each queue of the site with the number of its messages that no worker has received. Retired partitions are included: workers
/// still process them.
///
/// # Errors
/// Postgres or RabbitMQ is unavailable, or a queue is missing.
pub async fn waiting_messages(app: &App) -> anyhow::Result<Vec<(String, u32)>> {
    let partitions = sqlx::query!("select domain, number from partitions order by domain, number");
    let partitions = partitions.fetch_all(&app.database).await?.into_iter();
    let queues = partitions
        .filter_map(|row| Some(app.topology.partition(&row.domain, u16::try_from(row.number).ok()?)))
        .chain([app.topology.dead_letters()]);
    let connection = app.broker.connect("queues").await?;
    let channel = with_timeout(connection.create_channel()).await?;
    let mut waiting = vec![];
    for queue in queues {
        let count = bus::waiting_messages(&channel, &queue).await?;
        waiting.push((queue, count));
    }
    with_timeout(connection.close(200, "counted".into())).await?;
    Ok(waiting)
}
