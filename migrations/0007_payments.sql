-- Coins and the money paid for them. Money is in minor units of its currency (cents).

-- What one coin costs beside the packages, per currency: "coins" for "amount".
-- Also what is credited for money that does not fill a charge.
create table coin_rates (
    currency text constraint coin_rates_pkey primary key,
    amount   bigint not null constraint coin_rates_amount_positive check (amount > 0),
    coins    bigint not null constraint coin_rates_coins_positive check (coins > 0)
);

create table coin_packages (
    package_id bigint generated always as identity constraint coin_packages_pkey primary key,
    name       text not null,
    currency   text not null constraint coin_packages_rate references coin_rates,
    amount     bigint not null constraint coin_packages_amount_positive check (amount > 0),
    coins      bigint not null constraint coin_packages_coins_positive check (coins > 0),
    position   integer not null,
    -- Set when it is no longer sold.
    retired_at timestamptz
);

-- A charge: what a player was asked to pay. There before any provider hears of it.
-- How it stands is not stored but follows from the receipts and refunds (payment_states).
create table payments (
    -- The operation that asked for it.
    payment_id    uuid constraint payments_pkey primary key,
    account_id    bigint not null constraint payments_account references accounts,
    provider      text not null constraint payments_provider_known check (provider in ('api_pix', 'manual')),
    scheme        text not null,
    -- What the payer's bank sends along: the txid of Pix. Chosen by us, so asking the
    -- provider for the charge again can make no second one.
    reference     text not null,
    package_id    bigint constraint payments_package references coin_packages,
    currency      text not null,
    amount        bigint not null constraint payments_amount_positive check (amount > 0),
    coins         bigint not null constraint payments_coins_positive check (coins > 0),
    -- The rate of the day, for money that is more or less than the amount.
    rate_amount   bigint not null constraint payments_rate_amount_positive check (rate_amount > 0),
    rate_coins    bigint not null constraint payments_rate_coins_positive check (rate_coins > 0),
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    -- What the QR code says; null until the provider has taken the charge.
    payload       text,
    -- Set when the provider will not take it, with the reason.
    failed_at     timestamptz,
    failure       text,
    cancelled_at  timestamptz,
    constraint payments_reference_unique unique (provider, reference)
);
create index payments_by_account on payments (account_id, created_at);
create index payments_by_age on payments (created_at);

-- Money that arrived. Never changed, never deleted.
create table receipts (
    receipt_id    bigint generated always as identity constraint receipts_pkey primary key,
    payment_id    uuid not null constraint receipts_payment references payments,
    provider      text not null,
    -- The payment network's own name of the transfer.
    end_to_end_id text not null,
    currency      text not null,
    amount        bigint not null constraint receipts_amount_positive check (amount > 0),
    received_at   timestamptz not null,
    -- Why nothing is credited for it before somebody has looked: another key, another currency.
    held_because  text,
    recorded_at   timestamptz not null default now(),
    constraint receipts_once unique (provider, end_to_end_id)
);
create index receipts_by_payment on receipts (payment_id);
create trigger receipts_append_only before update or delete or truncate on receipts
    for each statement execute function refuse_change();

-- Money that goes back. Coins are taken when it is asked for, and given back if it fails.
create table refunds (
    -- Ours, and what the provider knows it by; unique for each receipt.
    refund_id    text not null,
    receipt_id   bigint not null constraint refunds_receipt references receipts,
    -- "reversal": the payment scheme took it back unasked.
    kind         text not null constraint refunds_kind_known check (kind in ('refund', 'reversal')),
    amount       bigint not null constraint refunds_amount_positive check (amount > 0),
    state        text not null constraint refunds_state_known check (state in ('pending', 'done', 'failed')),
    reason       text not null,
    requested_at timestamptz not null,
    settled_at   timestamptz,
    constraint refunds_pkey primary key (receipt_id, refund_id)
);

-- A refund is settled once and for all; nothing else of it ever changes.
create function settle_refund_once() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' or old.state <> 'pending'
        or (new.refund_id, new.receipt_id, new.kind, new.amount, new.reason, new.requested_at)
            is distinct from (old.refund_id, old.receipt_id, old.kind, old.amount, old.reason, old.requested_at)
    then
        raise exception 'a refund is settled once and never changed';
    end if;
    return new;
end $$;
create trigger refunds_settled_once before update or delete on refunds
    for each row execute function settle_refund_once();

