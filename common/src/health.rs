//! Asking a service of this machine for its health, and hearing that it shall stop.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    signal::unix::{SignalKind, signal},
    time::timeout,
};

/// Asks `/readyz`, for container images that have no HTTP client.
///
/// # Errors
/// When it does not answer 200 within 5 s.
pub async fn check(mut listen: SocketAddr) -> anyhow::Result<()> {
    if listen.ip().is_unspecified() {
        listen.set_ip(if listen.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    let ask = async {
        let mut stream = TcpStream::connect(listen).await?;
        stream.write_all(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        anyhow::Ok(answer)
    };
    let limit = std::time::Duration::from_secs(5);
    let answer = timeout(limit, ask)
        .await
        .context("no answer in time")?
        .with_context(|| format!("asking {listen}"))?;
    let status = answer.split(' ').nth(1).unwrap_or_default();
    anyhow::ensure!(status == "200", "not ready: {}", answer.lines().last().unwrap_or_default());
    println!("ready");
    Ok(())
}

/// Returns when the process is told to stop, by SIGTERM or Ctrl-C.
pub async fn stopped() {
    let (Ok(mut term), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("told to stop, finishing what is in hand");
}
