-- The shop: categories with their offers, and the purchases of players.
--
-- The schema enforces:
--   * Names of categories are unique, regardless of upper and lower case. Names of offers on sale are unique in their category.
--   * An offer on sale has a category.
--   * A stock is not negative.
--
-- Prices are in coins.

-- ---- Catalogue ---------------------------------------------------------------------------------

create table shop_categories (
    category_id bigint generated always as identity constraint shop_categories_pkey primary key,
    name        text not null,
    name_key    text not null generated always as (lower(name)) stored,
    description text not null,
    -- The place in the list, in ascending order.
    position    integer not null,
    hidden      boolean not null,
    -- The number of edits, plus one. An edit names the version that its merchant has read, and raises it.
    version     integer not null default 1,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    constraint shop_categories_name_unique unique (name_key)
);
-- The lists of categories: of merchants, with hidden ones, and of all others.
create index shop_categories_in_order on shop_categories (position, category_id);
create index shop_categories_not_hidden on shop_categories (position, category_id) where not hidden;

create table shop_offers (
    offer_id      bigint generated always as identity constraint shop_offers_pkey primary key,
    -- Null: the offer is archived, and its category is deleted.
    category_id   bigint constraint shop_offers_category references shop_categories,
    name          text not null,
    name_key      text not null generated always as (lower(name)) stored,
    description   text not null,
    -- The address of a picture on the site, which the proxy serves. Empty: the offer has no picture.
    picture       text not null default '',
    price         bigint not null constraint shop_offers_price_positive check (price >= 1),
    -- The items of one piece: [{"kind", "id", "count"}, …], 1 to 10 of them.
    grants        jsonb not null,
    -- The place in the category, in ascending order.
    position      integer not null,
    hidden        boolean not null,
    -- The pieces that are left. Null: no limit. A purchase changes the stock, but not the version.
    stock         integer constraint shop_offers_stock_not_negative check (stock >= 0),
    -- The pieces that one account can buy in all. Null: no limit.
    account_limit integer constraint shop_offers_account_limit_positive check (account_limit >= 1),
    -- As in shop_categories.
    version       integer not null default 1,
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now(),
    -- When a merchant deleted the offer. The row stays, because purchases refer to it.
    archived_at   timestamptz,
    constraint shop_offers_live_in_category check (category_id is not null or archived_at is not null)
);
-- Another offer can have the name of an archived one.
create unique index shop_offers_name_unique on shop_offers (category_id, name_key) where archived_at is null;
-- The deletion of a category, which reads archived offers, too.
create index shop_offers_by_category on shop_offers (category_id, position, offer_id);
-- The lists of offers: of merchants, with hidden ones, and of all others.
create index shop_offers_in_order on shop_offers (category_id, position, offer_id) where archived_at is null;
create index shop_offers_not_hidden on shop_offers (category_id, position, offer_id)
    where archived_at is null and not hidden;

-- ---- Purchases ---------------------------------------------------------------------------------

create table purchases (
    purchase_id  bigint generated always as identity constraint purchases_pkey primary key,
    -- The buyer.
    account_id   bigint not null constraint purchases_account references accounts,
    -- The character that receives the items. It belongs to another account if the purchase is a gift.
    character_id bigint not null constraint purchases_character references characters,
    -- The sum of all lines.
    coins        bigint not null constraint purchases_coins_positive check (coins > 0),
    -- The transfer that paid for it.
    transfer_id  bigint not null constraint purchases_transfer references coin_transfers
                 constraint purchases_transfer_unique unique,
    operation_id uuid not null,
    purchased_at timestamptz not null
);
-- The list of a buyer's purchases.
create index purchases_by_account on purchases (account_id, purchase_id);

-- One row for each offer of a purchase.
create table purchase_lines (
    purchase_id bigint not null constraint purchase_lines_purchase references purchases,
    offer_id    bigint not null constraint purchase_lines_offer references shop_offers,
    -- A copy of purchases.account_id, for the limit per account.
    account_id  bigint not null constraint purchase_lines_account references accounts,
    quantity    integer not null constraint purchase_lines_quantity_positive check (quantity >= 1),
    -- The name and the price of one piece at the time of the purchase.
    name        text not null,
    price       bigint not null constraint purchase_lines_price_positive check (price >= 1),
    constraint purchase_lines_pkey primary key (purchase_id, offer_id)
);
-- The pieces of an offer that an account has bought, for its limit.
create index purchase_lines_by_buyer on purchase_lines (offer_id, account_id);
