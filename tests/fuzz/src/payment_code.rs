use std::fmt::Debug;

use guildhall_common::payment_codes::{PaymentCode, Scheme, SchemeFields, SchemePayload};

/// The text of a payment QR code, without change and with a valid CRC at its end.
pub fn payment_code(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    check_code(text);
    let covered = format!("{text}6304");
    check_code(&format!("{covered}{}", crc_of(&covered)));
}

/// Requires that a valid payload is the same after it is written and read again, and that its fields make it again.
fn check_code(text: &str) {
    let Ok(code) = PaymentCode::parse(text) else { return };
    serde_json::to_string(&code).expect("a parsed payload can be written as JSON");
    match code.encode() {
        Ok(encoded) => {
            assert_eq!(PaymentCode::parse(&encoded).as_ref(), Ok(&code));
            assert!(encoded == text || matches!(code, PaymentCode::Sepa(_)), "it was written as {encoded:?}");
        }
        Err(error) => assert!(matches!(code, PaymentCode::Sepa(_)), "it cannot be written: {error}"),
    }
    match &code {
        PaymentCode::Pix(payload) => check_fields(payload),
        PaymentCode::Promptpay(payload) => check_fields(payload),
        PaymentCode::Paynow(payload) => check_fields(payload),
        PaymentCode::Vietqr(payload) => check_fields(payload),
        PaymentCode::Fps(payload) => check_fields(payload),
        PaymentCode::Sepa(_) => return,
        PaymentCode::Emv { .. } => {}
    }
    let (covered, crc) = text.split_at(text.len() - 4);
    assert_eq!(crc, crc_of(covered), "the CRC is wrong");
}

fn check_fields<F: SchemeFields + Clone + Debug + PartialEq>(payload: &SchemePayload<F>) {
    // Payloads from elsewhere can have fields that we read but do not write.
    let Ok(written) = SchemePayload::new(payload.fields().clone()) else { return };
    // Pix converts names to ASCII.
    let is_same = written.fields() == payload.fields() || F::SCHEME == Scheme::Pix;
    assert!(is_same, "the written fields are {:?}", written.fields());
    assert_eq!(SchemePayload::new(written.fields().clone()).as_ref(), Ok(&written));
}

/// CRC-16/IBM-3740, computed bit by bit and independent of the implementation under test.
fn crc_of(covered: &str) -> String {
    let shifted = |crc: u16| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
    let crc = covered
        .bytes()
        .fold(0xFFFF, |crc, byte| (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| shifted(crc)));
    format!("{crc:04X}")
}
