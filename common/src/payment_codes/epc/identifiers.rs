//! Identifiers of banks, accounts and invoices.

use iban::{IbanLike, ParseBaseIbanError, ParseIbanError};

use crate::payment_codes::{
    checks::{check_format, check_length, checked_texts, is_digits, is_digits_and_capitals},
    field_error::PayloadFieldError,
};

checked_texts! {
    /// A bank by ISO 9362 (BIC): 8 or 11 capital letters and digits.
    Bic: check_bic;
    /// An account by ISO 13616 (IBAN), in capitals and without spaces. Its check digits and the
    /// account number format of its country are checked.
    Iban: check_iban;
    /// The number of an invoice: 1 to 35 ASCII characters. A text that begins with `RF` and two digits
    /// is a creditor reference of ISO 11649, and its check digits are checked.
    CreditorReference: check_creditor_reference;
}

fn check_bic(text: &str) -> Result<(), PayloadFieldError> {
    let is_valid = matches!(text.len(), 8 | 11)
        && is_digits_and_capitals(text)
        && text[4..6].bytes().all(|byte| byte.is_ascii_uppercase());
    check_format(is_valid, "a BIC: 8 or 11 capital letters and digits, the fifth and sixth are the country")
}

fn check_iban(text: &str) -> Result<(), PayloadFieldError> {
    const ELECTRONIC_FORMAT: &str =
        "an IBAN without spaces: country, 2 check digits, 11 to 30 capital letters and digits";
    check_format((15..=34).contains(&text.len()), ELECTRONIC_FORMAT)?;
    let iban = text.parse::<iban::Iban>().map_err(|error| match error {
        ParseIbanError::InvalidBaseIban { source: ParseBaseIbanError::InvalidFormat } => {
            PayloadFieldError::Format(ELECTRONIC_FORMAT)
        }
        ParseIbanError::InvalidBaseIban { source: ParseBaseIbanError::InvalidChecksum } => {
            PayloadFieldError::CheckDigits
        }
        ParseIbanError::InvalidBban(_) => {
            PayloadFieldError::Format("an IBAN with the account number format of its country")
        }
        ParseIbanError::UnknownCountry(_) => PayloadFieldError::Format("an IBAN of a country with IBANs"),
    })?;
    // The parser also accepts groups of four with spaces, and small letters.
    check_format(iban.electronic_str() == text, ELECTRONIC_FORMAT)?;
    // ISO 13616 allows 02 to 98. The parser refuses 00 and 01, and accepts 99.
    if iban.check_digits_str() == "99" { Err(PayloadFieldError::CheckDigits) } else { Ok(()) }
}

fn check_creditor_reference(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, 35)?;
    check_format(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "printable ASCII characters")?;
    let Some(check_digits) = text.strip_prefix("RF").and_then(|rest| rest.get(..2)) else { return Ok(()) };
    if !is_digits(check_digits, 2..=2) {
        return Ok(());
    }
    let is_valid = (5..=25).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    check_format(is_valid, "RF, 2 check digits, then 1 to 21 letters and digits")?;
    if remainder_97(text) == 1 { Ok(()) } else { Err(PayloadFieldError::CheckDigits) }
}

/// The remainder of MOD 97-10 (ISO/IEC 7064) for ASCII letters and digits. The first four characters
/// move to the end, and letters have the values from 10.
fn remainder_97(text: &str) -> u32 {
    let (head, tail) = text.split_at(4);
    let values = tail.chars().chain(head.chars()).filter_map(|char| char.to_digit(36));
    values.fold(0, |rest, value| (rest * if value < 10 { 10 } else { 100 } + value) % 97)
}

#[cfg(test)]
mod tests {
    use super::{Bic, CreditorReference, Iban, PayloadFieldError};

    #[test]
    fn a_bic_has_8_or_11_characters_and_a_country() {
        for valid in ["BHBLDEHH", "BHBLDEHHXXX", "BPOTBEB1"] {
            assert!(valid.parse::<Bic>().is_ok(), "{valid}");
        }
        for invalid in ["", "BHBLDEH", "BHBL12HH", "bhbldehh", "BHBLDEHHXX", "BHBLDÉH"] {
            assert!(invalid.parse::<Bic>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn an_iban_follows_iso_13616_without_spaces() {
        // Examples of the IBAN registry.
        for valid in ["DE89370400440532013000", "NO9386011117947", "MT84MALT011000012345MTLCAST001S"] {
            assert!(valid.parse::<Iban>().is_ok(), "{valid}");
        }
        for wrong in ["DE89370400440532013001", "DE98370400440532013000", "NO9386011117974"] {
            assert_eq!(wrong.parse::<Iban>(), Err(PayloadFieldError::CheckDigits), "{wrong}");
        }
        for invalid in [
            "",
            "DE89",
            "DE89 3704 0044 0532 0130 00",
            "de89370400440532013000",
            "MT84mALT011000012345MTLCAST001S",
            "éééééééééé",
        ] {
            assert!(matches!(invalid.parse::<Iban>(), Err(PayloadFieldError::Format(_))), "{invalid}");
        }
    }

    #[test]
    fn an_iban_has_the_account_number_format_of_its_country() {
        // Both have right check digits. Germany has 18 digits; no country is XX.
        for invalid in
            [with_check_digits("DE", "12345678901234567"), with_check_digits("XX", "370400440532013000")]
        {
            assert!(matches!(invalid.parse::<Iban>(), Err(PayloadFieldError::Format(_))), "{invalid}");
        }
    }

    #[test]
    fn check_digits_of_an_iban_are_02_to_98() {
        // 00, 01 and 99 have the remainders of 97, 98 and 02.
        for (out_of_range, valid) in [("00", "97"), ("01", "98"), ("99", "02")] {
            let iban = (0..1000)
                .map(|number| with_check_digits("DE", &format!("{number:018}")))
                .find(|iban| &iban[2..4] == valid)
                .unwrap();
            assert!(iban.parse::<Iban>().is_ok(), "{iban}");
            let invalid = format!("DE{out_of_range}{}", &iban[4..]);
            assert_eq!(invalid.parse::<Iban>(), Err(PayloadFieldError::CheckDigits), "{invalid}");
        }
    }

    fn with_check_digits(country: &str, account: &str) -> String {
        let check_digits = 98 - super::remainder_97(&format!("{country}00{account}"));
        format!("{country}{check_digits:02}{account}")
    }

    #[test]
    fn a_creditor_reference_of_iso_11649_has_right_check_digits() {
        for valid in ["RF18539007547034", "RF45G72UUR", "INVOICE 12", "RFQ 7", "+++090/9337/55493+++"] {
            assert!(valid.parse::<CreditorReference>().is_ok(), "{valid}");
        }
        let wrong = "RF18539007547043".parse::<CreditorReference>();
        assert_eq!(wrong, Err(PayloadFieldError::CheckDigits));
        for invalid in ["", "RF18", "RF18 5390 0754 7034", "é", "RF18539007547034RF18539007547034"] {
            assert!(invalid.parse::<CreditorReference>().is_err(), "{invalid}");
        }
        assert!("x".repeat(36).parse::<CreditorReference>().is_err());
    }
}
