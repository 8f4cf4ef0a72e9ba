use super::{Payload, Template, checksum, sealed};

/// The error of a payload with these objects before its checksum.
fn error(objects: &str) -> String {
    let covered = format!("{objects}6304");
    Payload::parse(&format!("{covered}{}", checksum(&covered))).unwrap_err().to_string()
}

#[test]
fn the_checksum_is_the_published_one() {
    assert_eq!(checksum("123456789"), "29B1");
}

#[test]
fn a_broken_rule_is_named_with_its_place() {
    for (objects, message) in [
        ("", "00 must be there, as the first object"),
        ("5802BR000201", "00 must be there, as the first object"),
        ("000202", "00 must be 01"),
        ("000201010213", "01 must be 11 or 12"),
        ("0002015802BR5802BR", "58 is there twice"),
        ("0002015900", "59 must have 1 to 99 characters"),
        ("0002015926abcdefghijklmnopqrstuvwxyz", "59 must have 1 to 25 characters"),
        ("0002016016abcdefghijklmnop", "60 must have 1 to 15 characters"),
        ("0002016111abcdefghijk", "61 must have 1 to 10 characters"),
        ("0002015203000", "52 must be 4 digits"),
        ("000201530498.7", "53 must be 3 digits"),
        ("0002015802br", "58 must be 2 capital letters"),
        (
            "000201540198.7",
            "the payload has no two-digit id and length where an object must begin, at \"8.763041\"",
        ),
        ("0002015403.50", "54 must be digits with at most one point, not zero"),
        ("00020154040.00", "54 must be digits with at most one point, not zero"),
        ("00020154051.2.3", "54 must be digits with at most one point, not zero"),
        ("00020154141234567890.123", "54 must have 1 to 13 characters"),
        ("00020126050101x", "26.00 is missing"),
        ("00020126100002ab01+1", "26 has no two-digit id and length where an object must begin, at \"01+1\""),
        ("00020126100002ab0199", "26.01 ends within a value"),
        ("00020162050502a", "62.05 ends within a value"),
        ("00020162100501a0501b", "62.05 is there twice"),
        ("00020162300526abcdefghijklmnopqrstuvwxyz", "62.05 must have 1 to 25 characters"),
        ("000201620950050101x", "62.50.00 is missing"),
        ("00020180050101x", "80.00 is missing"),
        ("00020164050101x", "64.00 is missing"),
        ("000201\u{7}", "the payload has a control character"),
    ] {
        let found = error(objects);
        assert!(found.starts_with(message), "{objects}: {found}");
    }
}

#[test]
fn an_amount_may_end_with_its_point() {
    for amount in ["98", "98.", "98.7", "0.01", "1234567890123"] {
        let objects = Template::default().with(0, "01").with(54, amount);
        assert_eq!(Payload::new(objects).unwrap().text(&[54]), Some(amount));
    }
}

#[test]
fn the_checksum_comes_last_and_fits() {
    for (text, message) in [
        ("000201", "63 must be there, as the last object"),
        ("0002016304FFFF5802BR", "63 must be there, as the last object"),
        ("00020163040000", "63 must be AAE6, the checksum of what precedes it"),
        ("0002016303000", "63 must be"),
    ] {
        let found = Payload::parse(text).unwrap_err().to_string();
        assert!(found.starts_with(message), "{text}: {found}");
    }
    let lower = sealed(&Template::default().with(0, "01").with(58, "TH")).to_ascii_lowercase();
    assert!(Payload::parse(&lower).is_err());
}

#[test]
fn lengths_count_characters_and_the_whole_counts_bytes() {
    let name = "é".repeat(25);
    let payload = Payload::new(Template::default().with(0, "01").with(59, &name)).unwrap();
    assert!(payload.encode().starts_with(&format!("0002015925{name}6304")));
    assert_eq!(payload.text(&[59]), Some(name.as_str()));

    let long =
        (2..=6).fold(Template::default().with(0, "01"), |objects, id| objects.with(id, "x".repeat(98)));
    assert_eq!(Payload::new(long).unwrap_err().to_string(), "the payload has more than 512 bytes");
}

#[test]
fn what_cannot_be_written_is_refused_before_it_is() {
    let base = Template::default().with(0, "01");
    for (objects, message) in [
        (base.clone().with(70, "x".repeat(100)), "70 must have 1 to 99 characters"),
        (base.clone().with(70, ""), "70 must have 1 to 99 characters"),
        (base.clone().with(100, "x"), "100 must be an object with an id of two digits"),
        (
            base.with_template(26, Template::default().with(0, "x").with(1, "y".repeat(95))),
            "26 must have 1 to 99 characters",
        ),
    ] {
        assert_eq!(Payload::new(objects).unwrap_err().to_string(), message);
    }
}
