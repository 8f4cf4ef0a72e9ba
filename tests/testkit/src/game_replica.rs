//! A copy of what games must know, built from the changes of the site, as a game link builds it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What a state is about, with its id. A membership has the id of its character.
type Subject = (String, i64);

/// The last state of each account, character, guild and membership.
#[derive(Debug, Default)]
pub struct GameReplica {
    states: BTreeMap<Subject, Value>,
    /// What states referred to before it was known. The site erases the states of accounts, characters and guilds that it deletes
    /// later, so only these may be missing.
    missing: BTreeSet<Subject>,
}

impl GameReplica {
    /// Takes over a state: `{"guild": {…}}`.
    ///
    /// # Panics
    /// The state is not about exactly one thing.
    pub fn apply(&mut self, state: &Value) {
        let state = state.as_object().expect("a state is an object");
        assert_eq!(state.len(), 1, "{state:?}");
        let (subject, state) = state.iter().next().expect("a state has a subject");
        let id_field = if subject == "membership" { "character_id" } else { &format!("{subject}_id") };
        let key = (subject.clone(), state[id_field].as_i64().expect("a state has an id"));
        self.missing.remove(&key);
        if state["deleted"] != true {
            let references = references(subject, state);
            self.missing
                .extend(references.into_iter().filter(|reference| !self.states.contains_key(reference)));
        }
        if key.0 == "character" && state["deleted"] == true {
            self.states.remove(&("membership".to_owned(), key.1));
        }
        self.states.insert(key, state.clone());
    }

    /// What differs from a snapshot that was read later, and what a change referred to before the site had told it.
    #[must_use]
    pub fn differences(&self, snapshot: &Self) -> Vec<String> {
        let (own, others) = (self.current(), snapshot.current());
        let unknown =
            self.missing.iter().map(|(subject, id)| format!("{subject} {id} came after a reference to it"));
        let keys: BTreeSet<_> = own.keys().chain(others.keys()).collect();
        let different = keys.into_iter().filter(|key| own.get(*key) != others.get(*key));
        let different = different
            .map(|key| format!("{key:?}: {:?}, and in the snapshot {:?}", own.get(key), others.get(key)));
        unknown.chain(different).collect()
    }

    /// What exists, without the fields that change without a change in the feed.
    fn current(&self) -> BTreeMap<&Subject, Value> {
        let exists = |key: &Subject, state: &Value| {
            state["deleted"] != true && (key.0 != "membership" || state.get("guild_id").is_some())
        };
        let existing = self.states.iter().filter(|(key, state)| exists(key, state));
        existing
            .map(|(key, state)| {
                let mut state = state.clone();
                state.as_object_mut().map(|fields| fields.remove("vocation"));
                (key, state)
            })
            .collect()
    }
}

/// What a state refers to.
fn references(subject: &str, state: &Value) -> Vec<Subject> {
    let fields: &[(&str, &str)] = match subject {
        "character" => &[("account", "account_id")],
        "guild" => &[("character", "leader_id")],
        "membership" => &[("character", "character_id"), ("guild", "guild_id")],
        _ => &[],
    };
    let reference = |(subject, field): &(&str, &str)| Some(((*subject).to_owned(), state[*field].as_i64()?));
    fields.iter().filter_map(reference).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn replica(states: &[Value]) -> GameReplica {
        let mut replica = GameReplica::default();
        for state in states {
            replica.apply(state);
        }
        replica
    }

    #[test]
    fn it_finds_states_that_differ_and_references_that_come_too_early() {
        let account = json!({ "account": { "account_id": 3, "name": "mira", "deleted": false } });
        let character =
            json!({ "character": { "character_id": 7, "account_id": 3, "name": "Mira", "deleted": false } });
        let in_order = replica(&[account.clone(), character.clone()]);
        assert!(in_order.differences(&in_order).is_empty());
        let early = replica(std::slice::from_ref(&character));
        assert_eq!(early.differences(&early), ["account 3 came after a reference to it"]);
        let other = replica(std::slice::from_ref(&account));
        assert_eq!(in_order.differences(&other).len(), 1);
        assert_eq!(other.differences(&in_order).len(), 1);
        // Its states were erased, and then the deletion follows.
        let erased = replica(&[character, json!({ "account": { "account_id": 3, "deleted": true } })]);
        assert_eq!(erased.missing, BTreeSet::new());
    }
}
