use crc::{CRC_16_IBM_3740, Crc};

use super::code::{DynamicCode, PayloadLocation, Pix, StaticCode};
use crate::{
    money::Currency,
    payment_codes::{Amount, PayloadError, PaymentCode, SchemePayload},
};

fn static_code() -> StaticCode {
    StaticCode {
        key: "arya@stark.com".parse().unwrap(),
        name: "Padaria São João".parse().unwrap(),
        city: "Brasília".parse().unwrap(),
        amount: Some(Amount::parse("25", Currency::Brl).unwrap()),
        reference: Some("abc123".parse().unwrap()),
        description: None,
    }
}

/// The payload of the static code with one part replaced and a new CRC.
fn with_replaced(from: &str, to: &str) -> Result<PaymentCode, PayloadError> {
    let text = PaymentCode::try_from(Pix::Static(static_code())).unwrap().encode().unwrap();
    let covered = text[..text.len() - 4].replace(from, to);
    let crc = Crc::<u16>::new(&CRC_16_IBM_3740).checksum(covered.as_bytes());
    PaymentCode::parse(&format!("{covered}{crc:04X}"))
}

#[test]
fn names_are_written_in_ascii() {
    let payload = SchemePayload::new(Pix::Static(static_code())).unwrap();
    assert_eq!(payload.emv().text(&[59]), Some("Padaria Sao Joao"));
    let Pix::Static(StaticCode { name, city, .. }) = payload.fields() else { panic!("{payload:?}") };
    assert_eq!((name.as_str(), city.as_str()), ("Padaria Sao Joao", "Brasilia"));
}

#[test]
fn key_and_description_share_73_characters() {
    let with_description =
        |count| StaticCode { description: Some("x".repeat(count).parse().unwrap()), ..static_code() };
    let text = PaymentCode::try_from(Pix::Static(with_description(59))).unwrap().encode().unwrap();
    assert!(text.starts_with("00020126990014br.gov.bcb.pix0114arya@stark.com0259xxx"), "{text}");
    let error = PaymentCode::try_from(Pix::Static(with_description(60))).unwrap_err().to_string();
    assert_eq!(error, "data object 26.02 must have 1 to 59 characters");
}

#[test]
fn an_amount_in_another_currency_is_not_written() {
    let amount = Some(Amount::parse("25", Currency::Usd).unwrap());
    let error = PaymentCode::try_from(Pix::Static(StaticCode { amount, ..static_code() })).unwrap_err();
    assert_eq!(error.to_string(), "data object 54 must be in BRL");
}

#[test]
fn a_transaction_id_can_be_readable_but_not_writable() {
    let code = with_replaced("abc123", "abc-23").unwrap();
    let PaymentCode::Pix(payload) = code else { panic!("{code:?}") };
    let error = PaymentCode::try_from(payload.fields().clone()).unwrap_err();
    assert_eq!(error.to_string(), "data object 62.05 must be letters without accents and digits");
}

#[test]
fn an_error_names_the_data_object_that_breaks_a_rule_of_pix() {
    for (from, to, message) in [
        ("5303986", "5303840", "data object 53 must be in BRL"),
        ("5802BR", "5802PT", "data object 58 must be BR"),
        (
            "0114arya@stark.com",
            "0114Arya@stark.com",
            "data object 26.01 must be an e-mail address in lower case",
        ),
        ("0114arya@stark.com", "0314arya@stark.com", "data object 26.01 is required"),
        ("540525.00", "54061.2345", "data object 54 must have at most 2 decimals in BRL"),
        ("5916Padaria Sao Joao", "", "data object 59 is required"),
    ] {
        assert_eq!(with_replaced(from, to).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_dynamic_code_needs_no_key() {
    let StaticCode { name, city, .. } = static_code();
    let location = "pix.example.com/qr/v2/8b3da2f3".parse().unwrap();
    let dynamic = DynamicCode { location, name, city, amount: None, recurrence: None };
    let text = PaymentCode::try_from(Pix::Dynamic(dynamic)).unwrap().encode().unwrap();
    assert!(
        text.contains("010212") && text.contains("2530pix.example.com") && text.contains("0503***"),
        "{text}"
    );
    for invalid in ["https://pix.example.com/qr", "pix.example.com", "a/ b", ""] {
        assert!(invalid.parse::<PayloadLocation>().is_err(), "{invalid}");
    }
}
