-- The first request with an Idempotency-Key claims it. Each accepted request has an operation of its own: one that repeats
-- the first request gets the same outcome, and a different one under the same key is refused.

create table idempotency_keys (
    -- A keyed hash of the account and its Idempotency-Key. While a secret is replaced, a key has one row per secret.
    key          uuid constraint idempotency_keys_pkey primary key,
    -- The operation of the first request. The row is deleted together with it.
    operation_id uuid not null,
    -- The keyed hash of the first request, under the same secret as the key.
    fingerprint  bytea not null
);
create index idempotency_keys_by_operation on idempotency_keys (operation_id);

-- Until version 0.2.0, the key of a request was also the id of its operation (a UUID of version 8).
insert into idempotency_keys (key, operation_id, fingerprint)
select operation_id, operation_id, fingerprint from operations where substr(operation_id::text, 15, 1) = '8';
insert into idempotency_keys (key, operation_id, fingerprint)
select operation_id, operation_id, fingerprint from begun_operations where substr(operation_id::text, 15, 1) = '8'
-- A message that was redelivered after the completion has started its operation again.
on conflict (key) do nothing;

-- The operation of the first request, if this one repeats it.
alter table operations add column repeats uuid;
-- A deferred operation that repeats another one is completed together with it.
alter table begun_operations add column repeats uuid;
create index begun_operations_by_repeats on begun_operations (repeats) where repeats is not null;
