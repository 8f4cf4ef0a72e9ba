use super::Transfer;

const SMALLEST: &str = "BCD\n002\n1\nSCT\n\nRed Cross\nDE89370400440532013000";

#[test]
fn the_smallest_transfer_comes_back() {
    let transfer = Transfer::parse(SMALLEST).unwrap();
    assert_eq!(transfer.encode().unwrap(), SMALLEST);
    assert_eq!(Transfer::parse(&format!("{}\r\n\r\n", SMALLEST.replace('\n', "\r\n"))).unwrap(), transfer);
}

#[test]
fn a_broken_line_is_named() {
    for (text, message) in [
        (SMALLEST.replace("002", "003"), "line 2 must be 001 or 002"),
        (SMALLEST.replace("002", "001"), "line 5 is missing"),
        (SMALLEST.replace("\n1\n", "\n9\n"), "line 3 must be 1 to 8"),
        (SMALLEST.replace("SCT", "INST"), "line 4 must be SCT"),
        (SMALLEST.replace("BCD", "BCDE"), "line 1 must be BCD"),
        (SMALLEST.replace("Red Cross", ""), "line 6 is missing"),
        (SMALLEST.replace("Red Cross", &"x".repeat(71)), "line 6 must have 1 to 70 characters"),
        (SMALLEST.replace("3000", "3001"), "line 7 has wrong check digits"),
        (format!("{SMALLEST}\nEUR0.00"), "line 8 must be more than zero and have at most 13 characters"),
        (format!("{SMALLEST}\nEUR1.234"), "line 8 has a fraction finer than the minor unit of EUR"),
        (format!("{SMALLEST}\nEUR1000000000.00"), "line 8 must be at most 999999999.99"),
        (format!("{SMALLEST}\nUSD1.00"), "line 8 must be EUR and the amount"),
        (format!("{SMALLEST}\n\nchar"), "line 9 must be capital letters and digits"),
        (format!("{SMALLEST}\n\n\nRF00539007547034"), "line 10 has wrong check digits"),
        (format!("{SMALLEST}\n\n\nINVOICE\ntext"), "line 11 must be empty after a reference"),
        (format!("{SMALLEST}\n\n\n\n\n{}", "x".repeat(71)), "line 12 must have 1 to 70 characters"),
        (format!("{SMALLEST}\n\n\n\n\n\nx"), "an EPC payload has at most 12 lines and 331 bytes"),
    ] {
        assert_eq!(Transfer::parse(&text).unwrap_err().to_string(), message, "{text:?}");
    }
}

#[test]
fn bytes_are_counted_as_the_character_set_has_them() {
    let long = format!("{SMALLEST}\n\n\n\n{}", "é".repeat(140));
    assert_eq!(long.len(), 331);
    assert!(Transfer::parse(&long).is_ok());
    let longer = long.replace("Red Cross", "Red Crosse");
    assert!(Transfer::parse(&longer).is_err());

    let latin = Transfer::parse(&longer.replace("\n1\n", "\n2\n")).unwrap();
    assert_eq!(latin.encode().unwrap_err().to_string(), "line 3 must be 1, for the text is UTF-8");
}
