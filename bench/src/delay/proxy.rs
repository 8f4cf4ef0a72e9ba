//! A TCP proxy that delays all bytes to the server by the same time. So each round trip takes that time longer, and requests
//! that are sent one after the other without a wait do not add their delays.
//!
//! It uses threads: the timers of tokio have a resolution of a millisecond, which is the usual delay.

use std::{
    io::{self, Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

/// Bytes, and the time at which they are sent.
type Chunk = (Instant, Vec<u8>);

/// Starts a proxy on a free port. It runs until the process ends.
///
/// # Errors
/// When no port is free.
pub(super) fn start(server: SocketAddr, delay: Duration) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            // An error closes the connection of the client, as the server would.
            thread::spawn(move || forward(client, server, delay));
        }
    });
    Ok(address)
}

fn forward(mut client: TcpStream, server: SocketAddr, delay: Duration) -> io::Result<()> {
    let mut server = TcpStream::connect(server)?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (sender, chunks) = mpsc::channel();
    let (from_client, to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || receive(from_client, &sender, delay));
    thread::spawn(move || send(&chunks, to_server));
    let copied = io::copy(&mut server, &mut client);
    // The thread that reads from the client ends, too.
    let _ = client.shutdown(Shutdown::Both);
    copied.map(drop)
}

fn receive(mut client: TcpStream, chunks: &Sender<Chunk>, delay: Duration) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = client.read(&mut buffer) {
        if chunks.send((Instant::now() + delay, buffer[..length].to_vec())).is_err() {
            return;
        }
    }
}

fn send(chunks: &Receiver<Chunk>, mut server: TcpStream) {
    for (due, bytes) in chunks {
        wait_until(due);
        if server.write_all(&bytes).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
}

#[expect(clippy::disallowed_methods, reason = "it runs on a thread of its own")]
fn wait_until(due: Instant) {
    thread::sleep(due.saturating_duration_since(Instant::now()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_trip_takes_the_delay_longer_and_the_end_is_forwarded() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = server.local_addr().unwrap();
        let echo = thread::spawn(move || {
            let (mut reader, _) = server.accept().unwrap();
            let mut writer = reader.try_clone().unwrap();
            io::copy(&mut reader, &mut writer).unwrap()
        });
        let delay = Duration::from_millis(50);
        let mut client = TcpStream::connect(start(address, delay).unwrap()).unwrap();
        let started = Instant::now();
        client.write_all(b"ping").unwrap();
        let mut reply = [0; 4];
        client.read_exact(&mut reply).unwrap();
        assert!(started.elapsed() >= delay);
        assert_eq!(&reply, b"ping");
        client.shutdown(Shutdown::Write).unwrap();
        assert_eq!(echo.join().unwrap(), 4);
    }
}