-- How each charge stands. Sums alone decide, so neither order nor repetition matters.
create view payment_states as
select payments.*, received, counted, refunding, refunded, reversed,
    case
        when held > 0 then 'review'
        when reversed > 0 then 'reversed'
        when refunding > 0 then 'refund_pending'
        when received > 0 and refunded >= received then 'refunded'
        when refunded > 0 then 'partially_refunded'
        when received > amount then 'overpaid'
        when received = amount and last_received_at > expires_at then 'paid_late'
        when received = amount then 'paid'
        when received > 0 then 'underpaid'
        -- Nothing but money that did not fit, and all of it is back where it came from.
        when misfits > 0 then 'refunded'
        when cancelled_at is not null then 'cancelled'
        when failed_at is not null then 'failed'
        when expires_at <= clock_timestamp() then 'expired'
        when payload is not null then 'pending'
        else 'created'
    end as status
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
               -- What was asked back and what was taken back may overlap for a while.
               greatest(amount - coalesce(back, 0), 0) as remaining
        from receipts
        cross join lateral (
            select sum(refunds.amount) filter (where state <> 'failed') as back,
                   sum(refunds.amount) filter (where state = 'pending') as pending,
                   sum(refunds.amount) filter (where state = 'done' and kind = 'refund') as refund,
                   sum(refunds.amount) filter (where state = 'done' and kind = 'reversal') as reversal
            from refunds where refunds.receipt_id = receipts.receipt_id
        ) as returned
        where receipts.payment_id = payments.payment_id
    ) as receipts
) as money;

-- What providers told us: a reason to look, never a reason to credit. One row for
-- each transfer they told of, however often they did.
create table payment_notifications (
    notification_id bigint generated always as identity constraint payment_notifications_pkey primary key,
    provider        text not null,
    -- Tells a repetition: the end-to-end id where there is one, else a hash of the body.
    dedupe_key      text not null,
    reference       text,
    -- As received. json, because jsonb cannot hold what a stranger may send (\u0000).
    body            json not null,
    times           integer not null default 1,
    first_at        timestamptz not null default now(),
    last_at         timestamptz not null default now(),
    attempts        integer not null default 0,
    -- Set when the books agree with it.
    settled_at      timestamptz,
    -- Set when trying again seems no use; somebody has to look.
    parked_at       timestamptz,
    reason          text,
    state           text not null generated always as (
        case when settled_at is not null then 'settled' when parked_at is not null then 'parked' else 'open' end
    ) stored,
    constraint payment_notifications_once unique (provider, dedupe_key)
);
create index payment_notifications_by_state on payment_notifications (state, notification_id);
create index payment_notifications_by_reference on payment_notifications (reference) where reference is not null;

-- Up to when a provider's list of received money was compared with ours.
create table payment_progress (
    provider      text constraint payment_progress_pkey primary key,
    reconciled_to timestamptz not null
);

-- Coins: a double-entry ledger.
create table coin_transfers (
    transfer_id    bigint generated always as identity constraint coin_transfers_pkey primary key,
    kind           text not null constraint coin_transfers_kind_known
                   check (kind in ('credit', 'refund', 'purchase', 'adjustment')),
    payment_id     uuid constraint coin_transfers_payment references payments,
    operation_id   uuid,
    reason         text,
    transferred_at timestamptz not null default now()
);
create index coin_transfers_by_payment on coin_transfers (payment_id) where payment_id is not null;
create trigger coin_transfers_append_only before update or delete or truncate on coin_transfers
    for each statement execute function refuse_change();

create table coin_entries (
    transfer_id bigint not null constraint coin_entries_transfer references coin_transfers,
    -- "player": the coins of an account; "issued": sold for money; "spent": in the shop;
    -- "adjusted": given or taken by hand.
    book        text not null constraint coin_entries_book_known
                check (book in ('player', 'issued', 'spent', 'adjusted')),
    account_id  bigint constraint coin_entries_account references accounts,
    coins       bigint not null constraint coin_entries_not_zero check (coins <> 0),
    constraint coin_entries_owner check ((book = 'player') = (account_id is not null)),
    constraint coin_entries_pkey primary key (transfer_id, book)
);
create index coin_entries_by_account on coin_entries (account_id, transfer_id) where account_id is not null;
create trigger coin_entries_append_only before update or delete or truncate on coin_entries
    for each statement execute function refuse_change();

-- The sum of an account's entries, kept by the database itself.
create table coin_accounts (
    account_id bigint constraint coin_accounts_pkey primary key constraint coin_accounts_account references accounts,
    balance    bigint not null,
    -- What a refund took after it had been spent: the account owes that much, and no more.
    debt       bigint not null constraint coin_accounts_debt_not_negative check (debt >= 0),
    constraint coin_accounts_covered check (balance + debt >= 0)
);

create function post_coin_entries() returns trigger language plpgsql as $$
begin
    if exists (select from added group by transfer_id having sum(coins) <> 0) then
        raise exception 'the entries of a transfer must sum to zero';
    end if;
    insert into coin_accounts (account_id, balance, debt)
    select distinct account_id, 0, 0 from added where book = 'player' on conflict do nothing;
    -- Only a refund may leave a debt; everything else can only lessen it.
    update coin_accounts as account
    set balance = balance + change,
        debt = case when refund then greatest(0, -(balance + change))
                    else least(debt, greatest(0, -(balance + change))) end
    from (select account_id, sum(coins)::bigint as change, bool_or(kind = 'refund') as refund
          from added join coin_transfers using (transfer_id) where book = 'player' group by account_id) as posted
    where account.account_id = posted.account_id;
    return null;
end $$;
create trigger coin_entries_posted after insert on coin_entries referencing new table as added
    for each statement execute function post_coin_entries();
