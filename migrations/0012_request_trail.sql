-- The HTTP request and the command that a deferred command and a job belong to. Their log lines carry it, so that one
-- request can be followed through all processes.
--
-- {"request_id": "…", "operation_id": "…", "command": "payment.create", "traceparent": "00-…"}; null for recurring
-- jobs, for jobs that an operator scheduled, and for rows that are older than this column.
alter table begun_operations add column trail jsonb;
alter table jobs add column trail jsonb;
