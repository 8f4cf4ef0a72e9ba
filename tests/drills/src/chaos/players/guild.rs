//! Actions in a guild, allowed and forbidden ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use anyhow::ensure;
use http::Method;
use rand::RngExt;
use serde_json::{Value, json};

use super::{
    group::PlayerGroup,
    requests::{Expected, change, must_be_gone, must_show, race},
    state::{Guild, Player},
};

impl PlayerGroup {
    pub(super) async fn act_in_guild(&mut self) -> anyhow::Result<()> {
        let player = self.random_player();
        match self.guild.take() {
            None => self.create_guild(player).await?,
            Some(mut guild) => {
                let invited = guild.invited.len();
                let is_deleted = self.change_guild(&mut guild, player).await?;
                let invites_have_changed = guild.invited.len() != invited;
                match is_deleted {
                    true => must_be_gone(&self.site.anonymous, &guild.path()).await?,
                    false => self.guild = Some(guild),
                }
                if invites_have_changed {
                    self.check_invites(player).await?;
                }
            }
        }
        self.check_guild().await
    }

    /// Founds a guild. In one of three cases it sends two requests at the same time, of which one must succeed.
    async fn create_guild(&mut self, leader: usize) -> anyhow::Result<()> {
        let mut names = [self.new_name(), self.new_name()];
        let Player { client, character, .. } = &self.players[leader];
        let path = "/guild/create-guild";
        let body = |name: &str| json!({ "name": name, "character_name": character });
        let [first, second] = names.each_ref().map(|name| (client, path, body(name)));
        let (index, created) = match self.random.random_range(0..3) {
            0 => race(first, second, "already_in_guild").await?,
            _ => (0, change(client, Method::POST, path, first.2, Expected::Success).await?),
        };
        self.guild = Some(Guild {
            id: created["guild_id"].clone(),
            name: mem::take(&mut names[index]),
            leader,
            members: BTreeMap::from([(leader, "leader")]),
            invited: BTreeSet::new(),
            motd: String::new(),
        });
        Ok(())
    }

    /// Runs a random command about this player. Returns whether the guild is deleted.
    async fn change_guild(&mut self, guild: &mut Guild, player: usize) -> anyhow::Result<bool> {
        match self.random.random_range(0..24) {
            0..5 => self.invite(guild, player).await?,
            5 if guild.invited.contains(&player) && !guild.members.contains_key(&player) => {
                self.accept_invite_twice(guild, player).await?;
            }
            5..10 => self.accept_invite(guild, player).await?,
            10 => self.end_invite("decline-invite", guild, player, player).await?,
            11 => self.end_invite("cancel-invite", guild, guild.leader, player).await?,
            12 => self.leave(guild, player).await?,
            13 => self.kick(guild, player).await?,
            14 => self.pass_leadership(guild, player).await?,
            15..17 => self.change_rank(guild, player).await?,
            17 => return self.delete_guild(guild, player).await,
            18 => self.create_guild_with_taken_name(guild, player).await?,
            _ => self.change_motd(guild, player).await?,
        }
        Ok(false)
    }

    async fn invite(&self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let expected = match (guild.members.contains_key(&player), guild.invited.contains(&player)) {
            (true, _) => Expected::Refusal("already_in_guild"),
            (_, true) => Expected::Refusal("already_invited"),
            _ => Expected::Success,
        };
        self.guild_command("invite", guild, guild.leader, player, json!({}), expected).await?;
        if expected == Expected::Success {
            guild.invited.insert(player);
        }
        Ok(())
    }

    /// Sends two requests with different keys: one must succeed.
    async fn accept_invite_twice(&self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let Player { client, character, .. } = &self.players[player];
        let body = json!({ "guild_id": guild.id, "character_name": character });
        let accept = (client, "/guild/accept-invite", body);
        race(accept.clone(), accept, "invite_not_found").await?;
        guild.invited.remove(&player);
        guild.members.insert(player, "member");
        Ok(())
    }

    async fn accept_invite(&self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let expected = expected_for_invited(guild, player);
        self.guild_command("accept-invite", guild, player, player, json!({}), expected).await?;
        if guild.invited.remove(&player) {
            guild.members.insert(player, "member");
        }
        Ok(())
    }

    /// Declines or cancels an invite.
    async fn end_invite(
        &self,
        verb: &str,
        guild: &mut Guild,
        actor: usize,
        player: usize,
    ) -> anyhow::Result<()> {
        let expected = expected_for_invited(guild, player);
        self.guild_command(verb, guild, actor, player, json!({}), expected).await?;
        guild.invited.remove(&player);
        Ok(())
    }

