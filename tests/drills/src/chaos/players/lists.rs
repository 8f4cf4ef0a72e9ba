//! Lists that must show the state of a group: public lists, invites and purchases.

use std::time::{Duration, Instant};

use anyhow::ensure;
use guildhall_testkit::http::items;
use http::Method;
use rand::RngExt;
use serde_json::{Value, json};

use super::group::{PLAYERS, PlayerGroup};
use crate::chaos::public_lists::{PublicList, PublicLists, ReadList};

/// In this time the groups write fewer posts than the first page of the news has.
const FIRST_PAGE_STAYS: Duration = Duration::from_secs(5);

impl PlayerGroup {
    /// Reads a random list and compares it with the state of this group.
    ///
    /// # Errors
    /// When the list shows something else.
    pub(super) async fn check_random_list(&mut self) -> anyhow::Result<()> {
        let player = self.random_player();
        let search = self.prefix().trim().replace(' ', "%20");
        let category = self.category_id;
        let (path, expected) = match self.random.random_range(0..7) {
            0 => return self.check_invites(player).await,
            1 => return self.check_purchases(player).await,
            2 => ("/guilds/1/100".to_owned(), self.expected_guild()),
            3 => (
                format!("/guild/players-without-guild?limit=100&search={search}"),
                self.expected_players_without_guild(),
            ),
            4 => (format!("/shop/offers?category_id={category}&limit=100"), self.expected_offers()),
            5 => ("/shop/item/list?limit=100".to_owned(), self.expected_offers()),
            _ => return self.check_newest_posts(&[]).await,
        };
        self.read_first_page(&path).await?.must_show(&expected, &[])
    }

    /// Compares all lists.
    ///
    /// # Errors
    /// When a list shows something else.
    pub(super) async fn check_lists(&self, lists: &PublicLists) -> anyhow::Result<()> {
        for (name, list) in &lists.0 {
            list.with_prefix(&self.prefix()).must_show(&self.expected_items(*name), &[])?;
        }
        for player in 0..PLAYERS {
            self.check_invites(player).await?;
            self.check_purchases(player).await?;
        }
        Ok(())
    }

    /// Compares the first page of the news. It may not show older posts, but must show these newest ones.
    pub(super) async fn check_newest_posts(&self, newest: &[Value]) -> anyhow::Result<()> {
        let started = Instant::now();
        let page = self.read_first_page("/news/list/1/50").await?;
        let required = if started.elapsed() < FIRST_PAGE_STAYS { newest } else { &[] };
        page.must_show(&self.expected_posts(), required)
    }

    /// Compares the invites of a player.
    pub(super) async fn check_invites(&self, player: usize) -> anyhow::Result<()> {
        let invites = self.guild.iter().filter(|guild| guild.invited.contains(&player));
        let invites = invites.map(|guild| json!({ "guild_name": guild.name }));
        let list = self.players[player].client.call(Method::POST, "/guild/invites", &json!({})).await?;
        ReadList::from_first_page("/guild/invites", &list)?.must_show(&invites.collect::<Vec<_>>(), &[])
    }

    /// Compares the latest purchases of a player, which are on the first page.
    async fn check_purchases(&self, player: usize) -> anyhow::Result<()> {
        let player = &self.players[player];
        let list = player.client.get("/shop/purchases/1/10").await?;
        let shown = items(&list)?.iter().filter_map(|it| it["lines"][0]["delivery_id"].as_str());
        let latest = player.deliveries.iter().rev().take(10).map(String::as_str);
        ensure!(
            shown.eq(latest) && list["total"] == player.deliveries.len(),
            "stale: {} must show {} purchases, of which the last are {:?}, but /shop/purchases/1/10 shows {list}",
            player.character,
            player.deliveries.len(),
            player.deliveries.last_chunk::<10>(),
        );
        Ok(())
    }

    /// The items of this group in a public list.
    fn expected_items(&self, list: PublicList) -> Vec<Value> {
        match list {
            PublicList::Guilds => self.expected_guild(),
            PublicList::PlayersWithoutGuild => self.expected_players_without_guild(),
            PublicList::Categories => vec![json!({ "category_id": self.category_id })],
            PublicList::AllOffers | PublicList::VisibleOffers => self.expected_offers(),
            PublicList::News => self.expected_posts(),
        }
    }

    fn expected_guild(&self) -> Vec<Value> {
        let guild = self.guild.iter().map(|guild| {
            let leader = &self.players[guild.leader].character;
            json!({ "name": guild.name, "leader_name": leader, "members": guild.members.len() })
        });
        guild.collect()
    }

    fn expected_players_without_guild(&self) -> Vec<Value> {
        let is_member =
            |player: &usize| self.guild.as_ref().is_some_and(|guild| guild.members.contains_key(player));
        let players = (0..PLAYERS).filter(|player| !is_member(player));
        players.map(|player| json!({ "name": self.players[player].character })).collect()
    }

    fn expected_offers(&self) -> Vec<Value> {
        let offers = self.offers.iter();
        offers.map(|it| json!({ "name": it.name, "price": it.price, "stock": it.stock })).collect()
    }

    fn expected_posts(&self) -> Vec<Value> {
        self.posts.iter().map(|it| json!({ "title": it.title, "version": it.version })).collect()
    }

    /// The items of this group on the first page of a list.
    async fn read_first_page(&self, path: &str) -> anyhow::Result<ReadList> {
        let page = self.site.anonymous.get(path).await?;
        Ok(ReadList::from_first_page(path, &page)?.with_prefix(&self.prefix()))
    }
}
