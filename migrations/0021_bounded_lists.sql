-- Indexes and kept columns, so that each list reads a bounded number of rows, however large its tables are. Each list has an
-- index in its own order, and an item's sort keys are the place where the next page begins.

-- ---- Characters and guilds ---------------------------------------------------------------------

-- The guild of the character, kept by a trigger. An index cannot look into guild_members, which has the truth.
alter table characters add column kept_guild_id bigint;
update characters set kept_guild_id = guild_members.guild_id
from guild_members where guild_members.character_id = characters.character_id;

-- The rules lock the character before they change its membership, so the trigger waits for no lock.
create function keep_guild_of_character() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        update characters set kept_guild_id = null where character_id = old.character_id;
    end if;
    if tg_op <> 'DELETE' then
        update characters set kept_guild_id = new.guild_id where character_id = new.character_id;
    end if;
    return null;
end $$;
create trigger guild_members_kept after insert or delete or update of character_id, guild_id on guild_members
    for each row execute function keep_guild_of_character();

create index characters_without_guild on characters (name_key) where kept_guild_id is null;
drop index characters_by_account;
create index characters_by_account on characters (account_id, name_key);

-- Invites are listed in the order of their expiry: an index then skips the expired ones.
create index guild_invites_by_guild on guild_invites (guild_id, expires_at, character_id);
drop index guild_invites_by_character;
create index guild_invites_by_character on guild_invites (character_id, expires_at, guild_id);

-- ---- News and shop -----------------------------------------------------------------------------

create index posts_not_hidden on posts (pinned, published_at, post_id) where not hidden;

create index shop_categories_in_order on shop_categories (position, category_id);
create index shop_categories_not_hidden on shop_categories (position, category_id) where not hidden;
create index shop_offers_in_order on shop_offers (category_id, position, offer_id) where archived_at is null;
create index shop_offers_not_hidden on shop_offers (category_id, position, offer_id)
    where archived_at is null and not hidden;
create index coin_packages_in_order on coin_packages (position, package_id) where retired_at is null;

drop index deliveries_by_state;
create index deliveries_by_state on deliveries (state, purchase_id, offer_id);

-- ---- Payments ----------------------------------------------------------------------------------

-- The status without the clock, kept by triggers for lists. The view payment_states has the definition.
alter table payments add column kept_state text not null default 'created';

-- The status at a time: only the expiry depends on the clock.
create function payment_status(state text, expires_at timestamptz, at timestamptz) returns text
    language sql immutable parallel safe
    return case when state in ('created', 'pending') and expires_at <= at then 'expired' else state end;

drop view payment_states;
-- The state of each payment. Only sums decide, so neither order nor repetition matters.
create view payment_states as
select payments.*, received, counted, refunding, refunded, reversed, computed_state,
    payment_status(computed_state, expires_at, clock_timestamp()) as status
from payments
cross join lateral (
    select coalesce(sum(amount) filter (where fits), 0)::bigint as received,
           -- What coins are credited for: not held, and not on its way back.
           coalesce(sum(remaining) filter (where fits), 0)::bigint as counted,
           coalesce(sum(remaining) filter (where not fits), 0)::bigint as held,
           coalesce(sum(pending), 0)::bigint as refunding,
           coalesce(sum(refund) filter (where fits), 0)::bigint as refunded,
           coalesce(sum(reversal) filter (where fits), 0)::bigint as reversed,
           max(received_at) filter (where fits) as last_received_at,
           count(*) filter (where not fits) as misfits
    from (
        select amount, held_because is null as fits, received_at, pending, refund, reversal,
               -- A refund and a reversal of the same money may overlap for a while.
               greatest(amount - coalesce(back, 0), 0) as remaining
        from receipts
        cross join lateral (
            select sum(refunds.amount) filter (where refunds.state <> 'failed') as back,
                   sum(refunds.amount) filter (where refunds.state = 'pending') as pending,
                   sum(refunds.amount) filter (where refunds.state = 'done' and kind = 'refund') as refund,
                   sum(refunds.amount) filter (where refunds.state = 'done' and kind = 'reversal') as reversal
            from refunds where refunds.receipt_id = receipts.receipt_id
        ) as returned
        where receipts.payment_id = payments.payment_id
    ) as receipts
) as money
cross join lateral (
    select case
        when held > 0 then 'review'
        when reversed > 0 then 'reversed'
        when refunding > 0 then 'refund_pending'
        when received > 0 and refunded >= received then 'refunded'
        when refunded > 0 then 'partially_refunded'
        when received > amount then 'overpaid'
        when received = amount and last_received_at > expires_at then 'paid_late'
        when received = amount then 'paid'
        when received > 0 then 'underpaid'
        -- Nothing but money that did not fit, and all of it was returned.
        when misfits > 0 then 'refunded'
        when cancelled_at is not null then 'cancelled'
        when failed_at is not null then 'failed'
        when payload is not null then 'pending'
        else 'created'
    end as computed_state
) as computed;

update payments set kept_state = computed_state
from payment_states as computed where computed.payment_id = payments.payment_id and computed_state <> 'created';

-- Each writer of a payment's records holds the row of the payment, so the update waits for no lock.
create function keep_payment_state() returns trigger language plpgsql as $$
declare
    changed uuid;
begin
    if tg_table_name = 'refunds' then
        select payment_id into changed from receipts where receipt_id = new.receipt_id;
    else
        changed := new.payment_id;
    end if;
    update payments set kept_state = computed_state from payment_states as computed
    where payments.payment_id = changed and computed.payment_id = changed and payments.kept_state <> computed_state;
    return null;
end $$;
create trigger payments_state_kept
    after insert or update of amount, expires_at, payload, failed_at, cancelled_at on payments
    for each row execute function keep_payment_state();
create trigger receipts_state_kept after insert on receipts
    for each row execute function keep_payment_state();
create trigger refunds_state_kept after insert or update of state on refunds
    for each row execute function keep_payment_state();

-- A list of one status is in the order of this time, newest first. For the statuses that end by the clock it is the
-- expiry: an index then separates open payments from expired ones.
alter table payments add column listed_at timestamptz not null
    generated always as (case when kept_state in ('created', 'pending') then expires_at else created_at end) stored;

drop index payments_by_age;
create index payments_by_age on payments (created_at, payment_id);
drop index payments_by_account;
create index payments_by_account on payments (account_id, created_at, payment_id);
create index payments_by_state on payments (kept_state, listed_at, payment_id);
create index payments_by_account_and_state on payments (account_id, kept_state, listed_at, payment_id);
