//! The limit of connections.

use crate::support::{options::Options, site::Site, socket::Socket, wait::wait_for};

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed_for_a_new_one() {
    let site = Site::start_with(Options { connections: 3, ..Options::default() }).await;
    let mut sockets = vec![];
    for _ in 0..4 {
        let mut socket = Socket::connect(&site).await;
        assert!(socket.get("/healthz").await.starts_with("HTTP/1.1 200 "));
        sockets.push(socket);
    }
    // A connection that is to be closed may serve one more request.
    wait_for("one connection is closed", async || {
        let mut open = 0;
        for socket in &mut sockets {
            open += usize::from(!socket.get("/healthz").await.is_empty());
        }
        assert!(open >= 3, "{open} connections are open");
        (open == 3).then_some(())
    })
    .await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_with_a_request_is_not_closed_for_a_new_one() {
    let site = Site::start_with(Options { connections: 2, ..Options::default() }).await;
    let mut busy = vec![];
    for _ in 0..2 {
        let mut connection = Socket::connect(&site).await;
        let head = "POST /auth HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        assert!(connection.send(head).await.starts_with("HTTP/1.1 100 "));
        busy.push(connection);
    }
    let refused = Socket::connect(&site).await.get("/guilds/1/10").await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("too_many_connections"), "{refused}");
    assert!(refused.contains("retry-after: 1") && refused.contains("connection: close"), "{refused}");
    let probed = Socket::connect(&site).await.get("/healthz").await;
    assert!(probed.starts_with("HTTP/1.1 200 "), "{probed}");
    for connection in &mut busy {
        assert!(connection.send("{}").await.starts_with("HTTP/1.1 415 "));
    }
    site.finish().await;
}
