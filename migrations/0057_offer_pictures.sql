-- An offer has a picture of the site: the address of a file, which the proxy serves. Empty: none.
alter table shop_offers add column picture text not null default '';
