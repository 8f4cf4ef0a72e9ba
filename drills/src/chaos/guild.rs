//! Life in a guild, by the rules and against them.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use rand::RngExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::cell::{Cell, Must, Player, ask, miss, race, see};

pub(super) struct Guild {
    id: Value,
    pub name: String,
    pub leader: usize,
    /// Everybody, with their ranks.
    pub members: BTreeMap<usize, &'static str>,
    pub invited: BTreeSet<usize>,
    motd: String,
}

impl Cell {
    pub(super) async fn act_in_guild(&mut self) -> anyhow::Result<()> {
        let who = self.someone();
        match self.guild.take() {
            None => self.found_guild(who).await?,
            Some(mut guild) => {
                let invited = guild.invited.len();
                let deleted = self.change_guild(&mut guild, who).await?;
                let others_are_invited = guild.invited.len() != invited;
                match deleted {
                    true => miss(&self.site.nobody, &guild.path()).await?,
                    false => self.guild = Some(guild),
                }
                if others_are_invited {
                    self.see_invites(who).await?;
                }
            }
        }
        self.see_guild().await
    }

    /// One in three founds two at once, of which one comes to be.
    async fn found_guild(&mut self, leader: usize) -> anyhow::Result<()> {
        let mut names = [self.new_name(), self.new_name()];
        let Player { client, character, .. } = &self.players[leader];
        let path = "/guild/create-guild";
        let body = |name: &str| json!({ "name": name, "character_name": character });
        let [one, other] = names.each_ref().map(|name| (client, path, body(name)));
        let (which, created) = match self.random.random_range(0..3) {
            0 => race(one, other, "already_in_guild").await?,
            _ => (0, ask(client, Method::POST, path, one.2, Must::Succeed).await?),
        };
        self.guild = Some(Guild {
            id: created["guild_id"].clone(),
            name: mem::take(&mut names[which]),
            leader,
            members: BTreeMap::from([(leader, "leader")]),
            invited: BTreeSet::new(),
            motd: String::new(),
        });
        Ok(())
    }

    /// Answers whether the guild is no more.
    async fn change_guild(&mut self, guild: &mut Guild, who: usize) -> anyhow::Result<bool> {
        let leads = who == guild.leader;
        let is_member = guild.members.contains_key(&who);
        let is_invited = guild.invited.contains(&who);
        // What only members may be done to, and not their leader.
        let of_member = |leader: &'static str| match (leads, is_member) {
            (true, _) => Must::BeRefused(leader),
            (_, true) => Must::Succeed,
            _ => Must::BeRefused("member_not_found"),
        };
        let of_invited = if is_invited { Must::Succeed } else { Must::BeRefused("invite_not_found") };
        match self.random.random_range(0..24) {
            0..5 => {
                let must = match (is_member, is_invited) {
                    (true, _) => Must::BeRefused("already_in_guild"),
                    (_, true) => Must::BeRefused("already_invited"),
                    _ => Must::Succeed,
                };
                self.guild_command("invite", guild, guild.leader, who, json!({}), must).await?;
                if must == Must::Succeed {
                    guild.invited.insert(who);
                }
            }
            5 if is_invited && !is_member => {
                let player = &self.players[who];
                let body = json!({ "guild_id": guild.id, "character_name": player.character });
                let accept = (&player.client, "/guild/accept-invite", body);
                race(accept.clone(), accept, "invite_not_found").await?;
                guild.invited.remove(&who);
                guild.members.insert(who, "member");
            }
            5..10 => {
                self.guild_command("accept-invite", guild, who, who, json!({}), of_invited).await?;
                if guild.invited.remove(&who) {
                    guild.members.insert(who, "member");
                }
            }
            10 => {
                self.guild_command("decline-invite", guild, who, who, json!({}), of_invited).await?;
                guild.invited.remove(&who);
            }
            11 => {
                self.guild_command("cancel-invite", guild, guild.leader, who, json!({}), of_invited).await?;
                guild.invited.remove(&who);
            }
            12 => {
                let must = of_member("leader_cannot_leave");
                self.guild_command("leave", guild, who, who, json!({}), must).await?;
                if must == Must::Succeed {
                    guild.members.remove(&who);
                }
            }
            13 => {
                let must = of_member("rank_too_low");
                self.guild_command("kick", guild, guild.leader, who, json!({}), must).await?;
                if must == Must::Succeed {
                    guild.members.remove(&who);
                }
            }
            14 => {
                let must = of_member("already_leader");
                self.guild_command("pass-leadership", guild, guild.leader, who, json!({}), must).await?;
                if must == Must::Succeed {
                    guild.members.insert(guild.leader, "vice_leader");
                    guild.members.insert(who, "leader");
                    guild.leader = who;
                }
            }
            15..17 => {
                let must = of_member("leader_keeps_rank");
                let rank = ["member", "vice_leader"][self.random.random_range(0..2)];
                self.guild_command("change-rank", guild, guild.leader, who, json!({ "rank": rank }), must)
                    .await?;
                if must == Must::Succeed {
                    guild.members.insert(who, rank);
                }
            }
            17 => {
                let must = if leads { Must::Succeed } else { Must::BeRefused("not_leader") };
                let body = json!({ "guild_id": guild.id });
                ask(&self.players[who].client, Method::POST, "/guild/delete", body, must).await?;
                return Ok(leads);
            }
            18 => {
                let body = json!({ "name": guild.name, "character_name": self.players[who].character });
                let taken = Must::BeRefused("guild_name_taken");
                ask(&self.players[who].client, Method::POST, "/guild/create-guild", body, taken).await?;
            }
            _ => {
                let leading = guild.members.get(&who).is_some_and(|rank| *rank != "member");
                let must = if leading { Must::Succeed } else { Must::BeRefused("not_leading") };
                let motd = self.new_name();
                let body = json!({ "guild_id": guild.id, "motd": motd });
                ask(&self.players[who].client, Method::POST, "/guild/change-motd", body, must).await?;
                if leading {
                    guild.motd = motd;
                }
            }
        }
        Ok(false)
    }

    async fn guild_command(
        &self,
        verb: &str,
        guild: &Guild,
        by: usize,
        whom: usize,
        more: Value,
        must: Must,
    ) -> anyhow::Result<()> {
        let mut body = json!({ "guild_id": guild.id, "character_name": self.players[whom].character });
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        ask(&self.players[by].client, Method::POST, &format!("/guild/{verb}"), body, must).await.map(drop)
    }

    pub(super) async fn see_guild(&self) -> anyhow::Result<()> {
        let Some(guild) = &self.guild else {
            return Ok(());
        };
        let expected = json!({ "guild_id": guild.id, "name": guild.name, "motd": guild.motd });
        let shown = see(&self.site.nobody, &guild.path(), &expected).await?;
        let shown: BTreeMap<&str, &str> = shown["members"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|member| Some((member["name"].as_str()?, member["rank"].as_str()?)))
            .collect();
        let members: BTreeMap<&str, &str> =
            guild.members.iter().map(|(who, rank)| (self.players[*who].character.as_str(), *rank)).collect();
        anyhow::ensure!(shown == members, "stale: {} must have {members:?}, and shows {shown:?}", guild.name);
        Ok(())
    }
}

impl Guild {
    fn path(&self) -> String {
        format!("/guild/view/{}", self.name.replace(' ', "%20"))
    }
}
