//! The command `game.follow_changes`.

use serde::{Deserialize, Serialize};

use super::refusal::GameRefusal;
use crate::{
    contract::{
        actor::Actor,
        command::{Declaration, Sender},
        partition_key::PartitionKey,
    },
    uuid_ids,
};

uuid_ids! {
    /// The id of a change that games must know. It is the place in the feed after this change.
    ChangeId
}

/// Records how far a game server has read the changes.
#[derive(Debug, Serialize, Deserialize)]
pub struct FollowChanges {
    /// The last change that the game server has applied.
    pub change_id: ChangeId,
}

/// The place was recorded.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangesFollowed {}

impl Declaration for FollowChanges {
    type Output = ChangesFollowed;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.follow_changes";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"change_id":"0192f0c1-2a3b-4c4d-8e5f-60718293a4b5"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}
