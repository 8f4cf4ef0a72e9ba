//! The SMTP server (RFC 5321) of the mail catcher. The crate smtp-proto parses the protocol.

mod authentication;
mod connection;
mod delivery;
mod session;

use std::{sync::Arc, time::Duration};

use tokio::{net::TcpListener, time::sleep};

use self::session::SmtpSession;
use crate::state::SandboxState;

/// The delay after a connection that could not be accepted, for example because too many files are open.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Serves SMTP until the sandbox stops.
pub(crate) async fn serve_smtp(state: Arc<SandboxState>, listener: TcpListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => state.spawn(SmtpSession::new(state.clone(), stream).run()),
            Err(error) => {
                tracing::warn!(%error, "connection not accepted");
                sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}
