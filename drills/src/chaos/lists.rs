//! What a cell has, among what everybody has: lists, and what is shown to one player only.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use rand::RngExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    cell::{Cell, PLAYERS},
    site::Site,
};
use crate::client::items;

/// What a list must show of this cell's.
type Mine = fn(&Cell) -> Vec<Value>;

/// What is shown to everybody, page by page: of N.
const LISTS: [(&str, Mine); 6] = [
    ("/guilds/N/100", Cell::listed_guild),
    ("/guild/players-without-guild?limit=100&page=N", Cell::listed_free),
    ("/shop/category/list?limit=100&page=N", Cell::listed_category),
    ("/shop/item/list?limit=100&page=N", Cell::listed_offers),
    ("/shop/offers?limit=100&page=N", Cell::listed_offers),
    ("/news/list/N/50", Cell::listed_posts),
];

/// In which a whole page of news is not written.
const SOON: Duration = Duration::from_secs(5);

/// Everything on all pages of each of the lists.
pub(super) struct Shown(BTreeMap<&'static str, List>);

impl Shown {
    /// Reads them when nothing changes any more; with a line for each of which the pages are not all of it.
    ///
    /// # Errors
    /// When something else than a list is answered.
    pub(super) async fn to_everybody(site: &Site) -> anyhow::Result<(Self, Vec<String>)> {
        let (mut shown, mut violations) = (BTreeMap::new(), Vec::new());
        for (list, _) in LISTS {
            let (mut all, mut totals) = (Vec::new(), BTreeSet::new());
            for page in 1.. {
                let page = site.nobody.get(&list.replace('N', &page.to_string())).await?;
                let number =
                    |field: &str| page[field].as_u64().with_context(|| format!("wrong: {list}: {page}"));
                all.extend_from_slice(items(&page)?);
                totals.insert(number("total")?);
                if number("page")? >= number("pages")? {
                    break;
                }
            }
            let mut times = HashMap::<String, usize>::new();
            all.iter().for_each(|item| *times.entry(item.to_string()).or_default() += 1);
            if totals != BTreeSet::from([times.len() as u64]) {
                violations.push(format!("stale: {list} tells of {totals:?}, and shows {}", times.len()));
            }
            let twice = times.iter().filter(|(_, times)| **times > 1);
            violations
                .extend(twice.map(|(item, _)| format!("duplicated: {list} shows more than once: {item}")));
            shown.insert(list, List { path: list.to_owned(), shown: all, whole: true });
        }
        Ok((Self(shown), violations))
    }
}

impl Cell {
    /// Compares one of the lists with what it must show of this cell's.
    ///
    /// # Errors
    /// When it shows something else.
    pub(super) async fn look_around(&mut self) -> anyhow::Result<()> {
        let who = self.someone();
        let search = self.prefix().trim().replace(' ', "%20");
        let category = self.category_id;
        let (path, mine) = match self.random.random_range(0..7) {
            0 => return self.see_invites(who).await,
            1 => return self.see_purchases(who).await,
            2 => ("/guilds/1/100".to_owned(), self.listed_guild()),
            3 => (format!("/guild/players-without-guild?limit=100&search={search}"), self.listed_free()),
            4 => (format!("/shop/offers?category_id={category}&limit=100"), self.listed_offers()),
            5 => ("/shop/item/list?limit=100".to_owned(), self.listed_offers()),
            _ => return self.see_newest(&[]).await,
        };
        self.first_page(&path).await?.must_show(&mine, &[])
    }

    /// Compares all of them.
    ///
    /// # Errors
    /// When one shows something else.
    pub(super) async fn see_lists(&self, shown: &Shown) -> anyhow::Result<()> {
        for (list, mine) in LISTS {
            let list = shown.0.get(list).context("it was not read")?;
            list.of(self).must_show(&mine(self), &[])?;
        }
        for who in 0..PLAYERS {
            self.see_invites(who).await?;
            self.see_purchases(who).await?;
        }
        Ok(())
    }

    /// There may be more posts than go on a page; but these have just been written.
    pub(super) async fn see_newest(&self, these: &[Value]) -> anyhow::Result<()> {
        let began = Instant::now();
        let newest = self.first_page("/news/list/1/50").await?;
        let these = if began.elapsed() < SOON { these } else { &[] };
        newest.must_show(&self.listed_posts(), these)
    }

    /// To the player's character.
    pub(super) async fn see_invites(&self, who: usize) -> anyhow::Result<()> {
        let invites = self.guild.iter().filter(|guild| guild.invited.contains(&who));
        let invites = invites.map(|guild| json!({ "guild_name": guild.name }));
        let list = self.players[who].client.call(Method::POST, "/guild/invites", &json!({})).await?;
        List::first("/guild/invites", &list)?.must_show(&invites.collect::<Vec<_>>(), &[])
    }

    /// The player's own, of which the latest are on the first page.
    async fn see_purchases(&self, who: usize) -> anyhow::Result<()> {
        let player = &self.players[who];
        let list = player.client.get("/shop/purchases/1/10").await?;
        let shown = items(&list)?.iter().filter_map(|it| it["lines"][0]["delivery_id"].as_str());
        let latest = player.deliveries.iter().rev().take(10).map(String::as_str);
        ensure!(
            shown.eq(latest) && list["total"] == player.deliveries.len(),
            "stale: {} has bought {} times, lately {:?}, and is shown {list}",
            player.character,
            player.deliveries.len(),
            player.deliveries.last_chunk::<10>(),
        );
        Ok(())
    }

    fn listed_guild(&self) -> Vec<Value> {
        let guild = self.guild.iter().map(|guild| {
            let leader = &self.players[guild.leader].character;
            json!({ "name": guild.name, "leader_name": leader, "members": guild.members.len() })
        });
        guild.collect()
    }

    fn listed_free(&self) -> Vec<Value> {
        let is_member =
            |who: &usize| self.guild.as_ref().is_some_and(|guild| guild.members.contains_key(who));
        let free = (0..PLAYERS).filter(|who| !is_member(who));
        free.map(|who| json!({ "name": self.players[who].character })).collect()
    }

    fn listed_category(&self) -> Vec<Value> {
        vec![json!({ "category_id": self.category_id })]
    }

    fn listed_offers(&self) -> Vec<Value> {
        let offers = self.offers.iter();
        offers.map(|it| json!({ "name": it.name, "price": it.price, "stock": it.stock })).collect()
    }

    fn listed_posts(&self) -> Vec<Value> {
        self.posts.iter().map(|it| json!({ "title": it.title, "version": it.version })).collect()
    }

    /// What is this cell's on the first page of a list.
    async fn first_page(&self, path: &str) -> anyhow::Result<List> {
        Ok(List::first(path, &self.site.nobody.get(path).await?)?.of(self))
    }
}

struct List {
    path: String,
    shown: Vec<Value>,
    /// There is no other page, to which something could have gone.
    whole: bool,
}

impl List {
    fn first(path: &str, page: &Value) -> anyhow::Result<Self> {
        let pages = page["pages"].as_u64().with_context(|| format!("wrong: {path}: {page}"))?;
        Ok(Self { path: path.to_owned(), shown: items(page)?.clone(), whole: pages <= 1 })
    }

    /// What it shows of a cell's.
    fn of(&self, cell: &Cell) -> Self {
        let prefix = cell.prefix();
        let is_its = |item: &&Value| {
            let name = item["name"].as_str().or(item["title"].as_str());
            name.is_some_and(|name| name.starts_with(&prefix))
        };
        let shown = self.shown.iter().filter(is_its).cloned().collect();
        Self { path: self.path.clone(), shown, whole: self.whole }
    }

    /// Each that it shows is one of these, as far as their fields go. It shows all of these if it is whole, and else
    /// at least those.
    fn must_show(&self, these: &[Value], those: &[Value]) -> anyhow::Result<()> {
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
