use super::credit_transfer::CreditTransfer;

const SMALLEST: &str = "BCD\n002\n1\nSCT\n\nRed Cross\nDE89370400440532013000";

#[test]
fn the_smallest_transfer_is_read_and_written_without_change() {
    let transfer = CreditTransfer::parse(SMALLEST).unwrap();
    assert_eq!(transfer.encode().unwrap(), SMALLEST);
    let with_cr_lf = format!("{}\r\n\r\n", SMALLEST.replace('\n', "\r\n"));
    assert_eq!(CreditTransfer::parse(&with_cr_lf).unwrap(), transfer);
}

#[test]
fn an_error_names_the_line_and_the_broken_rule() {
    const CHECK_DIGITS: &str = "must have check digits that match the other characters";
    for (text, message) in [
        (SMALLEST.replace("002", "003"), "line 2 must be 001 or 002"),
        (SMALLEST.replace("002", "001"), "line 5 is required"),
        (SMALLEST.replace("\n1\n", "\n9\n"), "line 3 must be 1 to 8"),
        (SMALLEST.replace("SCT", "INST"), "line 4 must be SCT"),
        (SMALLEST.replace("BCD", "BCDE"), "line 1 must be BCD"),
        (SMALLEST.replace("Red Cross", ""), "line 6 is required"),
        (SMALLEST.replace("Red Cross", &"x".repeat(71)), "line 6 must have 1 to 70 characters"),
        (SMALLEST.replace("3000", "3001"), &format!("line 7 {CHECK_DIGITS}")),
        (format!("{SMALLEST}\nEUR0.00"), "line 8 must be more than zero and have at most 13 characters"),
        (format!("{SMALLEST}\nEUR1.234"), "line 8 must have at most 2 decimals in EUR"),
        (format!("{SMALLEST}\nEUR1000000000.00"), "line 8 must be at most 999999999.99"),
        (format!("{SMALLEST}\nUSD1.00"), "line 8 must be EUR and the amount"),
        (format!("{SMALLEST}\n\nchar"), "line 9 must be capital letters and digits"),
        (format!("{SMALLEST}\n\n\nRF00539007547034"), &format!("line 10 {CHECK_DIGITS}")),
        (format!("{SMALLEST}\n\n\nINVOICE\ntext"), "line 11 must be empty, because line 10 has a reference"),
        (format!("{SMALLEST}\n\n\n\n\n{}", "x".repeat(71)), "line 12 must have 1 to 70 characters"),
        (format!("{SMALLEST}\n\n\n\n\n\nx"), "an EPC payload must have at most 12 lines and 331 bytes"),
    ] {
        assert_eq!(CreditTransfer::parse(&text).unwrap_err().to_string(), message, "{text:?}");
    }
}

#[test]
fn the_size_is_counted_in_the_character_set_of_the_payload() {
    let long = format!("{SMALLEST}\n\n\n\n{}", "é".repeat(140));
    assert_eq!(long.len(), 331);
    assert!(CreditTransfer::parse(&long).is_ok());
    let longer = long.replace("Red Cross", "Red Crosse");
    assert!(CreditTransfer::parse(&longer).is_err());

    let latin = CreditTransfer::parse(&longer.replace("\n1\n", "\n2\n")).unwrap();
    assert_eq!(
        latin.encode().unwrap_err().to_string(),
        "line 3 must be 1 (UTF-8), because the text is not ASCII"
    );
}
