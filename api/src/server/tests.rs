//! These tests use a paused clock. It advances when all tasks wait.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use poem::{Route, endpoint::make_sync};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime::Handle,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    http::client_address::TrustedProxies,
    server::{ConnectionLimits, Server, connections::Connections, serve},
};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

const PEER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn limits(total: usize, per_address: usize) -> ConnectionLimits {
    ConnectionLimits { total, per_address, trusted_proxies: TrustedProxies::default() }
}

/// A server for two connections. Returns its address, its stop signal and its task.
async fn start() -> (std::net::SocketAddr, CancellationToken, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    let large = "x".repeat(32 << 20);
    let app = Route::new().at("/", make_sync(|_| "short")).at("/large", make_sync(move |_| large.clone()));
    let servers = vec![Server::new(app, Handle::current())];
    let server = tokio::spawn(serve(listener, servers, limits(2, 2), stop.clone().cancelled_owned()));
    (address, stop, server)
}

async fn read_response(stream: &mut TcpStream) {
    let mut response = [0; 1024];
    let read = stream.read(&mut response).await.unwrap();
    assert!(response[..read].starts_with(b"HTTP/1.1 200 ") && response[..read].ends_with(b"short"));
}

/// The seconds until the server closes the connection. The client sends `bytes` every second.
async fn seconds_until_closed(stream: &mut TcpStream, bytes: &[u8]) -> u64 {
    let started = Instant::now();
    loop {
        let mut byte = [0];
        tokio::select! {
            read = stream.read(&mut byte) => {
                assert!(!matches!(read, Ok(1..)), "the server sent {byte:?}");
                return started.elapsed().as_secs();
            }
            () = sleep(Duration::from_secs(1)) => {}
        }
        if stream.write_all(bytes).await.is_err() {
            return started.elapsed().as_secs();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn silent_or_slow_client_is_disconnected() {
    let (address, ..) = start().await;
    for (start_of_request, bytes) in [(&b""[..], &b""[..]), (b"GET / HTTP/1.1\r\n", b"X"), (b"\r\n", b"\r\n")]
    {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(start_of_request).await.unwrap();
        let seconds = seconds_until_closed(&mut stream, bytes).await;
        assert!((14..=16).contains(&seconds), "{seconds} s");
    }
}

#[tokio::test(start_paused = true)]
async fn idle_connection_stays_open_for_a_minute() {
    let (address, ..) = start().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..3 {
        stream.write_all(REQUEST).await.unwrap();
        read_response(&mut stream).await;
        sleep(Duration::from_secs(60)).await;
    }
    let seconds = seconds_until_closed(&mut stream, b"").await;
    assert!((14..=16).contains(&seconds), "{seconds} s");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(REQUEST).await.unwrap();
    read_response(&mut stream).await;
    let seconds = seconds_until_closed(&mut stream, b"G").await;
    assert!((14..=16).contains(&seconds), "{seconds} s");
}

#[tokio::test(start_paused = true)]
async fn client_that_does_not_read_the_response_is_disconnected() {
    let (address, ..) = start().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    stream.readable().await.unwrap();
    sleep(Duration::from_secs(35)).await;
    let mut received = vec![];
    let read = stream.read_to_end(&mut received).await;
    assert!(read.is_err() || received.len() < 32 << 20, "{} bytes", received.len());
}

#[tokio::test(start_paused = true)]
async fn stopping_server_closes_idle_connections() {
    let (address, stop, server) = start().await;
    let mut idle = TcpStream::connect(address).await.unwrap();
    idle.write_all(REQUEST).await.unwrap();
    read_response(&mut idle).await;
    let mut silent = TcpStream::connect(address).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    stop.cancel();
    let started = Instant::now();
    server.await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!((idle.read(&mut [0]).await.unwrap(), silent.read(&mut [0]).await.unwrap()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn longest_idle_connection_is_closed_for_a_new_one() {
    let connections = Arc::new(Connections::new(limits(2, 2)));
    let (first, second) = (connections.register(PEER).unwrap(), connections.register(PEER).unwrap());
    drop(first.start_request());
    let third = connections.register(PEER).unwrap();
    assert!(third.is_admitted());
    timeout(Duration::from_secs(1), second.timed_out()).await.unwrap();
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap_err();
    drop(second);
    let in_progress = [first.start_request(), third.start_request()];
    let fourth = connections.register(PEER).unwrap();
    assert!(!fourth.is_admitted());
    drop((in_progress, fourth));
    assert!(connections.register(PEER).unwrap().is_admitted());
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn request_during_closing_takes_the_place_of_another_connection() {
    let (address, ..) = start().await;
    let (mut active, mut silent) =
        (TcpStream::connect(address).await.unwrap(), TcpStream::connect(address).await.unwrap());
    for stream in [&mut active, &mut silent] {
        stream.write_all(REQUEST).await.unwrap();
        read_response(stream).await;
    }
    // Neither call waits, so the server sees both at the same time. It accepts the new connection first.
    let _new = std::net::TcpStream::connect(address).unwrap();
    assert_eq!(active.try_write(REQUEST).unwrap(), REQUEST.len());
    read_response(&mut active).await;
    assert_eq!(silent.read(&mut [0]).await.unwrap(), 0);
    active.write_all(REQUEST).await.unwrap();
    read_response(&mut active).await;
}

#[tokio::test(start_paused = true)]
async fn connection_with_another_place_has_its_time_limits() {
    let connections = Arc::new(Connections::new(limits(2, 2)));
    let (first, second) = (connections.register(PEER).unwrap(), connections.register(PEER).unwrap());
    let _third = connections.register(PEER).unwrap();
    let request = first.start_request();
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap_err();
    timeout(Duration::from_secs(1), second.timed_out()).await.unwrap();
    assert_eq!([connections.close_longest_waiting(), connections.close_longest_waiting()], [true, false]);
    first.set_stuck(true);
    timeout(Duration::from_secs(31), first.timed_out()).await.unwrap();
    drop(request);
}

#[tokio::test(start_paused = true)]
async fn connection_that_waits_for_its_body_is_closed_for_a_new_one() {
    let connections = Arc::new(Connections::new(limits(1, 1)));
    let first = connections.register(PEER).unwrap();
    let _request = first.start_request();
    first.wait_for_body();
    assert!(connections.register(PEER).unwrap().is_admitted());
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn body_that_arrives_during_closing_takes_the_place_of_another_connection() {
    let connections = Arc::new(Connections::new(limits(1, 1)));
    let first = connections.register(PEER).unwrap();
    let _request = first.start_request();
    first.wait_for_body();
    let _second = connections.register(PEER).unwrap();
    assert!(first.stop_waiting());
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn address_replaces_only_its_own_connections() {
    let connections = Arc::new(Connections::new(limits(4, 2)));
    let other = connections.register(IpAddr::from([127, 0, 0, 2])).unwrap();
    let (first, second) = (connections.register(PEER).unwrap(), connections.register(PEER).unwrap());
    let third = connections.register(PEER).unwrap();
    assert!(third.is_admitted());
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap();
    drop(first);
    let in_progress = [second.start_request(), third.start_request()];
    assert!(!connections.register(PEER).unwrap().is_admitted());
    timeout(Duration::from_secs(1), other.timed_out()).await.unwrap_err();
    assert!(connections.register(IpAddr::from([127, 0, 0, 3])).unwrap().is_admitted());
    drop(in_progress);
}

#[tokio::test(start_paused = true)]
async fn trusted_proxy_has_no_limit_of_its_own() {
    let trusted_proxies = TrustedProxies::new(&["127.0.0.1/32".parse().unwrap()]);
    let connections = Arc::new(Connections::new(ConnectionLimits { trusted_proxies, ..limits(4, 1) }));
    let open: Vec<_> = (0..4).map(|_| connections.register(PEER).unwrap()).collect();
    for connection in &open {
        timeout(Duration::from_secs(1), connection.timed_out()).await.unwrap_err();
    }
}

#[tokio::test(start_paused = true)]
async fn connections_above_the_limits_are_few_and_take_no_place() {
    let connections = Arc::new(Connections::new(limits(2, 1)));
    let _in_progress = connections.register(PEER).unwrap().start_request();
    let mut refused = vec![];
    while let Some(connection) = connections.register(PEER) {
        assert!(!connection.is_admitted() && refused.len() < 1000);
        refused.push(connection.start_request());
    }
    assert_eq!(refused.len(), 128);
    assert!(connections.register(IpAddr::from([127, 0, 0, 2])).unwrap().is_admitted());
}

#[tokio::test(start_paused = true)]
async fn request_of_a_replaced_connection_needs_a_place() {
    let connections = Arc::new(Connections::new(limits(8, 2)));
    let open: Vec<_> = (0..20).map(|_| connections.register(PEER).unwrap()).collect();
    let requests: Vec<_> = open.iter().map(|connection| connection.start_request()).collect();
    let served = open.iter().filter(|connection| connection.is_admitted()).count();
    assert_eq!(served, 2);
    let other = IpAddr::from([127, 0, 0, 2]);
    let others = [connections.register(other).unwrap(), connections.register(other).unwrap()];
    assert!(others.iter().all(|connection| connection.is_admitted()));
    drop((requests, open));
    assert!(connections.register(PEER).unwrap().is_admitted());
}

#[tokio::test(start_paused = true)]
async fn body_of_a_replaced_connection_needs_a_place() {
    let connections = Arc::new(Connections::new(limits(8, 1)));
    let first = connections.register(PEER).unwrap();
    let _request = first.start_request();
    first.wait_for_body();
    let second = connections.register(PEER).unwrap();
    let _other_request = second.start_request();
    assert!(!first.stop_waiting());
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap();
    drop(first);
    timeout(Duration::from_secs(1), second.timed_out()).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn connection_with_another_place_is_replaced_again() {
    let connections = Arc::new(Connections::new(limits(1, 1)));
    let first = connections.register(PEER).unwrap();
    let _second = connections.register(PEER).unwrap();
    let _request = first.start_request();
    first.wait_for_body();
    assert!(connections.register(PEER).unwrap().is_admitted());
    timeout(Duration::from_secs(1), first.timed_out()).await.unwrap();
}
