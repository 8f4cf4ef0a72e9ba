//! The JSON of `guildhall-workers payload decode`.

use guildhall_common::payment_codes::PaymentCode;
use serde_json::json;

fn json_of(payload: &str) -> serde_json::Value {
    serde_json::to_value(PaymentCode::parse(payload).unwrap()).unwrap()
}

#[test]
fn a_pix_code_has_its_fields_and_all_data_objects() {
    let payload = "00020104141234567890123426580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-42665544000027300012BR.COM.OUTRO011001234567895204000053039865406123.455802BR5917NOME DO RECEBEDOR6008BRASILIA61087007490062190515RP12345678-201980390012BR.COM.OUTRO01190123.ABCD.3456.WXYZ6304AD38";
    assert_eq!(
        json_of(payload),
        json!({
            "scheme": "pix",
            "kind": "static",
            "key": { "evp": "123e4567-e12b-12d1-a456-426655440000" },
            "name": "NOME DO RECEBEDOR",
            "city": "BRASILIA",
            "amount": "123.45 BRL",
            "reference": "RP12345678-2019",
            "description": null,
            "objects": {
                "00": "01",
                "04": "12345678901234",
                "26": { "00": "BR.GOV.BCB.PIX", "01": "123e4567-e12b-12d1-a456-426655440000" },
                "27": { "00": "BR.COM.OUTRO", "01": "0123456789" },
                "52": "0000",
                "53": "986",
                "54": "123.45",
                "58": "BR",
                "59": "NOME DO RECEBEDOR",
                "60": "BRASILIA",
                "61": "70074900",
                "62": { "05": "RP12345678-2019" },
                "80": { "00": "BR.COM.OUTRO", "01": "0123.ABCD.3456.WXYZ" },
            },
        })
    );
}

#[test]
fn the_scheme_comes_first_and_data_objects_keep_their_order() {
    let payload =
        "00020101021138600010A00000072701300006970403011697040311012345670208QRIBFTTC53037045802VN63044F52";
    let printed = serde_json::to_string_pretty(&PaymentCode::parse(payload).unwrap()).unwrap();
    let expected = r#"{
  "scheme": "vietqr",
  "service": "card",
  "bank": "970403",
  "number": "9704031101234567",
  "amount": null,
  "bill_number": null,
  "purpose": null,
  "objects": {
    "00": "01",
    "01": "11",
    "38": {
      "00": "A000000727",
      "01": "000697040301169704031101234567",
      "02": "QRIBFTTC"
    },
    "53": "704",
    "58": "VN"
  }
}"#;
    assert_eq!(printed, expected);
}

#[test]
fn a_sepa_transfer_has_its_lines_as_fields() {
    let payload = "BCD\n002\n1\nSCT\nBHBLDEHHXXX\nFranz Mustermänn\nDE71110220330123456789\nEUR12.3\nGDDS\nRF18539007547034";
    assert_eq!(
        json_of(payload),
        json!({
            "scheme": "sepa",
            "bank": { "version": "002", "bic": "BHBLDEHHXXX" },
            "name": "Franz Mustermänn",
            "iban": "DE71110220330123456789",
            "amount": "12.30 EUR",
            "purpose": "GDDS",
            "remittance": { "reference": "RF18539007547034" },
            "information": null,
            "character_set": 1,
        })
    );
}
