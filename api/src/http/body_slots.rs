//! The request bodies that are received at the same time. Each kind of sender has slots of its own, so that none can take those of
//! the others.

use std::net::IpAddr;

use guildhall_common::contract::actor::AccountId;

use crate::http::slots::{NoSlot, Slot, Slots};

/// The sender of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodySender {
    /// A client without a session or a token, known only by its network.
    Stranger(IpAddr),
    /// An account that is logged in.
    Account(AccountId),
    /// A game server, or a payment provider that has proven itself in the head of the request.
    Server(IpAddr),
}

/// Who takes a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SlotHolder {
    Network(IpAddr),
    Account(AccountId),
}

/// A slot for a body.
pub(crate) type BodySlot = Slot<SlotHolder>;

/// The slots of one kind of sender.
#[derive(Debug, Clone)]
struct Group {
    /// All bodies while they are received.
    received: Slots<SlotHolder>,
    /// The bodies above the default limit, until their response. This bounds the memory for bodies.
    large: Slots<SlotHolder>,
}

/// The slots of all senders.
#[derive(Debug, Clone)]
pub(crate) struct BodySlots {
    strangers: Group,
    accounts: Group,
    servers: Group,
}

impl BodySlots {
    /// The slots of an api with this number of connections. At most half of the connections receive a body.
    ///
    /// A body usually arrives with its head, so one sender needs few slots at the same time.
    pub(crate) fn new(connections: usize, connections_per_address: usize) -> Self {
        let share = |divisor: usize| connections.div_ceil(divisor);
        let of_network = (connections_per_address / 4).max(1);
        Self {
            // Large bodies of strangers are notifications. Their signatures can be verified only with the whole body.
            strangers: Group::new(share(4), of_network.div_ceil(4), 16, 2),
            accounts: Group::new(share(8), of_network.div_ceil(4), 48, 4),
            servers: Group::new(share(8), of_network, 32, 8),
        }
    }

    /// Takes a slot for a body that arrives.
    ///
    /// # Errors
    /// When none is free.
    pub(crate) fn receive(&self, sender: BodySender) -> Result<BodySlot, NoSlot> {
        self.group(sender).received.acquire(sender.holder())
    }

    /// Takes a slot for a body that is larger than the default limit.
    ///
    /// # Errors
    /// When none is free.
    pub(crate) fn hold_large(&self, sender: BodySender) -> Result<BodySlot, NoSlot> {
        self.group(sender).large.acquire(sender.holder())
    }

    fn group(&self, sender: BodySender) -> &Group {
        match sender {
            BodySender::Stranger(_) => &self.strangers,
            BodySender::Account(_) => &self.accounts,
            BodySender::Server(_) => &self.servers,
        }
    }
}

impl Group {
    fn new(received: usize, received_of_holder: usize, large: usize, large_of_holder: usize) -> Self {
        Self { received: Slots::new(received, received_of_holder), large: Slots::new(large, large_of_holder) }
    }
}

impl BodySender {
    fn holder(self) -> SlotHolder {
        match self {
            Self::Stranger(network) | Self::Server(network) => SlotHolder::Network(network),
            Self::Account(account_id) => SlotHolder::Account(account_id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    #[test]
    fn strangers_and_accounts_leave_the_slots_of_servers() {
        let slots = BodySlots::new(1024, 512);
        let mut held = vec![];
        for number in 0..=255 {
            let account_id = i64::from(number).try_into().unwrap_or_else(|_| 1.try_into().unwrap());
            for sender in [BodySender::Stranger(network(number)), BodySender::Account(account_id)] {
                while let Ok(slot) = slots.receive(sender) {
                    held.push(slot);
                }
                while let Ok(slot) = slots.hold_large(sender) {
                    held.push(slot);
                }
            }
        }
        let newcomer = BodySender::Stranger(IpAddr::from([10, 0, 1, 0]));
        assert_eq!(slots.receive(newcomer).unwrap_err(), NoSlot::AtAll);
        assert!(slots.receive(BodySender::Server(network(1))).is_ok());
        assert!(slots.hold_large(BodySender::Server(network(1))).is_ok());
    }

    #[test]
    fn one_account_has_the_same_slots_from_all_networks() {
        let slots = BodySlots::new(1024, 512);
        let account = BodySender::Account(1.try_into().unwrap());
        let held: Vec<_> = std::iter::from_fn(|| slots.hold_large(account).ok()).collect();
        assert_eq!(held.len(), 4);
        assert!(slots.hold_large(BodySender::Account(2.try_into().unwrap())).is_ok());
    }
}
