//! Published payloads: they are read, made again from their fields, or refused.

use std::collections::BTreeSet;

use guildhall_common::payment_codes::{PaymentCode, Scheme, emv::EmvPayload};

use super::AnyFields;

const EMV: &str = include_str!("../../vectors/emv.txt");
const EPC: &str = include_str!("../../vectors/epc.txt");

/// The lines of the payloads that our writers make again, byte for byte. Four others have their data
/// objects in another order. The rest have data objects without a field (3, 8, 18, 19, 20), write the
/// identifier of Pix in capitals (9), or have an unknown scheme (28).
const MADE_AGAIN: [usize; 14] = [2, 4, 5, 6, 7, 15, 16, 17, 21, 22, 23, 24, 26, 27];
const MADE_IN_ANOTHER_ORDER: [usize; 4] = [11, 12, 13, 14];

struct Vector {
    line: usize,
    kind: &'static str,
    description: &'static str,
    payload: &'static str,
}

/// The columns: kind, description, source, payload.
fn emv_vectors() -> impl Iterator<Item = Vector> {
    let lines = EMV.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| {
        let [kind, description, _, payload] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        Vector { line: index + 1, kind, description, payload }
    })
}

/// The columns: source, payload. `\n` is a line feed.
pub(super) fn epc_vectors() -> Vec<String> {
    let lines = EPC.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('\t').unwrap().1.replace("\\n", "\n")).collect()
}

/// The valid payloads.
pub(super) fn valid_emv_vectors() -> Vec<&'static str> {
    emv_vectors().filter(|vector| !vector.kind.ends_with("-negative")).map(|vector| vector.payload).collect()
}

#[test]
fn every_payload_is_read_as_its_scheme_and_encodes_to_the_same_bytes() {
    for Vector { kind, description, payload, .. } in emv_vectors() {
        let parsed = PaymentCode::parse(payload);
        if kind.ends_with("-negative") {
            assert!(parsed.is_err(), "{kind}, {description}");
            continue;
        }
        let parsed = parsed.unwrap_or_else(|error| panic!("{kind}, {description}: {error}"));
        assert_eq!(serde_json::to_value(&parsed).unwrap()["scheme"], kind, "{description}");
        assert_eq!(parsed.encode().unwrap(), payload, "{description}");
        assert_eq!(EmvPayload::parse(payload).unwrap().encode(), payload, "{description}");
    }
}

#[test]
fn negative_payloads_are_refused_for_the_right_reason() {
    let errors = emv_vectors().filter_map(|vector| PaymentCode::parse(vector.payload).err());
    let messages: Vec<_> = errors.map(|error| error.to_string()).collect();
    assert_eq!(
        messages,
        [
            "data object 60 must have 1 to 15 characters",
            "data object 38.01 must have a data object (2-digit ID, 2-digit length, value) at \"8\"",
        ]
    );
}

#[test]
fn payloads_are_made_again_from_their_fields() {
    let (mut made_again, mut made_in_another_order) = (Vec::new(), Vec::new());
    for vector in emv_vectors() {
        let Ok(code) = PaymentCode::parse(vector.payload) else { continue };
        let Some(Ok(made)) = AnyFields::of(&code).map(AnyFields::into_code) else { continue };
        if made.encode().unwrap() == vector.payload {
            made_again.push(vector.line);
        } else if serde_json::to_value(&made).unwrap() == serde_json::to_value(&code).unwrap() {
            made_in_another_order.push(vector.line);
        }
    }
    assert_eq!(made_again, MADE_AGAIN);
    assert_eq!(made_in_another_order, MADE_IN_ANOTHER_ORDER);
}

#[test]
fn epc_payloads_are_read_and_made_again() {
    for payload in epc_vectors() {
        let parsed = PaymentCode::parse(&payload).unwrap();
        let normal = payload.trim_end().replace("EUR12.3\n", "EUR12.30\n");
        assert_eq!(parsed.encode().unwrap(), normal);
        assert_eq!(PaymentCode::parse(&normal).unwrap(), parsed);
    }
}

#[test]
fn there_are_vectors_of_every_scheme() {
    let kinds: BTreeSet<_> = emv_vectors().map(|vector| vector.kind.to_owned()).collect();
    for scheme in Scheme::ALL.into_iter().filter(|scheme| *scheme != Scheme::Sepa) {
        assert!(kinds.contains(scheme.name()), "{scheme}");
    }
}
