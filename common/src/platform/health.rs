//! Health checks from the command line, and the signals that stop a process.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    signal::unix::{SignalKind, signal},
    time::timeout,
};

/// Requests `/readyz` of a service on this machine, for container images without an HTTP client.
///
/// # Errors
/// The service does not respond with 200 within 5 s.
pub async fn check_ready(mut listen: SocketAddr) -> anyhow::Result<()> {
    if listen.ip().is_unspecified() {
        listen.set_ip(if listen.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    let request = async {
        let mut stream = TcpStream::connect(listen).await?;
        stream.write_all(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n").await?;
        let mut response = String::new();
        stream.read_to_string(&mut response).await?;
        anyhow::Ok(response)
    };
    let limit = std::time::Duration::from_secs(5);
    let response = timeout(limit, request)
        .await
        .context("no response within 5 s")?
        .with_context(|| format!("requesting http://{listen}/readyz"))?;
    let status = response.split(' ').nth(1).unwrap_or_default();
    anyhow::ensure!(status == "200", "not ready: {}", response.lines().last().unwrap_or_default());
    println!("ready");
    Ok(())
}

/// Returns when the process receives SIGTERM or SIGINT (Ctrl-C).
pub async fn stop_signal() {
    let (Ok(mut term), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stop signal received, finishing current work");
}
