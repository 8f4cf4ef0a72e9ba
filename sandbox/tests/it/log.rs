//! What is logged, by whom a secret must not be read.

use std::{io, time::Duration};

use guildhall_sandbox::{Sandbox, config::Config};
use poem::http::StatusCode;
use tokio::{sync::watch, time::timeout};
use tracing::Level;

use crate::support::{quick, start, txid};

/// Everything that was logged so far.
#[derive(Clone)]
struct Log(watch::Sender<String>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send_modify(|log| log.push_str(&String::from_utf8_lossy(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    async fn tells(&self, what: &str) {
        let mut log = self.0.subscribe();
        let told = log.wait_for(|log| log.contains(what));
        timeout(Duration::from_secs(5), told).await.expect("nothing was logged in 5 s").unwrap();
    }
}

#[tokio::test]
async fn the_log_tells_no_secret() {
    let log = Log(watch::Sender::default());
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(Level::INFO).with_ansi(false);
    let _logging = tracing::subscriber::set_default(subscriber.with_writer(move || writer.clone()).finish());
    let (_sandbox, caller, receiver) = start(quick()).await;
    let url = receiver.url.clone();
    caller.charge(&txid("a")).await;
    receiver.answers.lock().unwrap().extend([StatusCode::SERVICE_UNAVAILABLE; 3]);
    caller.pay(&txid("a")).await;
    log.tells("a notification was not taken").await;
    drop(receiver);
    let register = Some(format!("{url}/hook?secret=s3cret"));
    let _late = Sandbox::start(Config { register, ..quick() }).await.unwrap();
    log.tells("the webhook does not answer yet").await;
    let log = log.0.borrow().clone();
    assert!(log.contains(&format!("{url}/hook")) && !log.contains("s3cret"), "{log}");
}
