//! References of payments that fit every scheme.

use guildhall_common::contract::payment::PaymentId;

const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// At most 25 characters fit into every static code; 36^25 is more than the number of UUIDs.
const LENGTH: usize = 25;

/// A payment's id in 25 digits and capital letters.
pub(super) fn reference(payment_id: PaymentId) -> String {
    let mut rest = payment_id.get().as_u128();
    let mut digits = [b'0'; LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 36) as usize];
        rest /= 36;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn references_are_distinct_and_fit_every_scheme() {
        assert_eq!(reference(Uuid::nil().into()), "0".repeat(25));
        assert_eq!(reference(Uuid::from_u128(37).into()), format!("{}11", "0".repeat(23)));
        assert_eq!(reference(Uuid::max().into()), "F5LXX1ZZ5PNORYNQGLHZMSP33");
    }
}
