-- Jobs for which a player waits have a lane of their own. Workers of 0.3.0 store and run them in the lane `main`.

alter table jobs drop constraint jobs_lane_known;
alter table jobs add constraint jobs_lane_known check (lane in ('awaited', 'main', 'mail'));
drop index if exists jobs_awaited;

-- A site of 0.3.0 has it. end_batch_or_fail contains it now.
drop function if exists end_batch;
