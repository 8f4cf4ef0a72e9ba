//! RabbitMQ that is unavailable, silent, or late.

use guildhall_common::platform::bus::{Broker, supervise, with_timeout};
use guildhall_testkit::proxy::Proxy;
use lapin::{
    Channel, Connection,
    options::{BasicConsumeOptions, QueueDeclareOptions, QueueDeleteOptions},
    types::FieldTable,
};
use serde_json::json;
use tokio::{io::AsyncReadExt, net::TcpListener};
use tokio_util::sync::CancellationToken;

use crate::support::{
    options::Options,
    site::Site,
    wait::{wait_until, with_hang_limit},
};

#[tokio::test(flavor = "multi_thread")]
async fn without_the_broker_reads_continue_and_commands_continue_after_it_returns() {
    let link = Proxy::to(&Options::default().amqp_url).await.unwrap();
    // The command during the second fault gets its response only after this time, because its outcome stays unknown.
    let options = Options { amqp_url: link.url.clone(), command_wait: 10, ..Options::default() };
    let site = Site::start_with(options).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let motd = |text: &str| json!({ "guild_id": guild_id, "motd": text });
    for fault in [Proxy::refuse as fn(&Proxy), Proxy::freeze] {
        fault(&link);
        let body = motd("unavailable");
        let request = mira.post_with_key("/guild/change-motd", &body, "a");
        let response = with_hang_limit("the command gets a response", request).await;
        assert!([503, 202].contains(&response.status), "{response:?}");
        site.visitor().get("/guild/view/Night%20Watch").await.ok();
        link.refuse();
        link.restore();
        let is_applied = async || mira.post("/guild/change-motd", motd("available")).await.status == 200;
        wait_until("a command is applied again", is_applied).await;
        let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
        assert_eq!(view["motd"], "available");
    }
    site.finish().await;
}

async fn declare(channel: &Channel, queue: &str, options: QueueDeclareOptions) -> lapin::Queue {
    channel.queue_declare(queue.into(), options, FieldTable::default()).await.unwrap()
}

/// A late broker has registered the consumer by then, and would deliver to it the messages of other consumers.
#[tokio::test(flavor = "multi_thread")]
async fn a_consumer_that_is_abandoned_while_it_registers_does_not_stay() {
    let link = Proxy::to(&Options::default().amqp_url).await.unwrap();
    let queue = format!("abandoned-{}", uuid::Uuid::now_v7().simple());
    let direct = Broker::new(&Options::default().amqp_url).unwrap().connect("test").await.unwrap();
    let channel = direct.create_channel().await.unwrap();
    declare(&channel, &queue, QueueDeclareOptions { auto_delete: false, ..Default::default() }).await;

    let consume = async |connection: &Connection| {
        let channel = with_timeout(connection.create_channel()).await?;
        link.freeze();
        let (options, arguments) = (BasicConsumeOptions::default(), FieldTable::default());
        with_timeout(channel.basic_consume(queue.as_str().into(), "".into(), options, arguments)).await
    };
    let stop = CancellationToken::new();
    supervise(Broker::new(&link.url).unwrap(), "test", stop.clone(), async |connection, _| {
        let late = consume(&connection).await;
        stop.cancel();
        link.restore();
        late.map(drop)
    })
    .await;

    // The broker receives the delayed request first, and then the end of the connection.
    wait_until("the connection is closed", async || !link.has_connections()).await;
    let consumers = async || {
        let passive = QueueDeclareOptions { passive: true, ..Default::default() };
        declare(&channel, &queue, passive).await.consumer_count()
    };
    wait_until("the broker has no consumer that nobody uses", async || consumers().await == 0).await;
    channel.queue_delete(queue.as_str().into(), QueueDeleteOptions::default()).await.unwrap();
}

/// lapin alone would keep the socket open, and a thread with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_to_a_silent_broker_is_closed() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let broker = Broker::new(&format!("amqp://{}", silent.local_addr().unwrap())).unwrap();
    let (connected, accepted) = tokio::join!(broker.connect("test"), silent.accept());
    assert!(connected.is_err());
    let mut received = Vec::new();
    let (mut accepted, _) = accepted.unwrap();
    with_hang_limit("the connection is closed", accepted.read_to_end(&mut received)).await.ok();
    assert!(received.starts_with(b"AMQP"), "{received:?}");
}
