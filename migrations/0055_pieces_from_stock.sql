-- A delivery that is given up puts its pieces back on sale only if they were taken from a stock.

alter table deliveries
    -- Whether its pieces were taken from the stock of the offer. False: the offer had no limit when it was bought. The default is for
    -- deliveries that a worker of an older version stores during the upgrade.
    add column from_stock boolean not null default true;

-- The stock at the time of an older purchase is not stored, so the present stock decides: most offers never change from one kind to the
-- other. A delivered one keeps the default, because it cannot be given up, and there may be millions.
update deliveries set from_stock = false
from shop_offers
where shop_offers.offer_id = deliveries.offer_id and stock is null and state in ('open', 'parked', 'discarded');
