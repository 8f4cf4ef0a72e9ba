-- Partitions: the leases of workers on the queues of commands.
--
-- The commands of a domain are spread over partitions. Each partition is a queue, and one worker at a time processes it.
-- A transaction is committed only if its worker still has the leases of all its partitions.

-- The running workers. Each one renews its row every second.
create table workers (
    worker_id   uuid constraint workers_pkey primary key,
    -- The worker counts as dead after this time, and other workers take its partitions.
    alive_until timestamptz not null,
    -- The version of the program.
    version     text,
    started_at  timestamptz not null default clock_timestamp()
);

-- The partitions of all domains, with their leases.
create table partitions (
    domain       text not null,
    -- Partition 0 has the commands that change several things. Version 0.2.0 publishes all commands to it.
    number       integer not null,
    -- True: the number of partitions was reduced. Nothing is published to the queue, and its commands are still processed.
    retired      boolean not null default false,
    -- The worker that has the lease. The lease ends with workers.alive_until. Null: no worker has it.
    worker_id    uuid,
    -- The number of the lease. Each new lease raises it.
    epoch        bigint not null default 0,
    -- How long a new command waits until it is applied. The worker computes it every second.
    wait_seconds integer not null default 0,
    -- How long the oldest command in progress has waited. The worker computes it every second.
    age_seconds  integer not null default 0,
    -- The commands in the queue that no worker has received, at the last sample of health. Null: never counted.
    waiting      integer,
    constraint partitions_pkey primary key (domain, number)
);
