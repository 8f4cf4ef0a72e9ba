use chrono::DateTime;
use guildhall_common::contract::{
    command::{Actor, Envelope},
    notification::{Provider, StoreNotifications},
    payment::PaymentCommand,
};

use crate::round_trip::check_json_round_trip;

/// The fields of a Pix transfer that are kept.
const KEPT_FIELDS: [&str; 6] = ["endToEndId", "txid", "chave", "valor", "horario", "devolucoes"];

/// The body of a webhook, in the form of API Pix and in the signed form. Accepted notifications pass through the
/// queue without change.
pub fn webhook_body(data: &[u8]) {
    let signed = StoreNotifications::read(Provider::Manual, Some("msg_1".to_owned()), data);
    let unsigned = StoreNotifications::read(Provider::ApiPix, None, data);
    assert!(unsigned.is_err() || signed.is_ok());
    if let Ok(Some(signed)) = signed {
        assert_eq!(signed.notifications.len(), 1);
        check_queued(signed);
    }
    if let Ok(Some(unsigned)) = unsigned {
        for transfer in &unsigned.notifications {
            let fields = transfer.body.as_object().into_iter().flatten();
            assert!(fields.map(|(name, _)| name).all(|name| KEPT_FIELDS.contains(&name.as_str())));
        }
        check_queued(unsigned);
    }
}

fn check_queued(command: StoreNotifications) {
    check_json_round_trip(&Envelope::<PaymentCommand> {
        version: 1,
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
