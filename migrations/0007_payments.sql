-- Payments: the price list of coins, charges, receipts, refunds, and the notifications of payment providers.
--
-- Money is in minor units of its currency (cents). A payment is a request for money. A receipt is money that arrived.
--
-- The schema enforces:
--   * A receipt never changes. A refund changes only from pending to done or failed, or from failed to done.
--     Its reason can be erased.
--   * A transfer of a provider is recorded once.
--   * The status of a payment is computed from its receipts and refunds (payment_states). Lists read a copy of it.

-- ---- Price list --------------------------------------------------------------------------------

-- The price of coins outside packages. It also determines the coins for money that does not pay for a whole package.
create table coin_rates (
    currency text constraint coin_rates_pkey primary key,
    -- This amount of money buys this number of coins.
    amount   bigint not null constraint coin_rates_amount_positive check (amount > 0),
    coins    bigint not null constraint coin_rates_coins_positive check (coins > 0),
    -- The number of edits, plus one. An edit names the version that its administrator has read, and raises it.
    version  integer not null default 1
);

-- Packages of coins with a price of their own.
create table coin_packages (
    package_id bigint generated always as identity constraint coin_packages_pkey primary key,
    name       text not null,
    currency   text not null constraint coin_packages_rate references coin_rates,
    amount     bigint not null constraint coin_packages_amount_positive check (amount > 0),
    coins      bigint not null constraint coin_packages_coins_positive check (coins > 0),
    -- The place in the list, in ascending order.
    position   integer not null,
    -- When the sale ended. Null: the package is on sale.
    retired_at timestamptz,
    -- As in coin_rates.
    version    integer not null default 1
);
-- The list of packages on sale.
create index coin_packages_in_order on coin_packages (position, package_id) where retired_at is null;

-- ---- Payments ----------------------------------------------------------------------------------

-- A payment is stored before its charge is registered with the provider, so no charge is unknown here.
create table payments (
    -- The id of the operation that created the payment.
    payment_id   uuid constraint payments_pkey primary key,
    account_id   bigint not null constraint payments_account references accounts,
    provider     text not null constraint payments_provider_known check (provider in ('api_pix', 'manual')),
    -- The payment scheme, such as "pix". It determines the currency and the form of the payload.
    scheme       text not null,
    -- The id of the charge at the provider (Pix: txid). The worker chooses it, so a repeated call creates no second charge.
    reference    text not null,
    -- Null: a number of coins at the rate of the currency.
    package_id   bigint constraint payments_package references coin_packages,
    currency     text not null,
    amount       bigint not null constraint payments_amount_positive check (amount > 0),
    coins        bigint not null constraint payments_coins_positive check (coins > 0),
    -- The rate at the creation: rate_coins cost rate_amount. It applies to money that is more or less than the amount.
    rate_amount  bigint not null constraint payments_rate_amount_positive check (rate_amount > 0),
    rate_coins   bigint not null constraint payments_rate_coins_positive check (rate_coins > 0),
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    -- The content of the QR code. Null: the provider has not accepted the charge.
    payload      text,
    -- When the charge could not be registered, and the reason. Both are null otherwise.
    failed_at    timestamptz,
    failure      text,
    cancelled_at timestamptz,
    -- A copy of payment_states.computed_state for the indexes of lists. Only triggers write it.
    kept_state   text not null default 'created',
    -- The sort key of the lists of one status. It is the expiry for states that end with it, and the creation for others.
    -- So an index separates open payments from expired ones.
    listed_at    timestamptz not null
                 generated always as (case when kept_state in ('created', 'pending') then expires_at else created_at end) stored,
    constraint payments_reference_unique unique (provider, reference)
);
-- The lists of payments: of all accounts or one, in any status or one.
create index payments_by_age on payments (created_at, payment_id);
create index payments_by_account on payments (account_id, created_at, payment_id);
create index payments_by_state on payments (kept_state, listed_at, payment_id);
create index payments_by_account_and_state on payments (account_id, kept_state, listed_at, payment_id);

-- Money that arrived for a payment.
create table receipts (
    receipt_id    bigint generated always as identity constraint receipts_pkey primary key,
    payment_id    uuid not null constraint receipts_payment references payments,
    provider      text not null,
    -- The id of the transfer in the payment network.
    end_to_end_id text not null,
    -- It may differ from the currency of the payment.
    currency      text not null,
    amount        bigint not null constraint receipts_amount_positive check (amount > 0),
    received_at   timestamptz not null,
    -- Why an administrator must check the receipt, such as another currency. A held receipt is worth no coins. Null: not held.
    held_because  text,
    recorded_at   timestamptz not null default now(),
    constraint receipts_once unique (provider, end_to_end_id)
);
create index receipts_by_payment on receipts (payment_id);
create trigger receipts_append_only before update or delete or truncate on receipts
    for each statement execute function refuse_change();

