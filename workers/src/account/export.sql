-- $1: the account, $2: now, $3: the end of the document's lifetime.
-- The texts of the staff about the account are part of it; the ids of administrators are not.
-- Mails that verify an address are not part of it: they would show whether another account has verified the address.
insert into account_exports (account_id, created_at, expires_at, document)
select $1, $2, $3, jsonb_pretty(jsonb_build_object(
    'exported_at', $2::timestamptz,
    'account', (
        select jsonb_build_object(
            'account_id', account_id, 'name', name, 'game_login', game_login, 'email', email, 'email_verified_at', email_verified_at,
            'language', language, 'roles', roles, 'created_at', created_at,
            'second_factor_enabled_at', second_factor_enabled_at, 'suspension_reason', suspension_reason,
            'deletion_due_at', deletion_due_at)
        from accounts where account_id = $1),
    'coins', coalesce((select jsonb_build_object('balance', balance, 'debt', debt) from coin_accounts where account_id = $1),
                      '{"balance": 0, "debt": 0}'),
    'sessions', (
        select coalesce(jsonb_agg(to_jsonb(newest) - 'account_id' order by created_at, session_id), '[]')
        from (select * from sessions where account_id = $1 order by created_at desc, session_id desc limit 1000) as newest),
    'characters', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'character_id', character_id, 'name', characters.name, 'former_name', former_name, 'level', level,
            'vocation', vocation, 'created_at', characters.created_at, 'confirmed_at', confirmed_at,
            'game_character_id', game_character_id, 'world', world,
            'guild', guilds.name, 'joined_guild_at', joined_at, 'nick', nick) order by character_id), '[]')
        from characters left join guild_members using (character_id) left join guilds using (guild_id)
        where account_id = $1 and characters.deleted_at is null),
    'deaths', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'character_id', deaths.character_id, 'death_id', death_id, 'died_at', died_at, 'level', deaths.level,
            'killed_by', killed_by, 'killer_is_player', killer_is_player) order by died_at, deaths.character_id, death_id), '[]')
        from deaths join characters using (character_id) where account_id = $1 and characters.deleted_at is null),
    'payments', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'payment_id', payment_id, 'provider', provider, 'currency', currency, 'amount_in_minor_units', amount,
            'coins', coins, 'state', kept_state, 'created_at', created_at,
            'receipts', (
                select coalesce(jsonb_agg(jsonb_build_object(
                    'end_to_end_id', end_to_end_id, 'currency', receipts.currency,
                    'amount_in_minor_units', receipts.amount, 'received_at', received_at,
                    'refunds', (
                        select coalesce(jsonb_agg(to_jsonb(refunds) - 'receipt_id' order by requested_at), '[]')
                        from refunds where refunds.receipt_id = receipts.receipt_id)) order by receipt_id), '[]')
                from receipts where receipts.payment_id = payments.payment_id)) order by created_at, payment_id), '[]')
        from payments where account_id = $1),
    'coin_entries', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'kind', kind, 'coins', coins, 'payment_id', payment_id, 'reason', reason,
            'transferred_at', transferred_at) order by transfer_id), '[]')
        from coin_entries join coin_transfers using (transfer_id) where account_id = $1),
    'purchases', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'purchase_id', purchase_id, 'character_id', character_id, 'coins', coins, 'purchased_at', purchased_at,
            'lines', (
                select coalesce(jsonb_agg(jsonb_build_object('name', name, 'price', price, 'quantity', quantity)
                                          order by offer_id), '[]')
                from purchase_lines where purchase_lines.purchase_id = purchases.purchase_id),
            'deliveries', (
                select coalesce(jsonb_agg(jsonb_build_object('delivery_id', delivery_id, 'state', state,
                                                             'delivered_at', delivered_at,
                                                             'coins_returned', return_transfer_id is not null) order by delivery_id), '[]')
                from deliveries where deliveries.purchase_id = purchases.purchase_id)) order by purchase_id), '[]')
        from purchases where account_id = $1),
    'posts', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'post_id', post_id, 'title', title, 'summary', summary, 'body', body, 'hidden', hidden,
            'published_at', published_at) order by post_id), '[]')
        from posts where author_id = $1),
    'mails', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'kind', kind, 'recipient', recipient, 'state', state, 'created_at', created_at) order by mail_id), '[]')
        from mails where account_id = $1 and kind not in ('verify_email', 'verify_new_email')),
    'notes_of_the_team', (
        select coalesce(jsonb_agg(jsonb_build_object('text', text, 'created_at', created_at) order by note_id), '[]')
        from account_notes where account_id = $1),
    'actions_of_the_account', (
        select coalesce(jsonb_agg(jsonb_build_object('action', action, 'details', details, 'done_at', done_at)
                                  order by audit_id), '[]')
        from audit_log where account_id = $1),
    'actions_about_the_account', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'action', action, 'done_at', done_at,
            'texts', (select jsonb_object_agg(field, jsonb_build_object('before', before, 'after', after))
                      from audit_texts where audit_texts.audit_id = audit_log.audit_id)) order by audit_id), '[]')
        from audit_log where about_account_id = $1)
))
on conflict (account_id) do update
set document = excluded.document, created_at = excluded.created_at, expires_at = excluded.expires_at
