//! A policy server of Postfix. It refuses the first attempt for each recipient for a while, as many mail servers do, and tells the drill
//! when Postfix has received a whole mail.

use std::{collections::HashSet, sync::Arc};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

/// Answers requests of Postfix until the drill ends.
#[derive(Clone, Default)]
pub(super) struct PolicyServer {
    /// The recipients whose first attempt was refused.
    refused: Arc<Mutex<HashSet<String>>>,
    received: Arc<Notify>,
}

impl PolicyServer {
    /// Starts to listen at this address (host:port).
    ///
    /// # Errors
    /// When the address is in use.
    pub(super) async fn start(address: &str) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let server = Self::default();
        let accepting = server.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let server = accepting.clone();
                // An error means that Postfix was killed.
                tokio::spawn(async move { server.serve(connection).await });
            }
        });
        Ok(server)
    }

    /// How many recipients were refused for a while.
    pub(super) fn refusals(&self) -> usize {
        self.refused.lock().len()
    }

    /// Waits until Postfix has received the last byte of a mail. It stores and confirms the mail immediately afterwards.
    pub(super) async fn received(&self) {
        self.received.notified().await;
    }

    /// A request consists of lines like `recipient=mira@example.org` and an empty line (`SMTPD_POLICY_README` of Postfix).
    async fn serve(&self, mut connection: TcpStream) -> anyhow::Result<()> {
        let (reading, mut writing) = connection.split();
        let mut lines = BufReader::new(reading).lines();
        let (mut recipient, mut is_received) = (String::new(), false);
        while let Some(line) = lines.next_line().await? {
            match line.split_once('=') {
                Some(("recipient", name)) => recipient = name.to_lowercase(),
                Some(("protocol_state", state)) => is_received = state == "END-OF-MESSAGE",
                _ => {}
            }
            if !line.is_empty() {
                continue;
            }
            let is_refused = !is_received && self.refused.lock().insert(recipient.clone());
            let action = if is_refused { "451 4.7.1 Try again later" } else { "dunno" };
            writing.write_all(format!("action={action}\n\n").as_bytes()).await?;
            if is_received {
                self.received.notify_waiters();
            }
        }
        Ok(())
    }
}
