-- Trigger functions of the append-only tables: receipts, refunds, the coin ledger, the timelines of deliveries, the audit log.
--
-- A row of these tables is a record, so a correction is a new row. Only texts that people wrote can be erased.

-- Rejects a statement that would change or delete rows.
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name;
end $$;

-- Accepts one change of a row: the column that the argument names becomes null.
create function erase_only() returns trigger language plpgsql as $$
begin
    if to_jsonb(new) is distinct from to_jsonb(old) || jsonb_build_object(tg_argv[0], null) then
        raise exception '% is append-only', tg_table_name;
    end if;
    return new;
end $$;
