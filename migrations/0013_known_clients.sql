-- The clients that have logged in to an account before. The limits of failed log-ins do not let strangers keep them out.

create table known_clients (
    account_id     bigint not null constraint known_clients_account references accounts on delete cascade,
    -- A keyed hash of the client's network, or the hash of a token that the client keeps. Neither can be read back.
    client_hash    bytea not null,
    last_log_in_at timestamptz not null,
    constraint known_clients_pkey primary key (account_id, client_hash)
);
