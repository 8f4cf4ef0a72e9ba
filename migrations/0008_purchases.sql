-- What was bought, and how far it is on its way into the game.

create table purchases (
    purchase_id  bigint generated always as identity constraint purchases_pkey primary key,
    account_id   bigint not null constraint purchases_account references accounts,
    -- Whose character gets it; another account's for a gift.
    character_id bigint not null constraint purchases_character references characters,
    coins        bigint not null constraint purchases_coins_positive check (coins > 0),
    transfer_id  bigint not null constraint purchases_transfer references coin_transfers
                 constraint purchases_transfer_unique unique,
    operation_id uuid not null,
    purchased_at timestamptz not null
);
create index purchases_by_account on purchases (account_id, purchase_id);

create table purchase_lines (
    purchase_id bigint not null constraint purchase_lines_purchase references purchases,
    offer_id    bigint not null constraint purchase_lines_offer references shop_offers,
    -- The buyer's, once more: the limit of an offer counts by account.
    account_id  bigint not null constraint purchase_lines_account references accounts,
    quantity    integer not null constraint purchase_lines_quantity_positive check (quantity >= 1),
    -- As they were on the day.
    name        text not null,
    price       bigint not null constraint purchase_lines_price_positive check (price >= 1),
    constraint purchase_lines_pkey primary key (purchase_id, offer_id)
);
create index purchase_lines_by_buyer on purchase_lines (offer_id, account_id);

-- One for each line of a purchase.
create table deliveries (
    -- Stable: by it the game refuses to hand out a second time.
    delivery_id  uuid constraint deliveries_pkey primary key,
    purchase_id  bigint not null,
    offer_id     bigint not null,
    character_id bigint not null constraint deliveries_character references characters,
    quantity     integer not null,
    -- What the game hands out, quantity times: [{"kind", "id", "count"}, ...].
    grants       jsonb not null,
    -- How often it was handed to a game server.
    attempts     integer not null default 0,
    -- When it may be handed out (again): the end of a lease, or of a pause after a refusal.
    due_at       timestamptz not null,
    last_error   text,
    delivered_at timestamptz,
    -- Set when it was tried too often; somebody has to look.
    parked_at    timestamptz,
    state        text not null generated always as (
        case when delivered_at is not null then 'delivered' when parked_at is not null then 'parked' else 'open' end
    ) stored,
    constraint deliveries_line_unique unique (purchase_id, offer_id),
    constraint deliveries_line foreign key (purchase_id, offer_id) references purchase_lines
);
create index deliveries_due on deliveries (due_at) where state = 'open';
create index deliveries_by_state on deliveries (state, purchase_id);

-- The timeline of a delivery.
create table delivery_events (
    event_id    bigint generated always as identity constraint delivery_events_pkey primary key,
    delivery_id uuid not null constraint delivery_events_delivery references deliveries,
    what        text not null constraint delivery_events_known
                check (what in ('ordered', 'leased', 'delivered', 'refused', 'parked', 'resent')),
    detail      text,
    happened_at timestamptz not null
);
create index delivery_events_by_delivery on delivery_events (delivery_id, event_id);
create trigger delivery_events_append_only before update or delete or truncate on delivery_events
    for each statement execute function refuse_change();
