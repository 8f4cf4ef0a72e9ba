//! The commands of most cases: the leaders of guilds change the message of the day, or the rank of a member. Each guild has one client, so
//! the value that remains is known.

use std::{collections::HashMap, sync::Arc};

use anyhow::ensure;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::{
    load::{Call, JournalEntry},
    site::Leader,
};

/// What the commands change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum GuildChange {
    /// The message of the day. The same statement applies several commands.
    Motd,
    /// The rank of the third member. Each command has two statements of its own.
    Rank,
}

/// Which client changes which guilds.
#[derive(Clone)]
pub(crate) struct GuildPlan {
    change: GuildChange,
    leaders: Arc<[Leader]>,
    clients: usize,
    is_async: bool,
}

impl GuildChange {
    /// The value that a request of a client stores.
    fn value(self, client: usize, number: usize) -> String {
        match self {
            Self::Motd => format!("Message {number} of client {client}"),
            // A client has three or four guilds, so each of them gets both ranks.
            Self::Rank if (number / 4).is_multiple_of(2) => "vice_leader".to_owned(),
            Self::Rank => "member".to_owned(),
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Motd => "/guild/change-motd",
            Self::Rank => "/guild/change-rank",
        }
    }

    fn body(self, leader: &Leader, value: &str) -> Value {
        match self {
            Self::Motd => json!({ "guild_id": leader.guild_id, "motd": value }),
            Self::Rank => {
                json!({ "guild_id": leader.guild_id, "character_name": leader.third_member, "rank": value })
            }
        }
    }

    /// The query for the values of all guilds.
    fn stored(self) -> &'static str {
        match self {
            Self::Motd => "select guild_id, motd from guilds",
            Self::Rank => {
                "select guild_id, case rank when 2 then 'vice_leader' else 'member' end
                 from guild_members join characters using (character_id) where name like 'Bench % aaaad'"
            }
        }
    }
}

impl GuildPlan {
    /// Distributes the guilds. The last one is left out, because other cases read it from the cache.
    pub(crate) fn new(change: GuildChange, leaders: &[Leader], clients: usize) -> Self {
        let changed = &leaders[..leaders.len().saturating_sub(1)];
        Self { change, leaders: changed.into(), clients, is_async: false }
    }

    /// The clients do not wait for the outcomes.
    pub(crate) fn respond_async(self) -> Self {
        Self { is_async: true, ..self }
    }

    /// The leader that sends this request of a client: its guilds take turns.
    fn leader(&self, client: usize, number: usize) -> Option<&Leader> {
        let own = self.leaders.len().saturating_sub(client).div_ceil(self.clients);
        self.leaders.get(client + self.clients * number.checked_rem(own)?)
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
            path: self.change.path().to_owned(),
            body: self.change.body(leader, &self.change.value(client, number)),
            token: Some(leader.token.clone()),
            is_async: self.is_async,
        })
    }

    /// The value of each guild after all these requests.
    fn expected(&self, entries: &[JournalEntry]) -> HashMap<i64, String> {
        let mut last: HashMap<i64, &JournalEntry> = HashMap::new();
        for entry in entries.iter().filter(|entry| entry.is_success()) {
            let Some(leader) = self.leader(entry.client, entry.number) else { continue };
            let slot = last.entry(leader.guild_id).or_insert(entry);
            if entry.number > slot.number {
                *slot = entry;
            }
        }
        let value = |entry: &JournalEntry| self.change.value(entry.client, entry.number);
        last.into_iter().map(|(guild_id, entry)| (guild_id, value(entry))).collect()
    }

    /// Checks that each guild has the last value that was accepted.
    ///
    /// # Errors
    /// When a guild has another one, or the database does not respond.
    pub(crate) async fn check(&self, database: &PgPool, entries: &[JournalEntry]) -> anyhow::Result<()> {
        let stored: Vec<(i64, String)> = sqlx::query_as(self.change.stored()).fetch_all(database).await?;
        let stored: HashMap<i64, String> = stored.into_iter().collect();
        for (guild_id, value) in self.expected(entries) {
            let found = stored.get(&guild_id);
            ensure!(
                found == Some(&value),
                "lost: guild {guild_id} should have \"{value}\" and has {found:?}"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, time::Duration};

    use super::*;

    fn plan(guilds: i64, clients: usize) -> GuildPlan {
        let leader = |guild_id| Leader {
            token: String::new(),
            character: String::new(),
            guild_id,
            guild: String::new(),
            third_member: String::new(),
        };
        GuildPlan::new(GuildChange::Motd, &(1..=guilds).map(leader).collect::<Vec<_>>(), clients)
    }

    fn entry(client: usize, number: usize, status: u16) -> JournalEntry {
        let zero = Duration::ZERO;
        JournalEntry {
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
    fn last_accepted_value_is_expected() {
        let plan = plan(2, 1);
        let entries = [entry(0, 2, 200), entry(0, 0, 200), entry(0, 3, 503)];
        assert_eq!(plan.expected(&entries), HashMap::from([(1, "Message 2 of client 0".to_owned())]));
    }
}
