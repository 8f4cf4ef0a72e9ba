-- Suspended accounts, passwords that must be changed, and notes of the team.

alter table accounts
    -- The account cannot log in until then. 'infinity' is a ban.
    add column suspended_until timestamptz,
    -- The player reads it at the log-in.
    add column suspension_reason text,
    -- The account cannot log in until its password is reset by mail.
    add column password_expired boolean not null default false,
    add constraint accounts_suspension_explained check ((suspended_until is null) = (suspension_reason is null));

create table account_notes (
    note_id    bigint generated always as identity constraint account_notes_pkey primary key,
    account_id bigint not null constraint account_notes_account references accounts,
    -- The administrator who wrote it.
    author_id  bigint not null constraint account_notes_author references accounts,
    text       text not null,
    created_at timestamptz not null default now()
);
create index account_notes_by_account on account_notes (account_id, note_id);

-- The first of two administrators has proposed the role admin for an account.
create table admin_proposals (
    account_id  bigint constraint admin_proposals_pkey primary key
                constraint admin_proposals_account references accounts,
    proposed_by bigint not null constraint admin_proposals_author references accounts,
    expires_at  timestamptz not null
);

-- Administrators find accounts by unverified addresses, too.
create index accounts_by_email on accounts (email_key);
