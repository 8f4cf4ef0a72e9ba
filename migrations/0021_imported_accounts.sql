-- Accounts of a game whose community moves to the site.

-- The name of the account in the game, in lower case, if the site does not allow such a name. Its owner may log in with it.
-- Null: the account is not imported, or has its name of the game.
alter table accounts add column game_login text collate "C" constraint accounts_game_login_unique unique;

comment on column accounts.email is 'Empty: the account is deleted, or it was imported without an address.';
comment on column accounts.password_hash is
    'A PHC string of argon2id. For an imported account whose owner has not logged in yet: the scheme of the game, "|", and the PHC
string of the hash that the game had. Empty: the account is deleted, or has no password yet.';

-- The game server may import accounts before this time. Null: no administrator has allowed it.
alter table service_tokens add column imports_until timestamptz;

-- The accounts that were imported. A repeated import finds them here.
create table imported_accounts (
    -- The id of the account in the game, unique across all games of the site.
    game_account_id text collate "C" constraint imported_accounts_pkey primary key,
    account_id      bigint not null constraint imported_accounts_account_unique unique
                    constraint imported_accounts_account references accounts
);

-- The guilds that were imported.
create table imported_guilds (
    -- The id of the guild in the game, unique across all games of the site.
    game_guild_id text collate "C" constraint imported_guilds_pkey primary key,
    guild_id      bigint not null constraint imported_guilds_guild_unique unique
                  constraint imported_guilds_guild references guilds on delete cascade
);
