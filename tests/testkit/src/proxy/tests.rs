//! The faults of a proxy, in front of an echo server.

use std::time::Instant;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
};

use super::*;

/// A proxy in front of an echo server, a connection to it, and a channel that receives all bytes of each closed connection.
async fn connect() -> (Proxy, TcpStream, mpsc::UnboundedReceiver<Vec<u8>>) {
    connect_with_delay(Duration::ZERO).await
}

async fn connect_with_delay(delay: Duration) -> (Proxy, TcpStream, mpsc::UnboundedReceiver<Vec<u8>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let url = format!("tcp://{}", listener.local_addr().expect("its address"));
    let proxy = Proxy::with_delay(&url, delay).await.expect("a port");
    let (closed, received) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let closed = closed.clone();
            tokio::spawn(async move {
                let mut bytes = Vec::new();
                while let Ok(1..) = stream.read_buf(&mut bytes).await {
                    let _ = stream.write_all(&bytes).await;
                }
                let _ = closed.send(bytes);
            });
        }
    });
    let process = TcpStream::connect(proxy.address).await.expect("a connection");
    (proxy, process, received)
}

async fn echo(process: &mut TcpStream, sent: &[u8]) -> Vec<u8> {
    process.write_all(sent).await.expect("the connection is open");
    receive(process, Duration::from_secs(10)).await
}

/// The bytes that arrive first. Empty when none arrive in time.
async fn receive(process: &mut TcpStream, time_limit: Duration) -> Vec<u8> {
    let mut received = vec![0; 64];
    let length = tokio::time::timeout(time_limit, process.read(&mut received)).await;
    received.truncate(length.map_or(0, Result::unwrap_or_default));
    received
}

#[tokio::test]
async fn a_cut_lets_half_of_a_message_pass() {
    let (proxy, mut process, mut received) = connect().await;
    assert_eq!(echo(&mut process, b"whole, ").await, b"whole, ");
    tokio::join!(proxy.cut(), async { process.write_all(b"halves").await.expect("it is open") });
    assert_eq!(received.recv().await.expect("a connection"), b"whole, hal");
}

#[tokio::test]
async fn a_hold_delays_the_end_of_a_connection() {
    let (proxy, mut process, mut received) = connect().await;
    assert_eq!(echo(&mut process, b"goodbye").await, b"goodbye");
    let (during_hold, ()) = tokio::join!(
        async {
            drop(process);
            tokio::time::timeout(Duration::from_millis(200), received.recv()).await
        },
        proxy.hold(Duration::from_millis(300))
    );
    assert!(during_hold.is_err(), "the server saw the end during the hold");
    assert_eq!(received.recv().await.expect("a connection"), b"goodbye");
}

#[tokio::test]
async fn held_bytes_pass_after_the_hold() {
    let (proxy, mut process, _) = connect().await;
    let (during_hold, ()) = tokio::join!(
        async {
            sleep(Duration::from_millis(20)).await;
            process.write_all(b"late").await.expect("the connection is open");
            receive(&mut process, Duration::from_millis(200)).await
        },
        proxy.hold(Duration::from_millis(300))
    );
    assert_eq!(during_hold, b"", "bytes passed during the hold");
    assert_eq!(receive(&mut process, Duration::from_secs(10)).await, b"late");
}

#[tokio::test]
async fn a_breakpoint_stops_one_connection_before_its_pattern() {
    let (proxy, mut process, _) = connect().await;
    let commit = Pattern { to_server: false, bytes: b"COMMIT" };
    let (other, mut other_process, _) = connect().await;
    let (received, stopped) = tokio::join!(
        async {
            assert_eq!(echo(&mut process, b"BEGIN").await, b"BEGIN");
            echo(&mut process, b"COMMIT").await
        },
        Proxy::stop_at([&proxy, &other].into_iter(), commit)
    );
    assert_eq!(received, b"BEGIN", "COMMIT passed, or the bytes before it did not");
    assert_eq!(stopped.expect("a hit"), proxy.address);
    assert_eq!(echo(&mut other_process, b"COMMIT").await, b"COMMIT", "the breakpoint acted twice");
}

#[tokio::test]
async fn each_round_trip_takes_the_delay_longer_and_the_end_is_forwarded() {
    let delay = Duration::from_millis(50);
    let (_proxy, mut process, mut received) = connect_with_delay(delay).await;
    let started = Instant::now();
    assert_eq!(echo(&mut process, b"ping").await, b"ping");
    assert!(started.elapsed() >= delay);
    drop(process);
    assert_eq!(received.recv().await.expect("a connection"), b"ping");
}

#[tokio::test]
async fn a_refusing_proxy_closes_connections_until_it_is_restored() {
    let (proxy, mut process, _) = connect().await;
    assert_eq!(echo(&mut process, b"before").await, b"before");
    proxy.refuse();
    assert_eq!(receive(&mut process, Duration::from_secs(10)).await, b"");
    let mut refused = TcpStream::connect(proxy.address).await.expect("a connection");
    assert_eq!(echo(&mut refused, b"greeting").await, b"");
    proxy.restore();
    let mut process = TcpStream::connect(proxy.address).await.expect("a connection");
    assert_eq!(echo(&mut process, b"after").await, b"after");
}

#[tokio::test]
async fn connections_that_became_silent_stay_open() {
    let (proxy, mut process, _) = connect().await;
    assert_eq!(echo(&mut process, b"before").await, b"before");
    proxy.freeze();
    proxy.restore_for_new_connections();
    process.write_all(b"lost").await.expect("it is open");
    let mut other = TcpStream::connect(proxy.address).await.expect("a connection");
    assert_eq!(echo(&mut other, b"after").await, b"after");
    let waited = tokio::time::timeout(Duration::from_millis(100), process.read(&mut [0])).await;
    assert!(waited.is_err(), "{waited:?}");
    assert!(proxy.has_connections());
}

#[test]
fn url_is_split_at_its_server() {
    let url = "amqp://user:p%40ss@127.0.0.1:5672/vhost?heartbeat=10";
    assert_eq!(split(url), Some(["amqp://user:p%40ss@", "127.0.0.1:5672", "/vhost?heartbeat=10"]));
    assert_eq!(split("http://localhost:80"), Some(["http://", "localhost:80", ""]));
    assert_eq!(split("localhost:80"), None);
}
