//! The command of most cases: the leaders of guilds change the message of the day. Each guild has one client, so the
//! message that remains is known.

use std::{collections::HashMap, sync::Arc};

use anyhow::ensure;
use reqwest::Method;
use serde_json::json;
use sqlx::PgPool;

use crate::{
    load::{Call, Entry},
    site::Leader,
};

/// Which client changes the messages of which guilds.
#[derive(Clone)]
pub(crate) struct MotdPlan {
    leaders: Arc<[Leader]>,
    clients: usize,
    is_async: bool,
}

impl MotdPlan {
    /// Distributes the guilds. The last one is left out, because other cases read it from the cache.
    pub(crate) fn new(leaders: &[Leader], clients: usize, is_async: bool) -> Self {
        let changed = &leaders[..leaders.len().saturating_sub(1)];
        Self { leaders: changed.into(), clients, is_async }
    }

    /// The leader that sends this request of a client: its guilds take turns.
    fn leader(&self, client: usize, number: usize) -> Option<&Leader> {
        let own = self.leaders.len().saturating_sub(client).div_ceil(self.clients);
        self.leaders.get(client + self.clients * number.checked_rem(own)?)
    }

    fn message(client: usize, number: usize) -> String {
        format!("Message {number} of client {client}")
    }

    /// The requests of all clients, for a load.
    pub(crate) fn calls(&self) -> impl Fn(usize, usize) -> Option<Call> + Send + Sync + 'static {
        let plan = self.clone();
        move |client, number| plan.call(client, number)
    }

    fn call(&self, client: usize, number: usize) -> Option<Call> {
        let leader = self.leader(client, number)?;
        Some(Call {
            method: Method::POST,
            path: "/guild/change-motd".to_owned(),
            body: json!({ "guild_id": leader.guild_id, "motd": Self::message(client, number) }),
            token: Some(leader.token.clone()),
            is_async: self.is_async,
        })
    }

    /// The message of each guild after all these requests.
    fn expected(&self, entries: &[Entry]) -> HashMap<i64, String> {
        let mut last: HashMap<i64, &Entry> = HashMap::new();
        for entry in entries.iter().filter(|entry| entry.is_success()) {
            let Some(leader) = self.leader(entry.client, entry.number) else { continue };
            let slot = last.entry(leader.guild_id).or_insert(entry);
            if entry.number > slot.number {
                *slot = entry;
            }
        }
        let message = |entry: &Entry| Self::message(entry.client, entry.number);
        last.into_iter().map(|(guild_id, entry)| (guild_id, message(entry))).collect()
    }

    /// Checks that each guild has the last message that was accepted.
    ///
    /// # Errors
    /// When a guild has another one, or the database does not respond.
    pub(crate) async fn check(&self, database: &PgPool, entries: &[Entry]) -> anyhow::Result<()> {
        let stored: Vec<(i64, String)> =
            sqlx::query_as("select guild_id, motd from guilds").fetch_all(database).await?;
        let stored: HashMap<i64, String> = stored.into_iter().collect();
        for (guild_id, message) in self.expected(entries) {
            let found = stored.get(&guild_id);
            ensure!(
                found == Some(&message),
                "lost: guild {guild_id} should have \"{message}\" and has {found:?}"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, time::Duration};

    use super::*;

    fn plan(guilds: i64, clients: usize) -> MotdPlan {
        let leader = |guild_id| Leader {
            token: String::new(),
            character: String::new(),
            guild_id,
            guild: String::new(),
        };
        MotdPlan::new(&(1..=guilds).map(leader).collect::<Vec<_>>(), clients, false)
    }

    fn entry(client: usize, number: usize, status: u16) -> Entry {
        let zero = Duration::ZERO;
        Entry {
            client,
            number,
            status,
            key: None,
            operation_id: None,
            started: zero,
            latency: zero,
            turned_away: 0,
        }
    }

    #[test]
    fn clients_share_no_guild_and_leave_out_the_last_one() {
        let plan = plan(200, 64);
        let guild = |client, number| plan.leader(client, number).map(|leader| leader.guild_id);
        let guilds = |client| (0..50).filter_map(|number| guild(client, number)).collect();
        let of_clients: Vec<HashSet<i64>> = (0..64).map(guilds).collect();
        assert_eq!(of_clients.iter().map(HashSet::len).sum::<usize>(), 199);
        let all: HashSet<i64> = of_clients.into_iter().flatten().collect();
        assert_eq!(all, (1..=199).collect());
    }

    #[test]
    fn last_accepted_message_is_expected() {
        let plan = plan(2, 1);
        let entries = [entry(0, 2, 200), entry(0, 0, 200), entry(0, 3, 503)];
        assert_eq!(plan.expected(&entries), HashMap::from([(1, "Message 2 of client 0".to_owned())]));
    }
}
