//! The choice of the next action, and the comparison of everything at the end.

use rand::RngExt;

use super::group::PlayerGroup;
use crate::chaos::public_lists::PublicLists;

impl PlayerGroup {
    /// Runs one random action and reads its effect. One in four also reads a list.
    ///
    /// # Errors
    /// When a response is not the expected one, or a read does not show a change.
    pub(in crate::chaos) async fn act(&mut self) -> anyhow::Result<()> {
        match self.random.random_range(0..100) {
            0..45 => self.act_in_guild().await?,
            45..60 => self.act_in_shop().await?,
            60..72 => self.act_in_news().await?,
            72..76 => self.buy_coins().await?,
            76..79 => self.purchase_limited_offer().await?,
            _ => self.purchase().await?,
        }
        if self.random.random_bool(0.25) { self.check_random_list().await } else { Ok(()) }
    }

    /// Reads everything that this group owns.
    ///
    /// # Errors
    /// When a read does not show an earlier change.
    pub(in crate::chaos) async fn check_everything(&self, lists: &PublicLists) -> anyhow::Result<()> {
        self.check_guild().await?;
        for offer in &self.offers {
            self.check_offer(offer).await?;
        }
        for post in &self.posts {
            self.check_post(post).await?;
        }
        for player in &self.players {
            self.check_balance(player).await?;
        }
        self.check_lists(lists).await
    }
}
