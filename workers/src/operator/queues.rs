//! Counts the commands that wait in the queues.

use guildhall_common::platform::bus::with_timeout;

use crate::app::App;

/// Each queue of the site with the number of its messages that no worker has received.
///
/// # Errors
/// RabbitMQ is unavailable, or a queue is missing.
pub async fn waiting_messages(app: &App) -> anyhow::Result<Vec<(String, u32)>> {
    let connection = app.broker.connect("queues").await?;
    let channel = with_timeout(connection.create_channel()).await?;
    let waiting = app.topology.waiting_messages(&channel).await?;
    with_timeout(connection.close(200, "counted".into())).await?;
    Ok(waiting)
}
