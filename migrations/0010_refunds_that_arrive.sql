-- A bank may say that a refund failed, and later that the money has arrived: the books follow the money.
create or replace function settle_refund_once() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE'
        or not (old.state = 'pending' or old.state = 'failed' and new.state = 'done')
        or (new.refund_id, new.receipt_id, new.kind, new.amount, new.reason, new.requested_at)
            is distinct from (old.refund_id, old.receipt_id, old.kind, old.amount, old.reason, old.requested_at)
    then
        raise exception 'a refund is settled once and never changed';
    end if;
    return new;
end $$;
