-- Finds due jobs for which a player waits, without reading all other due jobs. There may be many thousands after an outage of the bank.
create index jobs_awaited on jobs (lane, due_at) where job ->> 'name' = 'register_charge';
