-- What the shop sells.

create table shop_categories (
    category_id bigint generated always as identity constraint shop_categories_pkey primary key,
    name        text not null,
    name_key    text not null generated always as (lower(name)) stored,
    description text not null,
    position    integer not null,
    hidden      boolean not null,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    constraint shop_categories_name_unique unique (name_key)
);

create table shop_offers (
    offer_id      bigint generated always as identity constraint shop_offers_pkey primary key,
    -- Null only for an archived offer whose category is gone.
    category_id   bigint constraint shop_offers_category references shop_categories,
    name          text not null,
    name_key      text not null generated always as (lower(name)) stored,
    description   text not null,
    -- In coins.
    price         bigint not null constraint shop_offers_price_positive check (price >= 1),
    -- What the game hands out: [{"kind", "id", "count"}, ...], 1 to 10 of them.
    grants        jsonb not null,
    position      integer not null,
    hidden        boolean not null,
    -- Pieces left; null: without limit.
    stock         integer constraint shop_offers_stock_not_negative check (stock >= 0),
    -- Pieces one account may buy in all; null: without limit.
    account_limit integer constraint shop_offers_account_limit_positive check (account_limit >= 1),
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now(),
    -- Set when it was taken out of the shop; the row stays for the history of purchases.
    archived_at   timestamptz,
    constraint shop_offers_live_in_category check (category_id is not null or archived_at is not null)
);
-- An archived offer gives its name free.
create unique index shop_offers_name_unique on shop_offers (category_id, name_key) where archived_at is null;
create index shop_offers_by_category on shop_offers (category_id, position, offer_id);
