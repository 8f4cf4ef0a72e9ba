-- What administrators see of the state of the site: now, and in the last hours.

alter table workers
    -- Null: a worker of version 0.2.0.
    add column version text,
    add column started_at timestamptz not null default clock_timestamp();

alter table partitions
    -- How long the oldest command in progress has waited, as the worker computes it every second.
    add column age_seconds integer not null default 0,
    -- The commands in its queue that no worker has received, as the last sample has found. Null: there was none.
    add column waiting integer;

alter table jobs
    -- Why the last attempt failed. Null: it did not fail.
    add column last_error text,
    add column failed_at timestamptz;
create index jobs_failed on jobs (failed_at) where failed_at is not null;

-- The numbers that the page of administrators and the samples share. Each of them reads a bounded number of rows.
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

-- The state of the site at each minute of the last hours. A job writes a row and deletes old ones.
create table health_samples (
    sampled_at           timestamptz constraint health_samples_pkey primary key,
    -- Commands in all queues that no worker had received. Null: RabbitMQ was not reachable.
    waiting_commands     integer,
    -- Commands that had an outcome in the minute before, at most 100,000.
    completed_commands   integer not null,
    longest_wait_seconds integer not null,
    longest_age_seconds  integer not null,
    workers              integer not null,
    present_game_servers integer not null,
    is_cache_reachable   boolean not null,
    -- The banks with an API whose lists could not be read for five minutes.
    unreachable_banks    integer not null,
    dead_letters         integer not null,
    parked_notifications integer not null,
    parked_deliveries    integer not null,
    parked_mails         integer not null,
    delayed_mails        integer not null,
    failing_jobs         integer not null
);
