//! On a clock of their own, which goes on whenever nothing else does.

use std::{sync::Arc, time::Duration};

use poem::{Route, endpoint::make_sync};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::server::{connections::Connections, serve};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/// A server with room for two; tells how to reach it and how to stop it.
async fn start() -> (std::net::SocketAddr, CancellationToken, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    let large = "x".repeat(32 << 20);
    let app = Route::new().at("/", make_sync(|_| "short")).at("/large", make_sync(move |_| large.clone()));
    let server = tokio::spawn(serve(listener, app, 2, stop.clone().cancelled_owned()));
    (address, stop, server)
}

async fn answered(stream: &mut TcpStream) {
    let mut answer = [0; 1024];
    let read = stream.read(&mut answer).await.unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 200 ") && answer[..read].ends_with(b"short"));
}

/// How many seconds from now until the server ends it; `little` is sent every second.
async fn ended(stream: &mut TcpStream, little: &[u8]) -> u64 {
    let began = Instant::now();
    loop {
        let mut byte = [0];
        tokio::select! {
            read = stream.read(&mut byte) => {
                assert!(!matches!(read, Ok(1..)), "{byte:?} was answered");
                return began.elapsed().as_secs();
            }
            () = sleep(Duration::from_secs(1)) => {}
        }
        if stream.write_all(little).await.is_err() {
            return began.elapsed().as_secs();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn who_says_nothing_or_too_little_is_ended() {
    let (address, ..) = start().await;
    for (beginning, little) in [(&b""[..], &b""[..]), (b"GET / HTTP/1.1\r\n", b"X"), (b"\r\n", b"\r\n")] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(beginning).await.unwrap();
        let seconds = ended(&mut stream, little).await;
        assert!((14..=16).contains(&seconds), "{seconds} s");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_may_be_kept_for_a_while() {
    let (address, ..) = start().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..3 {
        stream.write_all(REQUEST).await.unwrap();
        answered(&mut stream).await;
        sleep(Duration::from_secs(60)).await;
    }
    let seconds = ended(&mut stream, b"").await;
    assert!((14..=16).contains(&seconds), "{seconds} s");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(REQUEST).await.unwrap();
    answered(&mut stream).await;
    let seconds = ended(&mut stream, b"G").await;
    assert!((14..=16).contains(&seconds), "{seconds} s");
}

#[tokio::test(start_paused = true)]
async fn who_does_not_take_an_answer_is_ended() {
    let (address, ..) = start().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    stream.readable().await.unwrap();
    sleep(Duration::from_secs(35)).await;
    let mut taken = vec![];
    let read = stream.read_to_end(&mut taken).await;
    assert!(read.is_err() || taken.len() < 32 << 20, "{} bytes", taken.len());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_ends_who_asks_nothing() {
    let (address, stop, server) = start().await;
    let mut known = TcpStream::connect(address).await.unwrap();
    known.write_all(REQUEST).await.unwrap();
    answered(&mut known).await;
    let mut silent = TcpStream::connect(address).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    stop.cancel();
    let began = Instant::now();
    server.await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!((known.read(&mut [0]).await.unwrap(), silent.read(&mut [0]).await.unwrap()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn who_has_been_idle_for_the_longest_time_makes_room() {
    let crowd = Arc::new(Connections::new(2));
    let (first, second) = (crowd.enter(), crowd.enter());
    drop(first.work());
    let third = crowd.enter();
    assert!(third.is_welcome());
    timeout(Duration::from_secs(1), second.overdue()).await.unwrap();
    timeout(Duration::from_secs(1), first.overdue()).await.unwrap_err();
    drop(second);
    let in_hand = [first.work(), third.work()];
    let fourth = crowd.enter();
    assert!(!fourth.is_welcome());
    drop((in_hand, fourth));
    assert!(crowd.enter().is_welcome());
    timeout(Duration::from_secs(1), first.overdue()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_asks_as_it_is_sent_away_is_answered_once_more() {
    let (address, ..) = start().await;
    let (mut asks, mut silent) =
        (TcpStream::connect(address).await.unwrap(), TcpStream::connect(address).await.unwrap());
    for known in [&mut asks, &mut silent] {
        known.write_all(REQUEST).await.unwrap();
        answered(known).await;
    }
    // Neither waits: the server finds both at once, and the newcomer first.
    let _newcomer = std::net::TcpStream::connect(address).unwrap();
    assert_eq!(asks.try_write(REQUEST).unwrap(), REQUEST.len());
    let mut answer = String::new();
    asks.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("short"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    silent.write_all(REQUEST).await.unwrap();
    answered(&mut silent).await;
}

#[tokio::test(start_paused = true)]
async fn a_last_request_has_its_time_and_no_place_among_the_idle() {
    let crowd = Arc::new(Connections::new(2));
    let (first, second) = (crowd.enter(), crowd.enter());
    let _third = crowd.enter();
    drop(first.work());
    timeout(Duration::from_secs(1), first.overdue()).await.unwrap_err();
    let two_more_are_idle = [crowd.send_one_away(), crowd.send_one_away(), crowd.send_one_away()];
    assert_eq!(two_more_are_idle, [true, true, false]);
    timeout(Duration::from_secs(1), second.overdue()).await.unwrap();
    timeout(Duration::from_secs(1), first.overdue()).await.unwrap_err();
    first.is_stuck(true);
    timeout(Duration::from_secs(31), first.overdue()).await.unwrap();
}
