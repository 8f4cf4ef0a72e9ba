-- An administrator resends the deliveries of an offer, or to a character, that were delivered or parked in a period.
create index deliveries_by_offer on deliveries (offer_id, state, (coalesce(delivered_at, parked_at)));
create index deliveries_by_character_end on deliveries (character_id, state, (coalesce(delivered_at, parked_at)));

-- Whether the workers still know the provider. The progress of a removed one is kept, so that no transfer is missed if it returns.
alter table payment_progress add column is_configured boolean not null default true;

-- A log-in ends the oldest sessions of an account that has too many.
create index sessions_active on sessions (account_id, (coalesce(last_used_at, created_at))) where ended_at is null;
