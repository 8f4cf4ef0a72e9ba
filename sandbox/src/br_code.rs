//! The text in a Pix QR code: EMVCo Merchant-Presented Mode 1.1 with the
//! additions of the Brazilian central bank's manual (BR Code).

use crc::{CRC_16_IBM_3740, Crc};

use crate::money::Cents;

const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);
const PIX: &str = "br.gov.bcb.pix";

/// The text of a charge that is fetched from `location` (a URL without scheme).
pub(crate) fn write(location: &str, name: &str, city: &str) -> String {
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
    let sum = CRC.checksum(payload.as_bytes());
    format!("{payload}{sum:04X}")
}

fn field(id: &str, value: &str) -> String {
    format!("{id}{:02}{value}", value.chars().count())
}

/// What a payer's app finds in a QR code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// A charge.
    Dynamic { location: String },
    /// A key, with an amount and a reference or without.
    Static { key: String, amount: Option<Cents>, txid: Option<String> },
}

/// Reads the text of a QR code as a payer's app does.
pub(crate) fn read(payload: &str) -> Result<Scanned, &'static str> {
    let end = payload.len().checked_sub(4).filter(|end| payload.is_char_boundary(*end));
    let (signed, sum) = payload.split_at(end.ok_or("the payload is too short")?);
    if !signed.ends_with("6304") || sum != format!("{:04X}", CRC.checksum(signed.as_bytes())) {
        return Err("the payload's checksum is wrong");
    }
    let fields = fields(payload)?;
    let template = find(&fields, "26").ok_or("the payload has no account")?;
    let account = self::fields(template)?;
    if !find(&account, "00").is_some_and(|id| id.eq_ignore_ascii_case(PIX)) {
        return Err("the payload is not of Pix");
    }
    if let Some(location) = find(&account, "25") {
        return Ok(Scanned::Dynamic { location: location.to_owned() });
    }
    let key = find(&account, "01").ok_or("the payload has neither location nor key")?.to_owned();
    let amount = find(&fields, "54").map(str::parse).transpose()?;
    let more = self::fields(find(&fields, "62").unwrap_or_default())?;
    let txid = find(&more, "05").filter(|txid| *txid != "***").map(str::to_owned);
    Ok(Scanned::Static { key, amount, txid })
}

/// The fields of one level: id and value.
fn fields(mut text: &str) -> Result<Vec<(&str, &str)>, &'static str> {
    let mut fields = vec![];
    while !text.is_empty() {
        let (id, rest) = text.split_at_checked(2).ok_or("a field of the payload has no id")?;
        let (length, rest) = rest.split_at_checked(2).ok_or("a field of the payload has no length")?;
        let length: usize = length.parse().map_err(|_| "a length in the payload is no number")?;
        let bytes = rest.chars().take(length).map(char::len_utf8).sum();
        let (value, rest) = rest.split_at(bytes);
        if value.chars().count() < length {
            return Err("a field of the payload is cut");
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
    use super::{CRC, Scanned, read, write};
    use crate::money::Cents;

    #[test]
    fn the_checksum_is_the_one_that_the_standard_names() {
        assert_eq!(CRC.checksum(b"123456789"), 0x29B1);
    }

    #[test]
    fn a_charge_is_written_field_by_field() {
        let location = "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441";
        let written = write(location, "Fulano de Tal", "BRASILIA");
        let expected = "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441\
                        5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304";
        assert_eq!(&written[..written.len() - 4], expected);
        assert_eq!(read(&written), Ok(Scanned::Dynamic { location: location.to_owned() }));
    }

    #[test]
    fn codes_of_others_are_read() {
        // From the documents of stone-payments/ex-pix-brcode, starkbank/brcode-python and a public gist.
        let key = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano \
                   de Tal6008BRASILIA62070503***63041D3D";
        let key_alone = Scanned::Static {
            key: "123e4567-e12b-12d1-a456-426655440000".to_owned(),
            amount: None,
            txid: None,
        };
        assert_eq!(read(key), Ok(key_alone));
        let amount = "00020126360014br.gov.bcb.pix0114arya@stark.com5204000053039865406125.005802BR5925Arya Stark \
                      with a very lo6015Pindamonhangaba62290525verylongreconciliationidt630405B7";
        let whole = Scanned::Static {
            key: "arya@stark.com".to_owned(),
            amount: Some(Cents(12_500)),
            txid: Some("verylongreconciliationidt".to_owned()),
        };
        assert_eq!(read(amount), Ok(whole));
        let upper = "00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a995204\
                     000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304EEAB";
        assert!(matches!(read(upper), Ok(Scanned::Dynamic { .. })));
    }

    #[test]
    fn a_damaged_code_is_refused() {
        let good = write("pix.example.com/qr/v2/1", "N", "C");
        for bad in ["", "63", &good[..good.len() - 1], &good.replace("53", "54"), "6304ÁÁ", "é6304"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
