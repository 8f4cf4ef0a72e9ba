use crc::{CRC_16_IBM_3740, Crc};

use super::{Dynamic, Location, Pix, Static};
use crate::{
    money::Currency,
    payment_codes::{Amount, Payload, PayloadError, Reading},
};

fn fields() -> Static {
    Static {
        key: "arya@stark.com".parse().unwrap(),
        name: "Padaria São João".parse().unwrap(),
        city: "Brasília".parse().unwrap(),
        amount: Some(Amount::parse("25", Currency::Brl).unwrap()),
        reference: Some("abc123".parse().unwrap()),
        description: None,
    }
}

/// The payload of the fields with a part replaced and the checksum made right.
fn changed(from: &str, to: &str) -> Result<Payload, PayloadError> {
    let text = Payload::try_from(Pix::Static(fields())).unwrap().encode().unwrap();
    let covered = text[..text.len() - 4].replace(from, to);
    let checksum = Crc::<u16>::new(&CRC_16_IBM_3740).checksum(covered.as_bytes());
    Payload::parse(&format!("{covered}{checksum:04X}"))
}

#[test]
fn names_are_written_in_plain_letters() {
    let reading = Reading::new(Pix::Static(fields())).unwrap();
    assert_eq!(reading.objects().text(&[59]), Some("Padaria Sao Joao"));
    let Pix::Static(Static { name, city, .. }) = reading.fields() else { panic!("{reading:?}") };
    assert_eq!((name.as_str(), city.as_str()), ("Padaria Sao Joao", "Brasilia"));
}

#[test]
fn key_and_description_share_their_room() {
    let described = |count| Static { description: Some("x".repeat(count).parse().unwrap()), ..fields() };
    let text = Payload::try_from(Pix::Static(described(59))).unwrap().encode().unwrap();
    assert!(text.starts_with("00020126990014br.gov.bcb.pix0114arya@stark.com0259xxx"), "{text}");
    let error = Payload::try_from(Pix::Static(described(60))).unwrap_err().to_string();
    assert_eq!(error, "26.02 must have 1 to 59 characters");
}

#[test]
fn an_amount_in_another_currency_is_not_written() {
    let amount = Some(Amount::parse("25", Currency::Usd).unwrap());
    let error = Payload::try_from(Pix::Static(Static { amount, ..fields() })).unwrap_err();
    assert_eq!(error.to_string(), "54 must be in BRL");
}

#[test]
fn a_reference_that_was_read_need_not_be_one_to_write() {
    let read = changed("abc123", "abc-23").unwrap();
    let Payload::Pix(reading) = read else { panic!("{read:?}") };
    let error = Payload::try_from(reading.fields().clone()).unwrap_err();
    assert_eq!(error.to_string(), "62.05 must be letters without accents and digits");
}

#[test]
fn a_payload_that_breaks_a_rule_of_pix_says_where() {
    for (from, to, message) in [
        ("5303986", "5303840", "53 must be in BRL"),
        ("5802BR", "5802PT", "58 must be BR"),
        ("0114arya@stark.com", "0114Arya@stark.com", "26.01 must be an e-mail address in lower case"),
        ("0114arya@stark.com", "0314arya@stark.com", "26.01 is missing"),
        ("540525.00", "54061.2345", "54 has a fraction finer than the minor unit of BRL"),
        ("5916Padaria Sao Joao", "", "59 is missing"),
    ] {
        assert_eq!(changed(from, to).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_dynamic_code_needs_no_key() {
    let Static { name, city, .. } = fields();
    let location = "pix.example.com/qr/v2/8b3da2f3".parse().unwrap();
    let dynamic = Dynamic { location, name, city, amount: None, recurrence: None };
    let text = Payload::try_from(Pix::Dynamic(dynamic)).unwrap().encode().unwrap();
    assert!(
        text.contains("010212") && text.contains("2530pix.example.com") && text.contains("0503***"),
        "{text}"
    );
    for bad in ["https://pix.example.com/qr", "pix.example.com", "a/ b", ""] {
        assert!(bad.parse::<Location>().is_err(), "{bad}");
    }
}
