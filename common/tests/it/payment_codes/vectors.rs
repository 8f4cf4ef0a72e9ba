//! Public payloads: read, made again, refused.

use std::collections::BTreeSet;

use guildhall_common::payment_codes::{Payload, Scheme, emv};

use super::Anything;

const EMV: &str = include_str!("../../vectors/emv.txt");
const EPC: &str = include_str!("../../vectors/epc.txt");

/// The lines of the payloads that our generators make again to the byte. Of the others, four have their
/// objects in another order; the rest have objects that no field stands for (3, 8, 18, 19, 20), name Pix
/// in capitals (9), or are of no scheme (28).
const MADE_AGAIN: [usize; 14] = [2, 4, 5, 6, 7, 15, 16, 17, 21, 22, 23, 24, 26, 27];
const MADE_IN_ANOTHER_ORDER: [usize; 4] = [11, 12, 13, 14];

struct Vector {
    line: usize,
    kind: &'static str,
    what: &'static str,
    payload: &'static str,
}

/// The columns are kind, what, source, payload.
fn emv_vectors() -> impl Iterator<Item = Vector> {
    let lines = EMV.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| {
        let [kind, what, _, payload] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        Vector { line: index + 1, kind, what, payload }
    })
}

/// The columns are source, payload; `\n` stands for a line feed.
pub(super) fn epc_vectors() -> Vec<String> {
    let lines = EPC.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('\t').unwrap().1.replace("\\n", "\n")).collect()
}

/// The payloads that are right.
pub(super) fn good_emv_vectors() -> Vec<&'static str> {
    emv_vectors().filter(|vector| !vector.kind.ends_with("-negative")).map(|vector| vector.payload).collect()
}

#[test]
fn every_payload_is_read_as_its_scheme_and_encodes_to_the_same_bytes() {
    for Vector { kind, what, payload, .. } in emv_vectors() {
        let parsed = Payload::parse(payload);
        if kind.ends_with("-negative") {
            assert!(parsed.is_err(), "{kind}, {what}");
            continue;
        }
        let parsed = parsed.unwrap_or_else(|error| panic!("{kind}, {what}: {error}"));
        assert_eq!(serde_json::to_value(&parsed).unwrap()["scheme"], kind, "{what}");
        assert_eq!(parsed.encode().unwrap(), payload, "{what}");
        assert_eq!(emv::Payload::parse(payload).unwrap().encode(), payload, "{what}");
    }
}

#[test]
fn negative_payloads_are_refused_for_their_fault() {
    let errors = emv_vectors().filter_map(|vector| Payload::parse(vector.payload).err());
    let messages: Vec<_> = errors.map(|error| error.to_string()).collect();
    assert_eq!(
        messages,
        [
            "60 must have 1 to 15 characters",
            "38.01 has no two-digit id and length where an object must begin, at \"8\"",
        ]
    );
}

#[test]
fn payloads_are_made_again_from_their_fields() {
    let (mut again, mut in_another_order) = (Vec::new(), Vec::new());
    for vector in emv_vectors() {
        let Ok(payload) = Payload::parse(vector.payload) else { continue };
        let Some(Ok(made)) = Anything::of(&payload).map(Anything::payload) else { continue };
        if made.encode().unwrap() == vector.payload {
            again.push(vector.line);
        } else if serde_json::to_value(&made).unwrap() == serde_json::to_value(&payload).unwrap() {
            in_another_order.push(vector.line);
        }
    }
    assert_eq!(again, MADE_AGAIN);
    assert_eq!(in_another_order, MADE_IN_ANOTHER_ORDER);
}

#[test]
fn epc_payloads_are_read_and_made_again() {
    for payload in epc_vectors() {
        let parsed = Payload::parse(&payload).unwrap();
        let normal = payload.trim_end().replace("EUR12.3\n", "EUR12.30\n");
        assert_eq!(parsed.encode().unwrap(), normal);
        assert_eq!(Payload::parse(&normal).unwrap(), parsed);
    }
}

#[test]
fn the_vectors_cover_every_scheme() {
    let kinds: BTreeSet<_> = emv_vectors().map(|vector| vector.kind.to_owned()).collect();
    for scheme in Scheme::ALL.into_iter().filter(|scheme| *scheme != Scheme::Sepa) {
        assert!(kinds.contains(scheme.name()), "{scheme}");
    }
}
