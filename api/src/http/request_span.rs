//! The span of a request. Each log line inside the request has its fields.

use guildhall_common::contract::command::OperationId;
use tracing::{
    Span,
    field::{Empty, display},
};

const OPERATION_ID: &str = "operation.id";
const COMMAND: &str = "command";

/// The span has the level `error`, so that a filter for warnings does not disable its fields.
pub(crate) fn request_span(request_id: &str) -> Span {
    tracing::error_span!("request", http.request.id = request_id, operation.id = Empty, command = Empty)
}

/// Adds the operation and its command to the span of the current request.
pub(crate) fn record_command(operation_id: OperationId, command: &'static str) {
    Span::current().record(OPERATION_ID, display(operation_id)).record(COMMAND, command);
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;
    use std::{io::Write, sync::Arc};

    use serde_json::Value;
    use uuid::Uuid;

    use super::*;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn log_lines_about_a_command_have_the_ids_of_request_and_operation() {
        let output = Output::default();
        let writer = output.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_max_level(tracing::Level::WARN)
            .with_writer(move || writer.clone())
            .finish();
        let operation_id = OperationId::from(Uuid::from_u128(7));
        tracing::subscriber::with_default(subscriber, || {
            request_span("request-1").in_scope(|| {
                record_command(operation_id, "guild.invite");
                tracing::warn!("command not accepted");
            });
        });
        let line: Value = serde_json::from_slice(&output.0.lock()).unwrap();
        assert_eq!(line["message"], "command not accepted");
        assert_eq!(line["span"]["http.request.id"], "request-1");
        assert_eq!(line["span"]["operation.id"], operation_id.to_string());
        assert_eq!(line["span"]["command"], "guild.invite");
    }
}
