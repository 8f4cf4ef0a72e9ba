//! What a cell has, among what everybody has: lists, and what is shown to one player only.

use anyhow::ensure;
use rand::RngExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::cell::{Cell, PLAYERS};

impl Cell {
    /// Compares one of the lists with what it must show of this cell's.
    ///
    /// # Errors
    /// When it shows something else.
    pub(super) async fn look_around(&mut self) -> anyhow::Result<()> {
        let who = self.someone();
        match self.random.random_range(0..7) {
            0 => self.see_guild_listed().await,
            1 => self.see_who_is_free().await,
            2 => self.see_invites(who).await,
            3 => self.see_posts_listed(&[]).await,
            4 => self.see_purchases(who).await,
            5 => self.see_offers_listed(&self.category()).await,
            _ => self.see_offers_listed("/shop/item/list?limit=100").await,
        }
    }

    /// Compares all of them.
    ///
    /// # Errors
    /// When one shows something else.
    pub(super) async fn see_lists(&self) -> anyhow::Result<()> {
        self.see_guild_listed().await?;
        self.see_who_is_free().await?;
        self.see_posts_listed(&[]).await?;
        self.see_offers_listed(&self.category()).await?;
        for who in 0..PLAYERS {
            self.see_invites(who).await?;
            self.see_purchases(who).await?;
        }
        Ok(())
    }

    async fn see_guild_listed(&self) -> anyhow::Result<()> {
        let guild = self.guild.iter().map(|guild| {
            let leader = &self.players[guild.leader].character;
            json!({ "name": guild.name, "leader_name": leader, "members": guild.members.len() })
        });
        let guilds = self.listed("/guilds/1/100").await?;
        guilds.must_be(&guild.collect::<Vec<_>>(), &[])
    }

    async fn see_who_is_free(&self) -> anyhow::Result<()> {
        let is_member =
            |who: &usize| self.guild.as_ref().is_some_and(|guild| guild.members.contains_key(who));
        let free = (0..PLAYERS).filter(|who| !is_member(who));
        let free = free.map(|who| json!({ "name": self.players[who].character }));
        let search = self.prefix().trim().replace(' ', "%20");
        let path = format!("/guild/players-without-guild?limit=100&search={search}");
        self.listed(&path).await?.must_be(&free.collect::<Vec<_>>(), &[])
    }

    /// To the player's character.
    async fn see_invites(&self, who: usize) -> anyhow::Result<()> {
        let invites = self.guild.iter().filter(|guild| guild.invited.contains(&who));
        let invites = invites.map(|guild| json!({ "guild_name": guild.name }));
        let list = self.players[who].client.call(Method::POST, "/guild/invites", &json!({})).await?;
        List::new("/guild/invites", &list, |_| true).must_be(&invites.collect::<Vec<_>>(), &[])
    }

    /// The list of this cell's own.
    fn category(&self) -> String {
        format!("/shop/offers?category_id={}&limit=100", self.category_id)
    }

    async fn see_offers_listed(&self, path: &str) -> anyhow::Result<()> {
        let offers = self.offers.iter();
        let offers = offers.map(|it| json!({ "name": it.name, "price": it.price, "stock": it.stock }));
        self.listed(path).await?.must_be(&offers.collect::<Vec<_>>(), &[])
    }

    /// There are more than go on a page; but these have just been written.
    pub(super) async fn see_posts_listed(&self, new: &[Value]) -> anyhow::Result<()> {
        let posts = self.posts.iter().map(|it| json!({ "title": it.title, "version": it.version }));
        self.listed("/news/list/1/50").await?.must_be(&posts.collect::<Vec<_>>(), new)
    }

    /// The player's own, of which the latest are on the first page.
    async fn see_purchases(&self, who: usize) -> anyhow::Result<()> {
        let player = &self.players[who];
        let list = player.client.get("/shop/purchases/1/10").await?;
        let items = list["items"].as_array().into_iter().flatten();
        let shown: Vec<&str> = items.filter_map(|it| it["lines"][0]["delivery_id"].as_str()).collect();
        let latest: Vec<&str> = player.deliveries.iter().rev().take(10).map(String::as_str).collect();
        ensure!(
            shown == latest && list["total"] == player.deliveries.len(),
            "stale: {} has bought {} times, {latest:?} lately, and is shown {list}",
            player.character,
            player.deliveries.len(),
        );
        Ok(())
    }

    async fn listed(&self, path: &str) -> anyhow::Result<List> {
        let list = self.site.nobody.get(path).await?;
        let prefix = self.prefix();
        let is_mine = |item: &Value| {
            let name = item["name"].as_str().or(item["title"].as_str());
            name.is_some_and(|name| name.starts_with(&prefix))
        };
        Ok(List::new(path, &list, is_mine))
    }
}

/// What a list shows of a cell's.
struct List {
    path: String,
    shown: Vec<Value>,
    /// There is no other page, to which something could have gone.
    whole: bool,
}

impl List {
    fn new(path: &str, list: &Value, is_mine: impl Fn(&Value) -> bool) -> Self {
        let items = list["items"].as_array().into_iter().flatten();
        Self {
            path: path.to_owned(),
            shown: items.filter(|item| is_mine(item)).cloned().collect(),
            whole: list["pages"].as_i64().is_some_and(|pages| pages <= 1),
        }
    }

    /// Each that it shows is one of these, as far as their fields go. It shows all of these if it is whole, and else
    /// at least those.
    fn must_be(&self, these: &[Value], those: &[Value]) -> anyhow::Result<()> {
        let those = if self.whole { these } else { those };
        let agree = |shown: &Value, known: &Value| {
            known.as_object().into_iter().flatten().all(|(field, value)| shown[field] == *value)
        };
        let known = self.shown.iter().all(|shown| these.iter().any(|known| agree(shown, known)));
        let complete = those.iter().all(|known| self.shown.iter().any(|shown| agree(shown, known)));
        let Self { path, shown, .. } = self;
        ensure!(
            known && complete && shown.len() <= these.len(),
            "stale: {path} must show {these:?}, and shows {shown:?}"
        );
        Ok(())
    }
}
