-- Deliveries that an administrator has given up, refusals that do not count, and log-ins during a snapshot.

-- ---- Deliveries --------------------------------------------------------------------------------

-- The view reads the column that is replaced.
drop view health_counts;
alter table deliveries
    -- When an administrator gave up the delivery.
    add column discarded_at timestamptz,
    -- The last answer was a temporary refusal. Repeated ones with the same reason are no events: there may be thousands.
    add column is_postponed boolean not null default false,
    -- Its expression cannot be changed. The indexes of the column are dropped with it.
    drop column state;
alter table deliveries
    add column state text not null generated always as (
        case when delivered_at is not null then 'delivered' when discarded_at is not null then 'discarded'
             when parked_at is not null then 'parked' else 'open' end
    ) stored;
create index deliveries_due on deliveries (due_at) where state = 'open';
create index deliveries_by_state on deliveries (state, purchase_id, offer_id);
create index deliveries_by_account on deliveries (kept_account_id, state, purchase_id, offer_id);
create index deliveries_by_character on deliveries (character_id, state, purchase_id, offer_id);
create index deliveries_by_end on deliveries (state, (coalesce(delivered_at, parked_at)));
create index deliveries_by_offer on deliveries (offer_id, state, (coalesce(delivered_at, parked_at)));
create index deliveries_by_character_end on deliveries (character_id, state, (coalesce(delivered_at, parked_at)));

alter table delivery_events drop constraint delivery_events_known;
alter table delivery_events add constraint delivery_events_known
    check (what in ('ordered', 'leased', 'delivered', 'refused', 'parked', 'resent', 'discarded'));

-- As in migration 0034.
create view health_counts as
select (select count(*)::integer from workers where alive_until > clock_timestamp()) as workers,
       (select count(*)::integer from partitions left join workers using (worker_id)
        where not retired and (alive_until > clock_timestamp()) is not true) as partitions_without_worker,
       (select coalesce(max(wait_seconds), 0) from partitions) as longest_wait_seconds,
       (select coalesce(max(age_seconds), 0) from partitions) as longest_age_seconds,
       (select count(*)::integer from game_servers join service_tokens using (service_token_id)
        where revoked_at is null and presence_until > clock_timestamp()) as present_game_servers,
       (select count(*)::integer from (select from dead_letters limit 10000) as counted) as dead_letters,
       (select count(*)::integer
        from (select from payment_notifications where state = 'parked' limit 10000) as counted) as parked_notifications,
       (select count(*)::integer from (select from deliveries where state = 'parked' limit 10000) as counted) as parked_deliveries,
       (select count(*)::integer from (select from mails where state = 'parked' limit 10000) as counted) as parked_mails,
       (select count(*)::integer from (select from mails where state = 'waiting' limit 10000) as counted) as waiting_mails,
       -- The mail server has refused them, or was not reachable.
       (select count(*)::integer
        from (select from mails where state = 'waiting' and last_error is not null limit 10000) as counted) as delayed_mails,
       -- Jobs that have failed and are tried again.
       (select count(*)::integer from (select from jobs where failed_at is not null limit 10000) as counted) as failing_jobs;

-- ---- Snapshots ---------------------------------------------------------------------------------

-- The snapshot whose first parts have arrived. Characters that are reported as online meanwhile belong to it.
alter table game_servers add column open_snapshot_id uuid;