-- Money of a receipt that goes back to the payer. The coins are removed at the request, and credited again if the refund fails.
create table refunds (
    -- The id at the provider, unique for a receipt. The worker chooses it, except for refunds that the provider has started.
    refund_id    text not null,
    receipt_id   bigint not null constraint refunds_receipt references receipts,
    -- reversal: the payment scheme took the money back without a request.
    kind         text not null constraint refunds_kind_known check (kind in ('refund', 'reversal')),
    amount       bigint not null constraint refunds_amount_positive check (amount > 0),
    state        text not null constraint refunds_state_known check (state in ('pending', 'done', 'failed')),
    -- The reason of an administrator or of the provider. Empty: erased.
    reason       text not null,
    requested_at timestamptz not null,
    -- When the state became done or failed, the last time. Null: the refund is pending.
    settled_at   timestamptz,
    -- The refusals of the provider in a row. Other failures reset the number. Several refusals in a row make the refund failed.
    refusals     integer not null default 0,
    constraint refunds_pkey primary key (receipt_id, refund_id)
);

-- Rejects each change of a refund except its settlement. A failed refund can become done: a provider may report that later.
-- The reason can become empty at any time, which erases it.
create function settle_refund_once() returns trigger language plpgsql as $$
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
create trigger refunds_settled_once before update or delete on refunds
    for each row execute function settle_refund_once();
create trigger refunds_not_truncated before truncate on refunds
    for each statement execute function refuse_change();

-- ---- Status ------------------------------------------------------------------------------------

-- The status at a time. Only the expiry depends on the clock.
create function payment_status(state text, expires_at timestamptz, at timestamptz) returns text
    language sql immutable parallel safe
    return case when state in ('created', 'pending') and expires_at <= at then 'expired' else state end;

-- Payments with their sums and their status. The status depends on sums, so the order of the records does not matter.
create view payment_states as
select payments.payment_id, account_id, provider, scheme, reference, package_id, currency, amount, coins, rate_amount, rate_coins,
       created_at, expires_at, payload, failed_at, failure, cancelled_at, kept_state,
       received, counted, refunding, refunded, reversed, computed_state,
       payment_status(computed_state, expires_at, clock_timestamp()) as status
from payments
cross join lateral (
    -- A held receipt does not fit the payment.
    select coalesce(sum(amount) filter (where fits), 0)::bigint as received,
           -- The money that coins are credited for: neither held nor returned.
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
        -- All receipts were held, and all of their money was returned.
        when misfits > 0 then 'refunded'
        when cancelled_at is not null then 'cancelled'
        when failed_at is not null then 'failed'
        when payload is not null then 'pending'
        else 'created'
    end as computed_state
) as computed;

-- Maintains payments.kept_state. The update waits for no lock: each writer of a payment's records locks the payment first.
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

-- ---- Notifications and lists of providers ------------------------------------------------------

-- Notifications about transfers, from webhooks and from lists. An unsigned one only starts a query to the provider.
-- There is one row for each transfer, however often the provider notifies.
create table payment_notifications (
    notification_id bigint generated always as identity constraint payment_notifications_pkey primary key,
    provider        text not null,
    -- The end-to-end id of the transfer, or a hash of the body if it has none.
    dedupe_key      text not null,
    -- The reference of the payment. Null: the body names none.
    reference       text,
    -- The body as it was received. The type is json, because jsonb rejects \u0000, which a stranger may send.
    body            json not null,
    -- How often the notification was received.
    times           integer not null default 1,
    first_at        timestamptz not null default now(),
    last_at         timestamptz not null default now(),
    -- Attempts without a confirmation since the last time it was received.
    attempts        integer not null default 0,
    -- When the records agreed with the notification.
    settled_at      timestamptz,
    -- When the worker stopped trying. An administrator replays or discards the notification.
    parked_at       timestamptz,
    -- When an administrator gave up the parked notification.
    discarded_at    timestamptz,
    -- Why it was parked.
    reason          text,
    state           text not null generated always as (
        case when settled_at is not null then 'settled' when discarded_at is not null then 'discarded'
             when parked_at is not null then 'parked' else 'open' end
    ) stored,
    constraint payment_notifications_once unique (provider, dedupe_key)
);
-- The notifications of a payment: the filter of the list, and the deletion of an account.
create index payment_notifications_by_reference on payment_notifications (reference) where reference is not null;
-- The list of notifications of one state, and the purge.
create index payment_notifications_by_state on payment_notifications (state, notification_id);

-- How far a job has compared the receipts with each provider's list of new transfers.
create table payment_progress (
    provider       text constraint payment_progress_pkey primary key,
    -- The end of the last window.
    reconciled_to  timestamptz not null,
    -- Whether the workers know the provider. The row of a removed one stays, so that no transfer is missed if it returns.
    is_configured  boolean not null default true,
    -- The length of the next window, from 20 minutes to 6 hours. A failure halves it, and a success doubles it.
    window_seconds bigint not null default 21600
                   constraint payment_progress_window_positive check (window_seconds > 0)
);

-- Repeated passes over the last days of a provider's list, for transfers that it lists late. A job reads one slice per attempt.
create table payment_list_passes (
    provider      text not null,
    -- receipts: all receipts, refunds: receipts with a refund.
    list          text not null constraint payment_list_passes_list_known check (list in ('receipts', 'refunds')),
    -- The end of the last slice of the current pass. Null: the next slice starts a new pass.
    read_to       timestamptz,
    -- The length of the next slice. It changes as payment_progress.window_seconds does.
    slice_seconds bigint not null constraint payment_list_passes_slice_positive check (slice_seconds > 0),
    constraint payment_list_passes_pkey primary key (provider, list)
);
