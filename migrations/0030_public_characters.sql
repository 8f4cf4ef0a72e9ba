-- The lists of characters by level, and of those that are online. The level is negative, so that both sort keys ascend.
create index characters_by_level on characters ((-level), name_key) where deleted_at is null;
create index characters_by_vocation on characters (lower(vocation), (-level), name_key) where deleted_at is null;
create index characters_online on characters (name_key) where online;
