-- The refusals of the provider in a row. Other failures and attempts that a worker could not end do not count.
alter table refunds add column refusals integer not null default 0;

-- As its neighbours.
create trigger refunds_not_truncated before truncate on refunds
    for each statement execute function refuse_change();