    async fn leave(&self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let expected = expected_for_member(guild, player, "leader_cannot_leave");
        self.guild_command("leave", guild, player, player, json!({}), expected).await?;
        if expected == Expected::Success {
            guild.members.remove(&player);
        }
        Ok(())
    }

    async fn kick(&self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let expected = expected_for_member(guild, player, "rank_too_low");
        self.guild_command("kick", guild, guild.leader, player, json!({}), expected).await?;
        if expected == Expected::Success {
            guild.members.remove(&player);
        }
        Ok(())
    }

    async fn pass_leadership(&self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let expected = expected_for_member(guild, player, "already_leader");
        self.guild_command("pass-leadership", guild, guild.leader, player, json!({}), expected).await?;
        if expected == Expected::Success {
            guild.members.insert(guild.leader, "vice_leader");
            guild.members.insert(player, "leader");
            guild.leader = player;
        }
        Ok(())
    }

    async fn change_rank(&mut self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let expected = expected_for_member(guild, player, "leader_keeps_rank");
        let rank = ["member", "vice_leader"][self.random.random_range(0..2)];
        let fields = json!({ "rank": rank });
        self.guild_command("change-rank", guild, guild.leader, player, fields, expected).await?;
        if expected == Expected::Success {
            guild.members.insert(player, rank);
        }
        Ok(())
    }

    async fn delete_guild(&self, guild: &Guild, player: usize) -> anyhow::Result<bool> {
        let is_leader = player == guild.leader;
        let expected = if is_leader { Expected::Success } else { Expected::Refusal("not_leader") };
        let body = json!({ "guild_id": guild.id });
        change(&self.players[player].client, Method::POST, "/guild/delete", body, expected).await?;
        Ok(is_leader)
    }

    async fn create_guild_with_taken_name(&self, guild: &Guild, player: usize) -> anyhow::Result<()> {
        let Player { client, character, .. } = &self.players[player];
        let body = json!({ "name": guild.name, "character_name": character });
        let expected = Expected::Refusal("guild_name_taken");
        change(client, Method::POST, "/guild/create-guild", body, expected).await.map(drop)
    }

    async fn change_motd(&mut self, guild: &mut Guild, player: usize) -> anyhow::Result<()> {
        let is_allowed = guild.members.get(&player).is_some_and(|rank| *rank != "member");
        let expected = if is_allowed { Expected::Success } else { Expected::Refusal("not_leading") };
        let motd = self.new_name();
        let body = json!({ "guild_id": guild.id, "motd": motd });
        change(&self.players[player].client, Method::POST, "/guild/change-motd", body, expected).await?;
        if is_allowed {
            guild.motd = motd;
        }
        Ok(())
    }

    /// Sends a command about a player, with additional fields.
    async fn guild_command(
        &self,
        verb: &str,
        guild: &Guild,
        actor: usize,
        player: usize,
        fields: Value,
        expected: Expected,
    ) -> anyhow::Result<()> {
        let mut body = json!({ "guild_id": guild.id, "character_name": self.players[player].character });
        for (field, value) in fields.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let path = format!("/guild/{verb}");
        change(&self.players[actor].client, Method::POST, &path, body, expected).await.map(drop)
    }

    pub(super) async fn check_guild(&self) -> anyhow::Result<()> {
        let Some(guild) = &self.guild else {
            return Ok(());
        };
        let expected = json!({ "guild_id": guild.id, "name": guild.name, "motd": guild.motd });
        let shown = must_show(&self.site.anonymous, &guild.path(), &expected).await?;
        let shown: BTreeMap<&str, &str> = shown["members"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|member| Some((member["name"].as_str()?, member["rank"].as_str()?)))
            .collect();
        let character = |player: &usize| self.players[*player].character.as_str();
        let members: BTreeMap<&str, &str> =
            guild.members.iter().map(|(player, rank)| (character(player), *rank)).collect();
        ensure!(
            shown == members,
            "stale: {} must show the members {members:?}, but shows {shown:?}",
            guild.name
        );
        Ok(())
    }
}

/// The expected response to a command about a member: the leader is refused with this code.
fn expected_for_member(guild: &Guild, player: usize, code_for_leader: &'static str) -> Expected {
    match (player == guild.leader, guild.members.contains_key(&player)) {
        (true, _) => Expected::Refusal(code_for_leader),
        (_, true) => Expected::Success,
        _ => Expected::Refusal("member_not_found"),
    }
}

fn expected_for_invited(guild: &Guild, player: usize) -> Expected {
    if guild.invited.contains(&player) { Expected::Success } else { Expected::Refusal("invite_not_found") }
}
