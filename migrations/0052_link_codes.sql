-- A player shows the game a code of the site. So the game learns the account of the player.

create table link_codes (
    account_id bigint constraint link_codes_pkey primary key constraint link_codes_account references accounts,
    -- SHA-256 of the code.
    code_hash  bytea not null constraint link_codes_code_hash_unique unique,
    expires_at timestamptz not null
);
