use chrono::DateTime;
use guildhall_common::contract::{
    command::{Actor, Envelope},
    payment::{PaymentCommand, StoreNotifications},
    providers::{Notification, Provider, read_webhook_body},
};

use crate::round_trip::check_json_round_trip;

/// The fields of a Pix transfer that are kept.
const KEPT_FIELDS: [&str; 6] = ["endToEndId", "txid", "chave", "valor", "horario", "devolucoes"];

/// The body of a webhook, in the form of API Pix and in the signed form. Accepted notifications pass through the
/// queue without change.
pub fn webhook_body(data: &[u8]) {
    let signed = read_webhook_body(Provider::Manual, Some("msg_1".to_owned()), data);
    let unsigned = read_webhook_body(Provider::ApiPix, None, data);
    assert!(unsigned.is_err() || signed.is_ok());
    if let Ok(signed) = signed {
        assert_eq!(signed.len(), 1);
        check_queued(Provider::Manual, signed);
    }
    if let Ok(unsigned) = unsigned {
        for transfer in &unsigned {
            let fields = transfer.body.as_object().into_iter().flatten();
            assert!(fields.map(|(name, _)| name).all(|name| KEPT_FIELDS.contains(&name.as_str())));
        }
        check_queued(Provider::ApiPix, unsigned);
    }
}

fn check_queued(provider: Provider, notifications: Vec<Notification>) {
    let command = StoreNotifications { provider, notifications };
    check_json_round_trip(&Envelope::<PaymentCommand> {
        version: Envelope::<PaymentCommand>::VERSION,
        key_uses: vec![],
        operation_id: "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".parse().expect("an id"),
        actor: Actor::Anonymous,
        accepted_at: DateTime::UNIX_EPOCH,
        request_id: String::new(),
        traceparent: None,
        fingerprint: String::new(),
        command: command.into(),
    });
}
