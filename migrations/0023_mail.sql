-- E-mails, verified addresses, and what the owner of a session sees of it.

alter table accounts
    -- When the owner proved that the address is theirs.
    add column email_verified_at timestamptz,
    -- The language of mails.
    add column language text not null default 'en' constraint accounts_language_known check (language in ('en', 'pt', 'es'));

-- Until now each address belonged to one account and could log in.
update accounts set email_verified_at = created_at;

-- Only a verified address is unique. So a registration does not show whether an address has an account.
alter table accounts drop constraint accounts_email_unique;
create unique index accounts_verified_email_unique on accounts (email_key) where email_verified_at is not null;

alter table sessions
    -- The User-Agent and the network of the last log-in or renewal.
    add column device text not null default '',
    add column network text not null default '',
    add column last_used_at timestamptz;

create table mails (
    mail_id    uuid constraint mails_pkey primary key,
    account_id bigint not null constraint mails_account references accounts,
    -- The name of its template.
    kind       text not null,
    recipient  text not null,
    language   text not null,
    -- The values of its template, without secrets: its link and its code follow from mail_id and a key of the workers.
    details    jsonb not null,
    -- waiting, sent, parked (refused by the mail server, or not sent in time), discarded (by an administrator)
    state      text not null default 'waiting'
               constraint mails_state_known check (state in ('waiting', 'sent', 'parked', 'discarded')),
    -- The last error of the mail server.
    last_error text,
    created_at timestamptz not null default now(),
    -- When it was sent, parked or discarded.
    ended_at   timestamptz,
    -- It is not sent later than this.
    expires_at timestamptz not null,
    constraint mails_ended check ((state = 'waiting') = (ended_at is null))
);
create index mails_by_account on mails (account_id);
-- Limits the mails to one address.
create index mails_by_recipient on mails (lower(recipient), created_at);
create index mails_by_state on mails (state, mail_id);
create index mails_by_end on mails (ended_at) where state in ('sent', 'discarded');

-- The secrets of mails: a link, and sometimes a code.
create table mail_tokens (
    -- SHA-256 of the token in the link.
    token_hash  bytea constraint mail_tokens_pkey primary key,
    mail_id     uuid not null constraint mail_tokens_mail references mails on delete cascade,
    account_id  bigint not null constraint mail_tokens_account references accounts,
    purpose     text not null
                constraint mail_tokens_purpose_known check (purpose in ('verify_email', 'reset_password', 'undo_email_change')),
    -- The address that the token verifies or restores.
    email       text not null,
    -- SHA-256 of the account's id and the code.
    code_hash   bytea,
    wrong_codes integer not null default 0,
    expires_at  timestamptz not null
);
create index mail_tokens_by_account on mail_tokens (account_id, purpose);
create index mail_tokens_by_mail on mail_tokens (mail_id);
create index mail_tokens_by_expiry on mail_tokens (expires_at);

-- Mails are sent beside other jobs, so that a slow mail server delays no payment.
alter table jobs add column lane text not null default 'main' constraint jobs_lane_known check (lane in ('main', 'mail'));
create index jobs_due_by_lane on jobs (lane, due_at);
drop index jobs_by_due;
