//! The rows that a batch locks before it applies its commands.

use crate::contract::{
    actor::{AccountId, Actor},
    character::{CharacterId, CharacterRef},
    guild::values::GuildId,
    payment::values::PaymentId,
    shop::catalogue::OfferId,
};
use uuid::Uuid;

/// The rows that commands change and that commands of other partitions may change, too. `lock_rows` in the migrations locks
/// them in the same order in every transaction.
#[derive(Debug, Default)]
pub struct Locks {
    pub guilds: Vec<i64>,
    pub deleted_guilds: Vec<i64>,
    pub characters: Vec<i64>,
    pub character_names: Vec<String>,
    pub payments: Vec<Uuid>,
    pub accounts: Vec<i64>,
    pub offers: Vec<i64>,
}

impl Locks {
    pub fn guild(&mut self, guild_id: GuildId) {
        self.guilds.push(guild_id.get());
    }

    /// A guild that is deleted, with its members.
    pub fn deleted_guild(&mut self, guild_id: GuildId) {
        self.guild(guild_id);
        self.deleted_guilds.push(guild_id.get());
    }

    pub fn character(&mut self, character: &CharacterRef) {
        match character {
            CharacterRef::Id(id) => self.characters.push(CharacterId::get(*id)),
            CharacterRef::Name(name) => self.character_names.push(name.key()),
        }
    }

    /// A payment with the coins of its account.
    pub fn payment(&mut self, payment_id: PaymentId) {
        self.payments.push(payment_id.get());
    }

    /// The coins of an account.
    pub fn coins(&mut self, account_id: AccountId) {
        self.accounts.push(account_id.get());
    }

    /// The coins of the account that sends the command.
    pub fn coins_of(&mut self, actor: Actor) {
        if let Some(account_id) = actor.account_id() {
            self.coins(account_id);
        }
    }

    /// An offer. If its stock is not limited, purchases of it do not wait for each other.
    pub fn offer(&mut self, offer_id: OfferId) {
        self.offers.push(offer_id.get());
    }
}
