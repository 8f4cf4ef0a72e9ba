use std::fmt::Debug;

use guildhall_common::payment_codes::{Fields, Payload, Reading, Scheme};

/// The text of a payment's QR code, as it is and with the checksum made right.
pub fn payment_code(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    means_what_it_says(text);
    let covered = format!("{text}6304");
    means_what_it_says(&format!("{covered}{}", checksum(&covered)));
}

/// A text that is read says the same when it is written and read again, and when it is made of its fields alone.
fn means_what_it_says(text: &str) {
    let Ok(payload) = Payload::parse(text) else { return };
    serde_json::to_string(&payload).expect("what is read can be shown");
    match payload.encode() {
        Ok(encoded) => {
            assert_eq!(Payload::parse(&encoded).as_ref(), Ok(&payload));
            assert!(encoded == text || matches!(payload, Payload::Sepa(_)), "it was written as {encoded:?}");
        }
        Err(error) => assert!(matches!(payload, Payload::Sepa(_)), "it cannot be written: {error}"),
    }
    match &payload {
        Payload::Pix(reading) => made_again(reading),
        Payload::Promptpay(reading) => made_again(reading),
        Payload::Paynow(reading) => made_again(reading),
        Payload::Vietqr(reading) => made_again(reading),
        Payload::Fps(reading) => made_again(reading),
        Payload::Sepa(_) => return,
        Payload::Emv(_) => {}
    }
    let (covered, given) = text.split_at(text.len() - 4);
    assert_eq!(given, checksum(covered), "the checksum is wrong");
}

fn made_again<F: Fields + Clone + Debug + PartialEq>(reading: &Reading<F>) {
    // What others write may be read, and yet not be written here.
    let Ok(made) = Reading::new(reading.fields().clone()) else { return };
    // Pix puts names into plain letters.
    assert!(made.fields() == reading.fields() || F::SCHEME == Scheme::Pix, "it says {:?}", made.fields());
    assert_eq!(Reading::new(made.fields().clone()).as_ref(), Ok(&made));
}

/// CRC-16/IBM-3740, bit by bit: it judges the one of the payloads.
fn checksum(covered: &str) -> String {
    let shifted = |crc: u16| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
    let crc = covered
        .bytes()
        .fold(0xFFFF, |crc, byte| (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| shifted(crc)));
    format!("{crc:04X}")
}
