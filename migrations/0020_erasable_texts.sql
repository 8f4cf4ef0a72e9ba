-- Append-only tables keep no text that cannot be erased. Words that people typed and names stand in tables and columns of
-- which an operator can erase them; who did what, when and to which id stays.

-- What changed, as far as it is text: names, descriptions, bodies of posts, reasons, and other values that contain text.
-- Numbers, flags and ids stand in audit_log.details, which is append-only.
create table audit_texts (
    audit_id  bigint not null constraint audit_texts_entry references audit_log,
    -- The name of the changed value, such as "description", or "reason" for the words of an administrator.
    field     text not null,
    -- The value as JSON. Null: there was none, or it is erased.
    before    jsonb,
    after     jsonb,
    erased_at timestamptz,
    constraint audit_texts_pkey primary key (audit_id, field),
    constraint audit_texts_erased_completely check (erased_at is null or (before is null and after is null))
);

-- The entries of earlier versions follow the same rule. An operator's entry named an account by its name.
alter table audit_log disable trigger audit_log_append_only;
insert into audit_texts (audit_id, field, after)
select audit_id, field, details -> field from audit_log cross join unnest(array['name', 'reason']) as field
where details ? field;
update audit_log
set details = details - 'name' - 'reason' - 'account' || jsonb_strip_nulls(jsonb_build_object('account_id',
    coalesce(details -> 'account_id',
             (select to_jsonb(account_id) from accounts where name_key = lower(details ->> 'account')))))
where details ?| array['name', 'reason', 'account'];
alter table audit_log enable trigger audit_log_append_only;

-- The only change of a row: one column, whose name is the argument, becomes null.
create function erase_only() returns trigger language plpgsql as $$
begin
    if to_jsonb(new) is distinct from to_jsonb(old) || jsonb_build_object(tg_argv[0], null) then
        raise exception '% is append-only', tg_table_name;
    end if;
    return new;
end $$;

-- The reason of an administrator.
drop trigger coin_transfers_append_only on coin_transfers;
create trigger coin_transfers_append_only before delete or truncate on coin_transfers
    for each statement execute function refuse_change();
create trigger coin_transfers_erased_only before update on coin_transfers
    for each row execute function erase_only('reason');

-- The reason of an administrator or of a game server.
drop trigger delivery_events_append_only on delivery_events;
create trigger delivery_events_append_only before delete or truncate on delivery_events
    for each statement execute function refuse_change();
create trigger delivery_events_erased_only before update on delivery_events
    for each row execute function erase_only('detail');

-- As before, and the reason may become empty.
create or replace function settle_refund_once() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        if new.reason = '' then
            old.reason = '';
        end if;
        if new is not distinct from old then
            return new;
        end if;
    end if;
    if tg_op = 'DELETE'
        or not (old.state = 'pending' or old.state = 'failed' and new.state = 'done')
        or (new.refund_id, new.receipt_id, new.kind, new.amount, new.reason, new.requested_at)
            is distinct from (old.refund_id, old.receipt_id, old.kind, old.amount, old.reason, old.requested_at)
    then
        raise exception 'a refund is settled once and never changed';
    end if;
    return new;
end $$;

-- People read the redacted form of a dead letter. The message as it was received may have an e-mail address, a password hash
-- or a token, so it stands apart: only a replay reads it, and it goes when the letter goes or is too old for a replay.
create table dead_letter_bodies (
    dead_letter_id bigint constraint dead_letter_bodies_pkey primary key
                   constraint dead_letter_bodies_letter references dead_letters on delete cascade,
    body           bytea not null
);
insert into dead_letter_bodies (dead_letter_id, body) select dead_letter_id, body from dead_letters;

alter table dead_letters
    -- The redacted message. Null: stored before this column existed.
    add column message text,
    -- SHA-256 of the message: a message that arrives again is stored once.
    add column message_hash bytea;
update dead_letters set message_hash = sha256(body);
drop index dead_letters_message;
alter table dead_letters alter column message_hash set not null, drop column body;
create unique index dead_letters_message on dead_letters (queue, message_hash);
