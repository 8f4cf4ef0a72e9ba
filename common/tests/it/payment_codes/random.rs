//! Whatever goes in, nothing else comes out.

use guildhall_common::payment_codes::{Payload, Qr};
use proptest::{prelude::*, sample::Index};

use super::{
    Anything,
    strategies::anything,
    vectors::{epc_vectors, good_emv_vectors},
};

/// One change to a text.
#[derive(Debug, Clone)]
enum Change {
    Replace(Index, char),
    Insert(Index, char),
    Remove(Index),
    CutOff(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let char = || prop_oneof![4 => prop::char::range('0', '9'), 2 => prop::char::range(' ', '~'), 1 => any::<char>()];
    prop_oneof![
        (any::<Index>(), char()).prop_map(|(at, char)| Change::Replace(at, char)),
        (any::<Index>(), char()).prop_map(|(at, char)| Change::Insert(at, char)),
        any::<Index>().prop_map(Change::Remove),
        any::<Index>().prop_map(Change::CutOff),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes.iter().filter(|_| !text.is_empty()) {
        let Some(length) = std::num::NonZero::new(chars.len()) else { break };
        match change {
            Change::Replace(at, char) => chars[at.index(length.get())] = *char,
            Change::Insert(at, char) => chars.insert(at.index(length.get()), *char),
            Change::Remove(at) => drop(chars.remove(at.index(length.get()))),
            Change::CutOff(at) => chars.truncate(at.index(length.get())),
        }
    }
    chars.into_iter().collect()
}

/// The checksum as the judge computes it, in place of the last four characters.
fn with_right_checksum(text: &str) -> String {
    let count = text.chars().count().saturating_sub(4);
    let covered: String = text.chars().take(count).collect();
    format!("{covered}{}", promptparse::checksum(&covered, true))
}

/// A text that is read says the same when it is written and read again.
fn means_what_it_says(text: &str) {
    let Ok(payload) = Payload::parse(text) else { return };
    let Ok(encoded) = payload.encode() else {
        assert!(text.starts_with("BCD"), "only a SEPA payload of another character set cannot be written");
        return;
    };
    if !matches!(payload, Payload::Sepa(_)) {
        assert_eq!(encoded, text);
    }
    assert_eq!(Payload::parse(&encoded).unwrap(), payload);
    if let Some(fields) = Anything::of(&payload)
        && let Ok(made) = fields.clone().payload()
    {
        let made_fields = Anything::of(&made).unwrap();
        if matches!(fields, Anything::Pix(_)) {
            // Names that were read need not be in plain letters; those that are written are.
            assert_eq!(made_fields.payload().unwrap(), made);
        } else {
            assert_eq!(made_fields, fields);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn what_is_generated_is_read_back(fields in anything()) {
        let text = fields.clone().encode().unwrap();
        let payload = Payload::parse(&text).unwrap();
        prop_assert_eq!(Anything::of(&payload), Some(fields.clone()));
        prop_assert_eq!(payload.encode().unwrap(), text.clone());
        if !matches!(fields, Anything::Sepa(_)) {
            prop_assert_eq!(fields.payload().unwrap(), payload);
            // The judge counts bytes where EMVCo counts characters, so it is asked of plain text alone.
            if text.is_ascii() {
                // It also takes some amounts for templates, so that it is asked of one level at a time.
                let judged = promptparse::parse(&text, true, false).unwrap();
                prop_assert!(judged.validate("63"));
                let tags: usize = judged.get_tags().iter().map(|tag| tag.length + 4).sum();
                prop_assert_eq!(tags, text.len());
            }
        }
    }

    #[test]
    fn any_text_is_read_right_or_refused(text in ".{0,100}", digits in "[0-9]{0,100}") {
        means_what_it_says(&text);
        means_what_it_says(&digits);
        means_what_it_says(&with_right_checksum(&format!("000201{digits}63040000")));
    }

    #[test]
    fn a_changed_payload_is_read_right_or_refused(
        fields in anything(),
        vector in any::<Index>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let vectors = [good_emv_vectors().into_iter().map(str::to_owned).collect(), epc_vectors()].concat();
        for text in [fields.encode().unwrap(), vector.get(&vectors).clone()] {
            let text = changed(&text, &changes);
            means_what_it_says(&text);
            means_what_it_says(&with_right_checksum(&text));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn an_image_of_what_is_generated_holds_it(fields in anything()) {
        let text = fields.encode().unwrap();
        let png = Qr::new(&text).unwrap().png(2).unwrap();
        let image = image::load_from_memory(&png).unwrap().into_luma8();
        let mut image = rqrr::PreparedImage::prepare(image);
        let grids = image.detect_grids();
        prop_assert_eq!(grids.len(), 1);
        prop_assert_eq!(grids[0].decode().unwrap().1, text);
    }
}
