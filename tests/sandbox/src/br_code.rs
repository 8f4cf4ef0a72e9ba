//! BR Code, the text in a Pix QR code: EMVCo Merchant-Presented Mode 1.1 with the additions of the
//! Brazilian central bank.

use crc::{CRC_16_IBM_3740, Crc};

use crate::money::Cents;

const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);
/// The identifier of Pix in the account field.
const PIX: &str = "br.gov.bcb.pix";

/// Returns the text of a QR code for a charge at `location`, a URL without scheme.
pub(crate) fn encode(location: &str, name: &str, city: &str) -> String {
    let account = [field("00", PIX), field("25", location)].concat();
    let payload = [
        field("00", "01"),
        field("01", "12"),
        field("26", &account),
        field("52", "0000"),
        field("53", "986"),
        field("58", "BR"),
        field("59", name),
        field("60", city),
        field("62", &field("05", "***")),
        "6304".to_owned(),
    ]
    .concat();
    let checksum = CRC.checksum(payload.as_bytes());
    format!("{payload}{checksum:04X}")
}

fn field(id: &str, value: &str) -> String {
    format!("{id}{:02}{value}", value.chars().count())
}

/// The content of a QR code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ScannedCode {
    /// A code that names a charge.
    Dynamic { location: String },
    /// A code that names a key. Amount and reference are optional.
    Static { key: String, amount: Option<Cents>, txid: Option<String> },
}

/// Decodes the text of a QR code as a payer's app does.
///
/// # Errors
/// When the text is no Pix code, or is damaged.
pub(crate) fn decode(payload: &str) -> Result<ScannedCode, &'static str> {
    let end = payload.len().checked_sub(4).filter(|end| payload.is_char_boundary(*end));
    let (content, checksum) = payload.split_at(end.ok_or("The payload is too short.")?);
    if !content.ends_with("6304") || checksum != format!("{:04X}", CRC.checksum(content.as_bytes())) {
        return Err("The checksum of the payload is wrong.");
    }
    let fields = parse_fields(payload)?;
    let account = find(&fields, "26").ok_or("The payload has no account field.")?;
    let account = parse_fields(account)?;
    if !find(&account, "00").is_some_and(|id| id.eq_ignore_ascii_case(PIX)) {
        return Err("The payload is not a Pix code.");
    }
    if let Some(location) = find(&account, "25") {
        return Ok(ScannedCode::Dynamic { location: location.to_owned() });
    }
    let key = find(&account, "01").ok_or("The payload has neither a location nor a key.")?.to_owned();
    let amount = find(&fields, "54").map(str::parse).transpose()?;
    let additional = parse_fields(find(&fields, "62").unwrap_or_default())?;
    let txid = find(&additional, "05").filter(|txid| *txid != "***").map(str::to_owned);
    Ok(ScannedCode::Static { key, amount, txid })
}

/// Returns the id and value of each field of one level.
fn parse_fields(mut text: &str) -> Result<Vec<(&str, &str)>, &'static str> {
    let mut fields = vec![];
    while !text.is_empty() {
        let (id, rest) = text.split_at_checked(2).ok_or("A field of the payload has no id.")?;
        let (length, rest) = rest.split_at_checked(2).ok_or("A field of the payload has no length.")?;
        let length: usize = length.parse().map_err(|_| "A field length in the payload is not a number.")?;
        let bytes = rest.chars().take(length).map(char::len_utf8).sum();
        let (value, rest) = rest.split_at(bytes);
        if value.chars().count() < length {
            return Err("A field of the payload is incomplete.");
        }
        fields.push((id, value));
        text = rest;
    }
    Ok(fields)
}

fn find<'a>(fields: &[(&str, &'a str)], id: &str) -> Option<&'a str> {
    fields.iter().find(|(found, _)| *found == id).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::{CRC, ScannedCode, decode, encode};
    use crate::money::Cents;

    #[test]
    fn checksum_equals_the_example_of_the_standard() {
        assert_eq!(CRC.checksum(b"123456789"), 0x29B1);
    }

    #[test]
    fn code_of_a_charge_has_the_expected_fields() {
        let location = "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441";
        let encoded = encode(location, "Fulano de Tal", "BRASILIA");
        let expected = "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441\
                        5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304";
        assert_eq!(&encoded[..encoded.len() - 4], expected);
        assert_eq!(decode(&encoded), Ok(ScannedCode::Dynamic { location: location.to_owned() }));
    }

    #[test]
    fn codes_of_other_programs_are_decoded() {
        // From the documentation of stone-payments/ex-pix-brcode, of starkbank/brcode-python, and a public gist.
        let key = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano \
                   de Tal6008BRASILIA62070503***63041D3D";
        let key_alone = ScannedCode::Static {
            key: "123e4567-e12b-12d1-a456-426655440000".to_owned(),
            amount: None,
            txid: None,
        };
        assert_eq!(decode(key), Ok(key_alone));
        let amount = "00020126360014br.gov.bcb.pix0114arya@stark.com5204000053039865406125.005802BR5925Arya Stark \
                      with a very lo6015Pindamonhangaba62290525verylongreconciliationidt630405B7";
        let whole = ScannedCode::Static {
            key: "arya@stark.com".to_owned(),
            amount: Some(Cents(12_500)),
            txid: Some("verylongreconciliationidt".to_owned()),
        };
        assert_eq!(decode(amount), Ok(whole));
        let upper = "00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a995204\
                     000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304EEAB";
        assert!(matches!(decode(upper), Ok(ScannedCode::Dynamic { .. })));
    }

    #[test]
    fn damaged_code_is_rejected() {
        let good = encode("pix.example.com/qr/v2/1", "N", "C");
        for bad in ["", "63", &good[..good.len() - 1], &good.replace("53", "54"), "6304ÁÁ", "é6304"] {
            assert!(decode(bad).is_err(), "{bad}");
        }
    }
}
