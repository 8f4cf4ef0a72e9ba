-- The export of an account's data, and the deletion of accounts.

alter table accounts
    -- When the account is deleted. Until then its owner can cancel it.
    add column deletion_due_at timestamptz,
    -- When its name, its address and its texts were erased. The row stays, because payments and the ledger refer to it.
    add column deleted_at timestamptz;

-- The newest export of each account that asked for one.
create table account_exports (
    account_id bigint constraint account_exports_pkey primary key
               constraint account_exports_account references accounts,
    -- A JSON document. It is stored as text, because it is returned as it is.
    document   text not null,
    created_at timestamptz not null default now(),
    -- When it is deleted.
    expires_at timestamptz not null
);
create index account_exports_by_expiry on account_exports (expires_at);

alter table mail_tokens
    drop constraint mail_tokens_purpose_known,
    add constraint mail_tokens_purpose_known check (
        purpose in ('verify_email', 'reset_password', 'undo_email_change', 'open_export', 'cancel_deletion'));

-- Who the owners of deleted accounts with payments were, for as long as the law of the site's country requires. Empty by default.
create table retained_identities (
    account_id bigint constraint retained_identities_pkey primary key
               constraint retained_identities_account references accounts,
    name       text not null,
    email      text not null,
    deleted_at timestamptz not null,
    -- When this row is deleted.
    kept_until timestamptz not null
);
create index retained_identities_by_end on retained_identities (kept_until);
