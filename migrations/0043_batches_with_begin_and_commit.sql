-- The first and the last statement of a batch with one JSON argument. The worker sends each as text, so it can send `begin` and `commit` in
-- the same round trip.

create function begin_batch(
    -- The arguments of the other begin_batch, by their names.
    batch jsonb
) returns jsonb language plpgsql as $$
declare
    result jsonb;
begin
    select to_jsonb(begun) into result
    from jsonb_to_record(batch) as given (
             operation_ids uuid[], used_keys uuid[], key_operation_ids uuid[], key_fingerprints text[],
             guild_ids bigint[], deleted_guild_ids bigint[], character_ids bigint[], character_names text[],
             payment_ids uuid[], account_ids bigint[], offer_ids bigint[]),
         begin_batch(operation_ids, used_keys, key_operation_ids, key_fingerprints, guild_ids, deleted_guild_ids,
             character_ids, character_names, payment_ids, account_ids, offer_ids) as begun;
    return result;
end $$;

-- An error with the code GH001: a lease is lost.
create procedure end_batch(
    -- The arguments of the other end_batch, by their names.
    batch jsonb
) language plpgsql as $$
begin
    if not end_batch(
        array(select jsonb_array_elements_text(batch -> 'domains')),
        array(select jsonb_array_elements_text(batch -> 'numbers')::integer),
        array(select jsonb_array_elements_text(batch -> 'epochs')::bigint),
        batch -> 'completed', batch -> 'events')
    then
        raise exception 'another worker has taken the partition' using errcode = 'GH001';
    end if;
end $$;
