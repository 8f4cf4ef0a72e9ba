use super::{
    payload::{EmvPayload, append_crc, crc_of},
    template::Template,
};

/// The error of a payload with these data objects before its CRC.
fn error(data_objects: &str) -> String {
    let covered = format!("{data_objects}6304");
    EmvPayload::parse(&format!("{covered}{}", crc_of(&covered))).unwrap_err().to_string()
}

#[test]
fn the_crc_has_the_published_check_value() {
    assert_eq!(crc_of("123456789"), "29B1");
}

#[test]
fn an_error_names_the_place_and_the_broken_rule() {
    const AMOUNT: &str = "data object 54 must be a number above zero: digits with at most one decimal point";
    for (data_objects, message) in [
        ("", "data object 00 must be the first data object"),
        ("5802BR000201", "data object 00 must be the first data object"),
        ("000202", "data object 00 must be 01"),
        ("000201010213", "data object 01 must be 11 or 12"),
        ("0002015802BR5802BR", "data object 58 must occur only once"),
        ("0002015900", "data object 59 must have 1 to 99 characters"),
        ("0002015926abcdefghijklmnopqrstuvwxyz", "data object 59 must have 1 to 25 characters"),
        ("0002016016abcdefghijklmnop", "data object 60 must have 1 to 15 characters"),
        ("0002016111abcdefghijk", "data object 61 must have 1 to 10 characters"),
        ("0002015203000", "data object 52 must be 4 digits"),
        ("000201530498.7", "data object 53 must be 3 digits"),
        ("0002015802br", "data object 58 must be 2 capital letters"),
        (
            "000201540198.7",
            "the payload must have a data object (2-digit ID, 2-digit length, value) at \"8.763041\"",
        ),
        ("0002015403.50", AMOUNT),
        ("00020154040.00", AMOUNT),
        ("00020154051.2.3", AMOUNT),
        ("00020154141234567890.123", "data object 54 must have 1 to 13 characters"),
        ("00020126050101x", "data object 26.00 is required"),
        (
            "00020126100002ab01+1",
            "data object 26 must have a data object (2-digit ID, 2-digit length, value) at \"01+1\"",
        ),
        ("00020126100002ab0199", "data object 26.01 is shorter than its length says"),
        ("00020162050502a", "data object 62.05 is shorter than its length says"),
        ("00020162100501a0501b", "data object 62.05 must occur only once"),
        ("00020162300526abcdefghijklmnopqrstuvwxyz", "data object 62.05 must have 1 to 25 characters"),
        ("000201620950050101x", "data object 62.50.00 is required"),
        ("00020180050101x", "data object 80.00 is required"),
        ("00020164050101x", "data object 64.00 is required"),
        ("000201\u{7}", "the payload must not have control characters"),
    ] {
        let found = error(data_objects);
        assert!(found.starts_with(message), "{data_objects}: {found}");
    }
}

#[test]
fn an_amount_can_end_with_a_decimal_point() {
    for amount in ["98", "98.", "98.7", "0.01", "1234567890123"] {
        let data_objects = Template::default().with(0, "01").with(54, amount);
        assert_eq!(EmvPayload::new(data_objects).unwrap().text(&[54]), Some(amount));
    }
}

#[test]
fn the_crc_is_the_last_data_object_and_matches() {
    for (text, message) in [
        ("000201", "data object 63 must be the last data object"),
        ("0002016304FFFF5802BR", "data object 63 must be the last data object"),
        ("00020163040000", "data object 63 must be AAE6, the CRC of the preceding text"),
        ("0002016303000", "data object 63 must be"),
    ] {
        let found = EmvPayload::parse(text).unwrap_err().to_string();
        assert!(found.starts_with(message), "{text}: {found}");
    }
    let lower = append_crc(&Template::default().with(0, "01").with(58, "TH")).to_ascii_lowercase();
    assert!(EmvPayload::parse(&lower).is_err());
}

#[test]
fn lengths_count_characters_and_the_payload_limit_counts_bytes() {
    let name = "é".repeat(25);
    let payload = EmvPayload::new(Template::default().with(0, "01").with(59, &name)).unwrap();
    assert!(payload.encode().starts_with(&format!("0002015925{name}6304")));
    assert_eq!(payload.text(&[59]), Some(name.as_str()));

    let long =
        (2..=6).fold(Template::default().with(0, "01"), |template, id| template.with(id, "x".repeat(98)));
    assert_eq!(EmvPayload::new(long).unwrap_err().to_string(), "the payload must have at most 512 bytes");
}

#[test]
fn values_that_cannot_be_written_are_refused() {
    let base = Template::default().with(0, "01");
    for (data_objects, message) in [
        (base.clone().with(70, "x".repeat(100)), "data object 70 must have 1 to 99 characters"),
        (base.clone().with(70, ""), "data object 70 must have 1 to 99 characters"),
        (base.clone().with(100, "x"), "data object 100 must be a data object with an ID of two digits"),
        (
            base.with_template(26, Template::default().with(0, "x").with(1, "y".repeat(95))),
            "data object 26 must have 1 to 99 characters",
        ),
    ] {
        assert_eq!(EmvPayload::new(data_objects).unwrap_err().to_string(), message);
    }
}
