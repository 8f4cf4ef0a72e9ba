use chrono::DateTime;
use guildhall_common::contract::{
    command::{Actor, Envelope, OperationId},
    notification::Provider,
    notification::StoreNotifications,
    payment::PaymentCommand,
};

use crate::queued_command::comes_back;

/// What a transfer of Pix is known by; nothing else of it is kept.
const KEPT: [&str; 6] = ["endToEndId", "txid", "chave", "valor", "horario", "devolucoes"];

/// The body of a notification, as a bank sends it and as one that is signed. What is taken travels through the queue
/// unchanged.
pub fn webhook_body(data: &[u8]) {
    let signed = StoreNotifications::read(Provider::Manual, Some("msg_1".to_owned()), data);
    let told = StoreNotifications::read(Provider::ApiPix, None, data);
    assert!(told.is_err() || signed.is_ok());
    if let Ok(Some(signed)) = signed {
        assert_eq!(signed.notifications.len(), 1);
        queued(signed);
    }
    if let Ok(Some(told)) = told {
        for transfer in &told.notifications {
            let fields = transfer.body.as_object().into_iter().flatten();
            assert!(fields.map(|(name, _)| name).all(|name| KEPT.contains(&name.as_str())));
        }
        queued(told);
    }
}

fn queued(notify: StoreNotifications) {
    comes_back(&Envelope::<PaymentCommand> {
        version: Envelope::<PaymentCommand>::VERSION,
        operation_id: OperationId(Default::default()),
        actor: Actor::Nobody,
        accepted_at: DateTime::UNIX_EPOCH,
        request_id: String::new(),
        traceparent: None,
        fingerprint: String::new(),
        command: notify.into(),
    });
}
