-- Deliveries of purchased items into the game.
--
-- A game server leases a delivery, gives the items to the character, and acknowledges or refuses the delivery.
-- Game servers recognise a repeated delivery by its id, which never changes. The timeline of a delivery is append-only.

-- One delivery for each line of a purchase.
create table deliveries (
    delivery_id        uuid constraint deliveries_pkey primary key,
    -- The character that receives the items, as in purchases.
    character_id       bigint not null constraint deliveries_character references characters,
    purchase_id        bigint not null,
    offer_id           bigint not null,
    constraint deliveries_line_unique unique (purchase_id, offer_id),
    constraint deliveries_line foreign key (purchase_id, offer_id) references purchase_lines,
    -- The buyer: a copy of purchases.account_id, because an index cannot read another table. A trigger writes it.
    kept_account_id    bigint,
    quantity           integer not null,
    -- The items of one piece at the time of the purchase, in the form of shop_offers.grants. The game gives them quantity times.
    grants             jsonb not null,
    -- Whether the purchase took the pieces from the stock of the offer. Only then a discarded delivery puts them back.
    -- The default is for deliveries of version 0.2.0.
    from_stock         boolean not null default true,
    -- When a game server can lease the delivery: the end of the current lease, or of the delay after a refusal.
    due_at             timestamptz not null,
    -- The number of leases since the purchase or the last resend.
    attempts           integer not null default 0,
    -- The leases since the last refusal, which no game server has answered. They delay the next lease.
    unanswered         integer not null default 0,
    -- The refusals since the purchase or the last resend, without temporary ones. Too many of them park the delivery.
    refusals           integer not null default 0,
    -- Whether the last answer was a temporary refusal. A repeated one with the same reason adds no event to the timeline.
    is_postponed       boolean not null default false,
    -- The game server of the last lease.
    leased_by          bigint constraint deliveries_leased_by references service_tokens,
    -- The reason of the last refusal, or of the site for parking. Null: none, or erased.
    last_error         text,
    delivered_at       timestamptz,
    -- When the site stopped trying. An administrator resends or discards the delivery.
    parked_at          timestamptz,
    -- When an administrator gave up the delivery.
    discarded_at       timestamptz,
    -- The transfer that returned the coins of a discarded delivery. It stays set if a game server delivers afterwards.
    return_transfer_id bigint constraint deliveries_return_transfer references coin_transfers,
    state              text not null generated always as (
        case when delivered_at is not null then 'delivered' when discarded_at is not null then 'discarded'
             when parked_at is not null then 'parked' else 'open' end
    ) stored
);
-- The deliveries that a game server can lease, the oldest first.
create index deliveries_due on deliveries (due_at) where state = 'open';
-- The lists of deliveries: of all, of a buyer, of a character. Deletions of characters use the last one, too.
create index deliveries_by_state on deliveries (state, purchase_id, offer_id);
create index deliveries_by_account on deliveries (kept_account_id, state, purchase_id, offer_id);
create index deliveries_by_character on deliveries (character_id, state, purchase_id, offer_id);
-- An administrator resends the deliveries that ended in a period: all, of an offer, or to a character.
create index deliveries_by_end on deliveries (state, (coalesce(delivered_at, parked_at)));
create index deliveries_by_offer on deliveries (offer_id, state, (coalesce(delivered_at, parked_at)));
create index deliveries_by_character_end on deliveries (character_id, state, (coalesce(delivered_at, parked_at)));
-- Coins are returned once.
create unique index deliveries_return_transfer_unique on deliveries (return_transfer_id)
    where return_transfer_id is not null;

-- Sets kept_account_id.
create function keep_account_of_delivery() returns trigger language plpgsql as $$
begin
    select account_id into new.kept_account_id from purchases where purchase_id = new.purchase_id;
    return new;
end $$;
create trigger deliveries_account_kept before insert on deliveries
    for each row execute function keep_account_of_delivery();

-- The timelines of deliveries, which their buyers read.
create table delivery_events (
    event_id     bigint generated always as identity constraint delivery_events_pkey primary key,
    delivery_id  uuid not null constraint delivery_events_delivery references deliveries,
    what         text not null constraint delivery_events_known
                 check (what in ('ordered', 'leased', 'delivered', 'refused', 'parked', 'resent', 'discarded')),
    -- The reason of a game server, of an administrator or of the site. Null: none, or erased.
    detail       text,
    happened_at  timestamptz not null,
    -- The id of the command or the job that caused the event. Null: an order, or an event of version 0.2.0.
    operation_id uuid
);
create index delivery_events_by_delivery on delivery_events (delivery_id, event_id);
-- The erasure of the reason of one command that resent many deliveries.
create index delivery_events_by_resend on delivery_events (operation_id) where what = 'resent' and detail is not null;
create trigger delivery_events_append_only before delete or truncate on delivery_events
    for each statement execute function refuse_change();
create trigger delivery_events_erased_only before update on delivery_events
    for each row execute function erase_only('detail');
