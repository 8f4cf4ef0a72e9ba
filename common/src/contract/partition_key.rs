//! The key by which the commands of a domain are spread over its queues.

use std::fmt::Display;

use crc::{CRC_32_ISO_HDLC, Crc};

use super::actor::{AccountId, Actor};

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// What a command changes: a guild, an account, an offer, a post or a payment.
///
/// It depends only on the command and its sender, so every process chooses the same partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartitionKey(u32);

impl PartitionKey {
    #[must_use]
    pub fn new(kind: &'static str, id: impl Display) -> Self {
        Self(CRC.checksum(format!("{kind} {id}").as_bytes()))
    }

    #[must_use]
    pub fn account(account_id: AccountId) -> Self {
        Self::new("account", account_id)
    }

    /// The number of the partition. Number 0 is for commands without a key, and it is the only one if `count` is 1.
    #[must_use]
    pub fn partition(self, count: u16) -> u16 {
        if count > 1 { 1 + (self.0 % u32::from(count)) as u16 } else { 0 }
    }
}

impl Actor {
    /// The key of the account or of the game server. A stranger has none.
    pub(super) fn partition_key(self) -> Option<PartitionKey> {
        match self {
            Self::Account(account_id) => Some(PartitionKey::account(account_id)),
            Self::Service(service_token_id) => Some(PartitionKey::new("service_token", service_token_id)),
            Self::Anonymous => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PartitionKey;

    #[test]
    fn keys_are_spread_evenly() {
        let mut commands = [0; 9];
        for guild_id in 1..=8000 {
            commands[usize::from(PartitionKey::new("guild", guild_id).partition(8))] += 1;
        }
        assert_eq!(commands[0], 0);
        assert!(commands[1..].iter().all(|count| (900..1100).contains(count)), "{commands:?}");
    }

    #[test]
    fn partition_of_a_key_never_changes() {
        let partitions = [1, 2, 3].map(|guild_id| PartitionKey::new("guild", guild_id).partition(8));
        assert_eq!(partitions, [5, 7, 1]);
        assert_eq!(PartitionKey::new("guild", 1).partition(1), 0);
    }
}
