-- Filters of the lists for administrators. A page of such a list reads a bounded number of rows, whatever its filters are.

-- ---- Audit log ---------------------------------------------------------------------------------

-- The account that the entry is about.
alter table audit_log
    add column about_account_id bigint generated always as ((details ->> 'account_id')::bigint) stored;

-- One for each combination of filters. Each of them also serves a period.
create index audit_log_by_time on audit_log (done_at, audit_id);
create index audit_log_by_account on audit_log (account_id, done_at, audit_id);
create index audit_log_by_action on audit_log (action, done_at, audit_id);
create index audit_log_about_account on audit_log (about_account_id, done_at, audit_id);
create index audit_log_by_account_and_action on audit_log (account_id, action, done_at, audit_id);
create index audit_log_by_action_about_account on audit_log (about_account_id, action, done_at, audit_id);
create index audit_log_by_account_about_account on audit_log (account_id, about_account_id, done_at, audit_id);
create index audit_log_by_all on audit_log (account_id, about_account_id, action, done_at, audit_id);

-- ---- Deliveries --------------------------------------------------------------------------------

-- The buyer, kept by a trigger. An index cannot look into purchases, which has the truth.
alter table deliveries add column kept_account_id bigint;
update deliveries set kept_account_id = account_id
from purchases where purchases.purchase_id = deliveries.purchase_id;

create function keep_account_of_delivery() returns trigger language plpgsql as $$
begin
    select account_id into new.kept_account_id from purchases where purchase_id = new.purchase_id;
    return new;
end $$;
create trigger deliveries_account_kept before insert on deliveries
    for each row execute function keep_account_of_delivery();

create index deliveries_by_account on deliveries (kept_account_id, state, purchase_id, offer_id);
create index deliveries_by_character on deliveries (character_id, state, purchase_id, offer_id);
-- The new index finds them, too.
drop index deliveries_open_by_character;
