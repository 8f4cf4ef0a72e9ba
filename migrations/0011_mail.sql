-- Mails to the owners of accounts, and the links and codes in them.
--
-- No secret of a mail is stored: the token of its link and its code follow from its id and a key of the workers.

create table mails (
    mail_id      uuid constraint mails_pkey primary key,
    -- The account that the mail is about. Its deletion also deletes the mail.
    account_id   bigint not null constraint mails_account references accounts,
    -- The account that requested the mail, for the limit per account. It can differ from the account of the recipient.
    -- Null: the mail informs about a change, or its link sets a forgotten password.
    requested_by bigint constraint mails_requester references accounts,
    -- The name of the template.
    kind         text not null,
    -- The address.
    recipient    text not null,
    language     text not null,
    -- The values of the template, without secrets.
    details      jsonb not null,
    -- parked: the mail server refused it for good, or it was not sent in time. discarded: an administrator gave up a parked mail.
    state        text not null default 'waiting'
                 constraint mails_state_known check (state in ('waiting', 'sent', 'parked', 'discarded')),
    -- The last error of an attempt to send it.
    last_error   text,
    created_at   timestamptz not null default now(),
    -- When it was sent, parked or discarded. Null: it waits.
    ended_at     timestamptz,
    -- It is not sent after this time.
    expires_at   timestamptz not null,
    constraint mails_ended check ((state = 'waiting') = (ended_at is null))
);
create index mails_by_account on mails (account_id);
-- The limit of mails to one address.
create index mails_by_recipient on mails (lower(recipient), created_at);
-- The list of mails of one state.
create index mails_by_state on mails (state, mail_id);
-- The purges: of ended mails, and of last mails to deleted accounts that could not be sent.
create index mails_by_end on mails (ended_at) where state in ('sent', 'discarded');
create index mails_by_kind on mails (kind, expires_at);
-- The limit of mails that one account requests.
create index mails_by_requester on mails (requested_by, created_at);

-- The tokens and codes that mails contain. A use deletes the row.
create table mail_tokens (
    -- SHA-256 of the token in the link.
    token_hash  bytea constraint mail_tokens_pkey primary key,
    mail_id     uuid not null constraint mail_tokens_mail references mails on delete cascade,
    account_id  bigint not null constraint mail_tokens_account references accounts,
    purpose     text not null constraint mail_tokens_purpose_known check (
        purpose in ('verify_email', 'reset_password', 'undo_email_change', 'open_export', 'cancel_deletion')),
    -- The address that the token verifies or restores.
    email       text not null,
    -- SHA-256 of the account's id and the code. Null: the mail has only a link.
    code_hash   bytea,
    -- The wrong codes that were tried. After five the code is invalid, and the link still works.
    wrong_codes integer not null default 0,
    expires_at  timestamptz not null
);
create index mail_tokens_by_account on mail_tokens (account_id, purpose);
create index mail_tokens_by_mail on mail_tokens (mail_id);
-- The purge of expired tokens.
create index mail_tokens_by_expiry on mail_tokens (expires_at);
