-- The last statement of a batch, as a procedure that fails instead of returning false. So the worker can send it together with `commit`.

-- An error with the code GH001: a lease is lost.
create procedure end_batch_or_fail(
    domains text[],
    numbers integer[],
    epochs bigint[],
    completed jsonb,
    events jsonb
) language plpgsql as $$
begin
    if not end_batch(domains, numbers, epochs, completed, events) then
        raise exception 'another worker has taken the partition' using errcode = 'GH001';
    end if;
end $$;
