-- Fills a site for ./dev large and ./dev bench, with the variable scale and the full numbers of posts and operations. Triggers and
-- foreign keys are off, which is faster. So the columns that triggers keep are written here.
\set ON_ERROR_STOP on
set session_replication_role = replica;
set synchronous_commit = off;
create function pg_temp.size(full_size bigint, scale numeric) returns bigint language sql as
    $$ select greatest(ceil(full_size * scale), 100)::bigint $$;
-- Names have only letters.
create function pg_temp.letters(number bigint) returns text language sql immutable as
    $$ select translate(lpad(number::text, 7, '0'), '0123456789', 'abcdefghij') $$;
select pg_temp.size(1000000, :scale) as million, pg_temp.size(100000, :scale) as guilds,
       pg_temp.size(:posts, :scale) as posts, pg_temp.size(:operations, :scale) as operations,
       (select account_id from accounts where name = 'mira') as player \gset

\echo accounts and characters
insert into accounts (name, email, password_hash)
select 'large' || i, 'large' || i || '@example.org', '!' from generate_series(1, :guilds) as i;
select min(account_id) as first_account from accounts where name like 'large%' \gset
insert into characters (account_id, name, level, vocation, online)
select :first_account + i % :guilds, 'Large ' || pg_temp.letters(i), 1 + i % 300, 'Knight', i % 20 = 0
from generate_series(1, :million) as i;
select min(character_id) as first_character from characters where name like 'Large %' \gset

\echo guilds, members and invites
insert into guilds (name, leader_id)
select 'Large ' || pg_temp.letters(i), :first_character + i - 1 from generate_series(1, :guilds) as i;
select min(guild_id) as first_guild from guilds where name like 'Large %' \gset
-- Nine of ten characters are members.
insert into guild_members (character_id, guild_id, rank)
select :first_character + i, :first_guild + i % :guilds, case when i < :guilds then 2 else 1 end
from generate_series(0, :million * 9 / 10 - 1) as i;
update characters set kept_guild_id = guild_id from guild_members where guild_members.character_id = characters.character_id
    and kept_guild_id is distinct from guild_id;
insert into guild_invites (guild_id, character_id, invited_by, invited_at, expires_at)
select :first_guild + i % :guilds, :first_character + :million - 1 - i / 10, :first_character, now(), now() + interval '1 day'
from generate_series(1, :million / 5) as i on conflict do nothing;

\echo posts
insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
select :player, 'Post ' || i, 'post-' || i, '', 'Text.', i % 1000 = 0, i % 10 = 0, now() - interval '1 minute' * i
from generate_series(1, :posts) as i;
-- The highest version of a renderer: the workers have nothing to render.
insert into rendered_posts (post_id, renderer, html) select post_id, 32767, '<p>' || body || '</p>' from posts
on conflict (post_id) do nothing;

\echo payments, receipts and coins
-- Half of them are paid, a third has expired, and of the rest most are cancelled and some open.
insert into payments (payment_id, account_id, provider, scheme, reference, currency, amount, coins, rate_amount, rate_coins,
                      created_at, expires_at, payload, cancelled_at, kept_state)
select gen_random_uuid(), :first_account + i % :guilds, 'manual', 'pix', 'large' || i, 'BRL', 1000, 100, 100, 10, created_at,
       created_at + interval '30 minutes', 'payload', case when i % 6 = 5 and i > 300 then created_at end,
       case when i % 6 < 3 then 'paid' when i % 6 = 5 and i > 300 then 'cancelled' else 'pending' end
from generate_series(1, :million) as i, lateral (select now() - interval '5 seconds' * i as created_at) as times;
insert into receipts (payment_id, provider, end_to_end_id, currency, amount, received_at)
select payment_id, provider, reference, currency, amount, created_at from payments where kept_state = 'paid';
insert into coin_transfers (kind, payment_id) select 'credit', payment_id from receipts;
insert into coin_entries (transfer_id, book, account_id, coins)
select transfer_id, book, case when book = 'player' then account_id end, side * coins
from coin_transfers join payments using (payment_id), (values ('player', 1), ('issued', -1)) as sides (book, side)
where kept_state = 'paid';
insert into payment_notifications (provider, dedupe_key, reference, body, settled_at, parked_at)
select provider, reference, reference, '{}', case when reference not like '%999' then now() end, now()
from payments where kept_state = 'paid';

\echo purchases and deliveries
-- One of ten belongs to the player of the demo community.
with transfers as (
    insert into coin_transfers (kind, operation_id)
    select 'purchase', gen_random_uuid() from generate_series(1, :million / 5) returning transfer_id, operation_id
)
insert into purchases (account_id, character_id, coins, transfer_id, operation_id, purchased_at)
select case when transfer_id % 10 = 0 then :player else :first_account + transfer_id % :guilds end, :first_character, 25,
       transfer_id, operation_id, now() from transfers;
insert into coin_entries (transfer_id, book, account_id, coins)
select transfer_id, book, case when book = 'player' then account_id end, side * coins
from purchases, (values ('player', -1), ('spent', 1)) as sides (book, side);
insert into purchase_lines (purchase_id, offer_id, account_id, quantity, name, price)
select purchase_id, 1, account_id, 1, 'Health potion', 25 from purchases;
insert into deliveries (delivery_id, purchase_id, offer_id, character_id, quantity, grants, due_at, delivered_at, parked_at)
select gen_random_uuid(), purchase_id, offer_id, :first_character, 1, '[]', now(),
       case when purchase_id % 1000 > 0 then now() end, now()
from purchase_lines;
insert into delivery_events (delivery_id, what, happened_at)
select delivery_id, what, now() from deliveries, (values ('ordered'), ('leased'), ('delivered')) as events (what);
insert into coin_accounts (account_id, balance, debt)
select account_id, sum(coins), greatest(0, -sum(coins)) from coin_entries where book = 'player' group by account_id
on conflict (account_id) do update set balance = excluded.balance, debt = excluded.debt;

\echo operations and the audit log
insert into operations (operation_id, command, fingerprint, outcome, stale_keys, accepted_at)
select gen_random_uuid(), 'game.upsert_characters', '', '{"applied": {}}', '{}', now() from generate_series(1, :operations);
insert into audit_log (action, details) select 'large', '{}' from generate_series(1, :guilds);

\echo vacuum and analyze
vacuum analyze;
