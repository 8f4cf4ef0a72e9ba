//! Lists that everybody can read, page by page.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, ensure};
use guildhall_testkit::http::items;
use serde_json::Value;

use super::site::ChaosSite;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PublicList {
    Guilds,
    PlayersWithoutGuild,
    Categories,
    AllOffers,
    VisibleOffers,
    News,
}

impl PublicList {
    const ALL: [Self; 6] = [
        Self::Guilds,
        Self::PlayersWithoutGuild,
        Self::Categories,
        Self::AllOffers,
        Self::VisibleOffers,
        Self::News,
    ];

    /// The path. N stands for the number of the page.
    fn path(self) -> &'static str {
        match self {
            Self::Guilds => "/guilds/N/100",
            Self::PlayersWithoutGuild => "/guild/players-without-guild?limit=100&page=N",
            Self::Categories => "/shop/category/list?limit=100&page=N",
            Self::AllOffers => "/shop/item/list?limit=100&page=N",
            Self::VisibleOffers => "/shop/offers?limit=100&page=N",
            Self::News => "/news/list/N/50",
        }
    }
}

/// All pages of all public lists.
pub(super) struct PublicLists(pub BTreeMap<PublicList, ReadList>);

impl PublicLists {
    /// Reads all lists, when nothing changes any more. The second value has a violation for each inconsistent list.
    ///
    /// # Errors
    /// When a response is not a list.
    pub(super) async fn read(site: &ChaosSite) -> anyhow::Result<(Self, Vec<String>)> {
        let (mut lists, mut violations) = (BTreeMap::new(), Vec::new());
        for public_list in PublicList::ALL {
            let path = public_list.path();
            let all_items = read_following_pages(site, path).await?;
            let mut counts = HashMap::<String, usize>::new();
            if let Some((numbered, totals)) = read_numbered_pages(site, path).await? {
                numbered.iter().for_each(|item| *counts.entry(item.to_string()).or_default() += 1);
                if totals != BTreeSet::from([counts.len() as u64]) {
                    violations.push(format!(
                        "stale: {path} has the totals {totals:?}, but shows {} items",
                        counts.len()
                    ));
                }
                if numbered != all_items {
                    violations.push(format!("stale: {path} shows other items by number than by cursor"));
                }
            }
            let repeated = counts.iter().filter(|(_, count)| **count > 1);
            violations
                .extend(repeated.map(|(item, _)| format!("duplicated: {path} shows more than once: {item}")));
            lists
                .insert(public_list, ReadList { path: path.to_owned(), items: all_items, is_complete: true });
        }
        Ok((Self(lists), violations))
    }
}

/// All items by the numbers of the pages, and the totals that the pages show. None if the list is too long for a total.
async fn read_numbered_pages(
    site: &ChaosSite,
    path: &str,
) -> anyhow::Result<Option<(Vec<Value>, BTreeSet<u64>)>> {
    let (mut all_items, mut totals) = (Vec::new(), BTreeSet::new());
    for number in 1.. {
        let page = site.anonymous.get(&path.replace('N', &number.to_string())).await?;
        let Some(total) = page["total"].as_u64() else {
            return Ok(None);
        };
        all_items.extend_from_slice(items(&page)?);
        totals.insert(total);
        if number >= page["pages"].as_u64().with_context(|| format!("wrong: {path}: {page}"))? {
            break;
        }
    }
    Ok(Some((all_items, totals)))
}

/// All items by the cursors of the pages.
async fn read_following_pages(site: &ChaosSite, path: &str) -> anyhow::Result<Vec<Value>> {
    let path = path.replace('N', "1");
    let separator = if path.contains('?') { '&' } else { '?' };
    let mut page = site.anonymous.get(&path).await?;
    let mut all_items = items(&page)?.clone();
    while let Some(next) = page["next"].as_str() {
        page = site.anonymous.get(&format!("{path}{separator}after={next}")).await?;
        all_items.extend_from_slice(items(&page)?);
    }
    Ok(all_items)
}

/// A list, or its first page.
pub(super) struct ReadList {
    path: String,
    items: Vec<Value>,
    /// Whether it has all items. Otherwise an item may be on another page.
    is_complete: bool,
}

impl ReadList {
    /// # Errors
    /// When the page is not a list.
    pub(super) fn from_first_page(path: &str, page: &Value) -> anyhow::Result<Self> {
        Ok(Self { path: path.to_owned(), items: items(page)?.clone(), is_complete: page["next"].is_null() })
    }

    /// The items whose name or title has this prefix.
    pub(super) fn with_prefix(&self, prefix: &str) -> Self {
        let has_prefix = |item: &&Value| {
            let name = item["name"].as_str().or(item["title"].as_str());
            name.is_some_and(|name| name.starts_with(prefix))
        };
        let items = self.items.iter().filter(has_prefix).cloned().collect();
        Self { path: self.path.clone(), items, is_complete: self.is_complete }
    }

    /// Checks that each item is one of the allowed ones. A complete list must show all allowed items, and an incomplete one
    /// at least the required items. Only the fields of the expected items are compared.
    ///
    /// # Errors
    /// When the list shows something else.
    pub(super) fn must_show(&self, allowed: &[Value], required: &[Value]) -> anyhow::Result<()> {
        let required = if self.is_complete { allowed } else { required };
        let matches = |shown: &Value, expected: &Value| {
            expected.as_object().into_iter().flatten().all(|(field, value)| shown[field] == *value)
        };
        let Self { path, items, .. } = self;
        let only_allowed = items.iter().all(|shown| allowed.iter().any(|expected| matches(shown, expected)));
        let all_required = required.iter().all(|expected| items.iter().any(|shown| matches(shown, expected)));
        ensure!(
            only_allowed && all_required && items.len() <= allowed.len(),
            "stale: {path} must show {allowed:?}, but shows {items:?}"
        );
        Ok(())
    }
}
