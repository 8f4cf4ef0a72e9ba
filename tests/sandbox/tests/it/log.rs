//! The log output.

use std::io;

use guildhall_sandbox::{Sandbox, config::Config};
use poem::http::StatusCode;
use tokio::{sync::watch, time::timeout};
use tracing::Level;

use crate::support::{HANG_LIMIT, ReservedPort, fast_config, start, txid};

/// A log writer that keeps all output.
#[derive(Clone)]
struct CapturedLog(watch::Sender<String>);

impl io::Write for CapturedLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send_modify(|log| log.push_str(&String::from_utf8_lossy(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl CapturedLog {
    async fn wait_for(&self, text: &str) {
        let mut log = self.0.subscribe();
        let found = log.wait_for(|log| log.contains(text));
        timeout(HANG_LIMIT, found).await.expect("the text was not logged").unwrap();
    }
}

#[tokio::test]
async fn log_contains_no_secret_of_a_webhook_url() {
    let captured = CapturedLog(watch::Sender::default());
    let writer = captured.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(Level::INFO).with_ansi(false);
    let _guard = tracing::subscriber::set_default(subscriber.with_writer(move || writer.clone()).finish());
    let (_sandbox, client, receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    receiver.responses.lock().unwrap().extend([StatusCode::SERVICE_UNAVAILABLE; 3]);
    client.pay(&txid("a")).await;
    captured.wait_for("notification not accepted").await;
    let unreachable = ReservedPort::new();
    let register = Some(format!("{}/hook?secret=s3cret", unreachable.url));
    let _second = Sandbox::start(Config { register, ..fast_config() }).await.unwrap();
    captured.wait_for("webhook probe failed").await;
    let log = captured.0.borrow().clone();
    assert!(log.contains(&format!("{}/hook", receiver.url)), "{log}");
    assert!(log.contains(&format!("{}/hook", unreachable.url)), "{log}");
    assert!(!log.contains("s3cret"), "{log}");
}
