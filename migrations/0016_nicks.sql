-- The nick of a member in its guild. Empty: none.
alter table guild_members add column nick text not null default ''
    constraint guild_members_nick_length check (char_length(nick) <= 15);
