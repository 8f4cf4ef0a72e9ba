//! Dead letters: an administrator publishes them again or discards them.

use guildhall_common::contract::{
    command::Failure,
    site::{DeadLetterDiscarded, DeadLetterReplayed, DiscardDeadLetter, ReplayDeadLetter},
};

use crate::engine::{context::Context, dead_letters, rule::Rule};

impl Rule for ReplayDeadLetter {
    /// The message is published before the commit. If the transaction fails afterwards, this command is applied again.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeadLetterReplayed, Failure> {
        let dead_letter_id = self.dead_letter_id;
        let letter = dead_letters::take(cx.db, dead_letter_id, cx.settings.retention.operations).await?;
        cx.audit(letter.entry).await?;
        dead_letters::publish(cx.publisher, letter.message).await?;
        Ok(DeadLetterReplayed { dead_letter_id })
    }
}

impl Rule for DiscardDeadLetter {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeadLetterDiscarded, Failure> {
        let dead_letter_id = self.dead_letter_id;
        let entry = dead_letters::delete(cx.db, dead_letter_id, "dead_letter.discard").await?;
        cx.audit(entry).await?;
        Ok(DeadLetterDiscarded { dead_letter_id })
    }
}
