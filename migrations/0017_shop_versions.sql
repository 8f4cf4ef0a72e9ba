-- An edit names the version that its merchant has read, and raises it. Sales do not change it.
alter table shop_categories add column version integer not null default 1;
alter table shop_offers add column version integer not null default 1;
