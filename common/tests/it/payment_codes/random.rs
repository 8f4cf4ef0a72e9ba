//! Random payloads: reading and writing are inverse to each other.

use guildhall_common::payment_codes::{PaymentCode, Qr};
use proptest::{prelude::*, sample::Index};

use super::{
    AnyFields,
    strategies::any_fields,
    vectors::{epc_vectors, valid_emv_vectors},
};

/// One change to a text.
#[derive(Debug, Clone)]
enum TextChange {
    Replace(Index, char),
    Insert(Index, char),
    Remove(Index),
    CutOff(Index),
}

fn change() -> impl Strategy<Value = TextChange> {
    let char = || prop_oneof![4 => prop::char::range('0', '9'), 2 => prop::char::range(' ', '~'), 1 => any::<char>()];
    prop_oneof![
        (any::<Index>(), char()).prop_map(|(at, char)| TextChange::Replace(at, char)),
        (any::<Index>(), char()).prop_map(|(at, char)| TextChange::Insert(at, char)),
        any::<Index>().prop_map(TextChange::Remove),
        any::<Index>().prop_map(TextChange::CutOff),
    ]
}

fn with_changes(text: &str, changes: &[TextChange]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes.iter().filter(|_| !text.is_empty()) {
        let Some(length) = std::num::NonZero::new(chars.len()) else { break };
        match change {
            TextChange::Replace(at, char) => chars[at.index(length.get())] = *char,
            TextChange::Insert(at, char) => chars.insert(at.index(length.get()), *char),
            TextChange::Remove(at) => drop(chars.remove(at.index(length.get()))),
            TextChange::CutOff(at) => chars.truncate(at.index(length.get())),
        }
    }
    chars.into_iter().collect()
}

/// The text with its last four characters replaced by the CRC of the reference implementation.
fn with_valid_crc(text: &str) -> String {
    let count = text.chars().count().saturating_sub(4);
    let covered: String = text.chars().take(count).collect();
    format!("{covered}{}", promptparse::checksum(&covered, true))
}

/// Requires that a valid payload is the same after it is written and read again.
fn check_round_trip(text: &str) {
    let Ok(code) = PaymentCode::parse(text) else { return };
    let Ok(encoded) = code.encode() else {
        assert!(
            text.starts_with("BCD"),
            "every payload can be written, except a SEPA payload in another character set"
        );
        return;
    };
    if !matches!(code, PaymentCode::Sepa(_)) {
        assert_eq!(encoded, text);
    }
    assert_eq!(PaymentCode::parse(&encoded).unwrap(), code);
    if let Some(fields) = AnyFields::of(&code)
        && let Ok(made) = fields.clone().into_code()
    {
        let made_fields = AnyFields::of(&made).unwrap();
        if matches!(fields, AnyFields::Pix(_)) {
            // A parsed name can have other characters. A written name is in ASCII.
            assert_eq!(made_fields.into_code().unwrap(), made);
        } else {
            assert_eq!(made_fields, fields);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn written_fields_are_read_back(fields in any_fields()) {
        let text = fields.clone().encode().unwrap();
        let code = PaymentCode::parse(&text).unwrap();
        prop_assert_eq!(AnyFields::of(&code), Some(fields.clone()));
        prop_assert_eq!(code.encode().unwrap(), text.clone());
        if !matches!(fields, AnyFields::Sepa(_)) {
            prop_assert_eq!(fields.into_code().unwrap(), code);
            // The reference implementation counts bytes and EMVCo counts characters, so it checks only ASCII.
            if text.is_ascii() {
                // It reads some amounts as templates, so it checks only the first level.
                let reference = promptparse::parse(&text, true, false).unwrap();
                prop_assert!(reference.validate("63"));
                let tags: usize = reference.get_tags().iter().map(|tag| tag.length + 4).sum();
                prop_assert_eq!(tags, text.len());
            }
        }
    }

    #[test]
    fn any_text_is_read_correctly_or_refused(text in ".{0,100}", digits in "[0-9]{0,100}") {
        check_round_trip(&text);
        check_round_trip(&digits);
        check_round_trip(&with_valid_crc(&format!("000201{digits}63040000")));
    }

    #[test]
    fn a_changed_payload_is_read_correctly_or_refused(
        fields in any_fields(),
        vector in any::<Index>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let vectors = [valid_emv_vectors().into_iter().map(str::to_owned).collect(), epc_vectors()].concat();
        for text in [fields.encode().unwrap(), vector.get(&vectors).clone()] {
            let text = with_changes(&text, &changes);
            check_round_trip(&text);
            check_round_trip(&with_valid_crc(&text));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn an_image_contains_the_generated_payload(fields in any_fields()) {
        let text = fields.encode().unwrap();
        let png = Qr::new(&text).unwrap().png(2).unwrap();
        let image = image::load_from_memory(&png).unwrap().into_luma8();
        let mut image = rqrr::PreparedImage::prepare(image);
        let grids = image.detect_grids();
        prop_assert_eq!(grids.len(), 1);
        prop_assert_eq!(grids[0].decode().unwrap().1, text);
    }
}
