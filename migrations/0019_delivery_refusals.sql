-- Only refusals park a delivery. Leases without an answer delay it.

alter table deliveries add column refusals integer not null default 0;
-- Leases since the last refusal that were neither acknowledged nor refused.
alter table deliveries add column unanswered integer not null default 0;
-- The game server of the last lease.
alter table deliveries add column leased_by bigint constraint deliveries_leased_by references service_tokens;
update deliveries set refusals = (
    select count(*) from delivery_events
    where delivery_events.delivery_id = deliveries.delivery_id and what = 'refused')
where state <> 'delivered' and attempts > 0;

-- An administrator resends the deliveries that were delivered or parked in a period.
create index deliveries_by_end on deliveries (state, (coalesce(delivered_at, parked_at)));
