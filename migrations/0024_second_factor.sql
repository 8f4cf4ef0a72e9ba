-- The second factor of accounts: codes of an authenticator app (TOTP, RFC 6238), recovery codes, and trusted devices.

alter table accounts
    -- The secret of the authenticator app. The api encrypts it with a key that follows from GUILDHALL_SECRET, and only the api
    -- can decrypt it. Null: the account has no second factor.
    add column second_factor bytea,
    add column second_factor_enabled_at timestamptz,
    -- The time step of the last accepted code. A code of this step or an earlier one is refused, so no code works twice.
    add column second_factor_last_step bigint,
    add constraint accounts_second_factor_complete check (
        (second_factor is null) = (second_factor_enabled_at is null)
        and (second_factor is null) = (second_factor_last_step is null)
    );

-- The unused recovery codes. A use deletes one.
create table recovery_codes (
    account_id bigint not null constraint recovery_codes_account references accounts on delete cascade,
    -- SHA-256 of the account's id and the code. The code has 80 random bits, so it needs no slow hash.
    code_hash  bytea not null,
    constraint recovery_codes_pkey primary key (account_id, code_hash)
);

alter table known_clients
    -- Until then, a log-in of this client needs no code. Only the hash of a device token has it, never the hash of a network.
    add column trusted_until timestamptz;
