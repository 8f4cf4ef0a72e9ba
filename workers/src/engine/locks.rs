//! The rows that a batch locks before it applies its commands.

use guildhall_common::contract::{
    actor::{AccountId, Actor},
    character::{CharacterId, CharacterRef},
    guild::GuildId,
    payment::PaymentId,
    shop::OfferId,
};
use uuid::Uuid;

/// The rows that commands change and that commands of other partitions may change, too. `lock_rows` in the migrations locks
/// them in the same order in every transaction.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    pub(super) guilds: Vec<i64>,
    pub(super) deleted_guilds: Vec<i64>,
    pub(super) characters: Vec<i64>,
    pub(super) character_names: Vec<String>,
    pub(super) payments: Vec<Uuid>,
    pub(super) accounts: Vec<i64>,
    pub(super) offers: Vec<i64>,
}

impl Locks {
    pub(crate) fn guild(&mut self, guild_id: GuildId) {
        self.guilds.push(guild_id.get());
    }

    /// A guild that is deleted, with its members.
    pub(crate) fn deleted_guild(&mut self, guild_id: GuildId) {
        self.guild(guild_id);
        self.deleted_guilds.push(guild_id.get());
    }

    pub(crate) fn character(&mut self, character: &CharacterRef) {
        match character {
            CharacterRef::Id(id) => self.characters.push(CharacterId::get(*id)),
            CharacterRef::Name(name) => self.character_names.push(name.key()),
        }
    }

    /// A payment with the coins of its account.
    pub(crate) fn payment(&mut self, payment_id: PaymentId) {
        self.payments.push(payment_id.get());
    }

    /// The coins of an account.
    pub(crate) fn coins(&mut self, account_id: AccountId) {
        self.accounts.push(account_id.get());
    }

    /// The coins of the account that sends the command.
    pub(crate) fn coins_of(&mut self, actor: Actor) {
        if let Some(account_id) = actor.account_id() {
            self.coins(account_id);
        }
    }

    /// An offer. If its stock is not limited, purchases of it do not wait for each other.
    pub(crate) fn offer(&mut self, offer_id: OfferId) {
        self.offers.push(offer_id.get());
    }
}
