//! Names of banks, accounts and invoices that carry their own check.

use crate::payment_codes::field::{FieldError, checked_texts, digits, form, length};

checked_texts! {
    /// A bank by ISO 9362: 8 or 11 characters.
    Bic: bic;
    /// An account by ISO 13616, without spaces. The check digits are checked, each country's own length is not.
    Iban: iban;
    /// The number of an invoice: 1 to 35 characters. One that begins with `RF` and two digits is of
    /// ISO 11649, and its check digits are checked.
    CreditorReference: creditor_reference;
}

fn bic(text: &str) -> Result<(), FieldError> {
    let shaped = matches!(text.len(), 8 | 11)
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && text[4..6].bytes().all(|byte| byte.is_ascii_uppercase());
    form(shaped, "a BIC: 8 or 11 capital letters and digits, the country in the fifth and sixth")
}

fn iban(text: &str) -> Result<(), FieldError> {
    let shaped = (15..=34).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && text[..2].bytes().all(|byte| byte.is_ascii_uppercase())
        && digits(&text[2..4], 2..=2);
    form(shaped, "an IBAN without spaces: country, 2 check digits, 11 to 30 capital letters and digits")?;
    check_digits(text)
}

fn creditor_reference(text: &str) -> Result<(), FieldError> {
    length(text, 1, 35)?;
    form(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "plain letters, digits and signs")?;
    let Some(check) = text.strip_prefix("RF").and_then(|rest| rest.get(..2)) else { return Ok(()) };
    if !digits(check, 2..=2) {
        return Ok(());
    }
    let shaped = (5..=25).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    form(shaped, "RF, 2 check digits, then 1 to 21 letters and digits")?;
    check_digits(text)
}

/// ISO 7064, MOD 97-10, over the text with its first four characters behind the others; a letter
/// counts from 10 on. Only for ASCII letters and digits.
fn check_digits(text: &str) -> Result<(), FieldError> {
    let (head, tail) = text.split_at(4);
    let values = tail.chars().chain(head.chars()).filter_map(|char| char.to_digit(36));
    let rest = values.fold(0, |rest, value| (rest * if value < 10 { 10 } else { 100 } + value) % 97);
    if rest == 1 { Ok(()) } else { Err(FieldError::CheckDigits) }
}

#[cfg(test)]
mod tests {
    use super::{Bic, CreditorReference, FieldError, Iban};

    #[test]
    fn banks_and_accounts_are_recognised() {
        for good in ["BHBLDEHH", "BHBLDEHHXXX", "BPOTBEB1"] {
            assert!(good.parse::<Bic>().is_ok(), "{good}");
        }
        for bad in ["", "BHBLDEH", "BHBL12HH", "bhbldehh", "BHBLDEHHXX", "BHBLDÉH"] {
            assert!(bad.parse::<Bic>().is_err(), "{bad}");
        }
        // Of the IBAN registry's examples.
        for good in ["DE89370400440532013000", "NO9386011117947", "MT84MALT011000012345MTLCAST001S"] {
            assert!(good.parse::<Iban>().is_ok(), "{good}");
        }
        for slip in ["DE89370400440532013001", "DE98370400440532013000", "NO9386011117974"] {
            assert_eq!(slip.parse::<Iban>(), Err(FieldError::CheckDigits), "{slip}");
        }
        for bad in ["", "DE89", "DE89 3704 0044 0532 0130 00", "de89370400440532013000", "éééééééééé"]
        {
            assert!(matches!(bad.parse::<Iban>(), Err(FieldError::Form(_))), "{bad}");
        }
    }

    #[test]
    fn a_reference_of_iso_11649_is_checked() {
        for good in ["RF18539007547034", "RF45G72UUR", "INVOICE 12", "RFQ 7", "+++090/9337/55493+++"] {
            assert!(good.parse::<CreditorReference>().is_ok(), "{good}");
        }
        assert_eq!("RF18539007547043".parse::<CreditorReference>(), Err(FieldError::CheckDigits));
        for bad in ["", "RF18", "RF18 5390 0754 7034", "é", "RF18539007547034RF18539007547034"] {
            assert!(bad.parse::<CreditorReference>().is_err(), "{bad}");
        }
        assert!("x".repeat(36).parse::<CreditorReference>().is_err());
    }
}
