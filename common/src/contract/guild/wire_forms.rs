//! The commands as they are queued. Workers of other versions read them, so a line never changes.

#[cfg(test)]
use super::GuildCommand;

crate::wire_forms! {
    GuildCommand r#"
        {"name":"guild.create","body":{"name":"Night Watch","leader":{"id":7}}}
        {"name":"guild.create","body":{"name":"Night Watch","leader":{"name":"Mira"}}}
        {"name":"guild.invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.accept_invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.decline_invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.cancel_invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.leave","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.kick","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.pass_leadership","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.change_rank","body":{"guild_id":1,"character":{"id":8},"rank":"vice_leader"}}
        {"name":"guild.change_motd","body":{"guild_id":1,"motd":"At eight."}}
        {"name":"guild.change_description","body":{"guild_id":1,"description":"Two\nlines."}}
        {"name":"guild.change_logo","body":{"guild_id":1,"pictures":{"small":{"type":"image/webp","data":"UklGRg=="},"medium":{"type":"image/webp","data":"UklGRg=="},"large":{"type":"image/jpeg","data":"/9j/4A=="}}}}
        {"name":"guild.remove_logo","body":{"guild_id":1}}
        {"name":"guild.moderate_logo","body":{"guild_id":1,"reason":"An insult.","block":true}}
        {"name":"guild.moderate_logo","body":{"guild_id":1,"logo":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","reason":"An insult.","block":true}}
        {"name":"guild.delete","body":{"guild_id":1}}
    "#
}
