-- The data set of ./dev bench: 200 guilds of 20 members, 200 leaders, an account with 4,000 characters, 20 posts and a shop. The
-- account "bench1" exists already, and all other accounts get its password.
begin;
create function pg_temp.letters(number bigint) returns text language sql immutable as
    $$ select translate(lpad(number::text, 5, '0'), '0123456789', 'abcdefghij') $$;

insert into accounts (name, email, password_hash, roles)
select added.name, added.name || '@example.org', template.password_hash, added.roles
from (select 'bench' || number, '{}'::text[] from generate_series(2, 200) as number
      union all select 'benchcollector', '{}'
      -- An account may have ten event streams, and an administrator may follow all payments.
      union all select 'benchwatcher' || number, '{admin}' from generate_series(1, 100) as number) as added (name, roles),
     (select password_hash from accounts where name = 'bench1') as template;

-- Character 1 of each guild is its leader and belongs to an account of its own. Number 2 is its vice-leader. The account
-- "benchcollector" has all characters except the leaders, and 200 without a guild.
insert into characters (account_id, name, level, vocation)
select coalesce(leader.account_id, collector.account_id), 'Bench ' || pg_temp.letters(guild) || ' ' || pg_temp.letters(member),
       100 + member, 'Knight'
from generate_series(1, 200) as guild cross join generate_series(1, 21) as member
cross join (select account_id from accounts where name = 'benchcollector') as collector
left join accounts as leader on member = 1 and leader.name = 'bench' || guild;

create temporary table bench_guilds on commit drop as
select nextval(pg_get_serial_sequence('guilds', 'guild_id')) as guild_id, number from generate_series(1, 200) as number;
insert into guilds (guild_id, name, leader_id, motd, description)
overriding system value
select guild_id, 'Bench ' || pg_temp.letters(number),
       (select character_id from characters where name = 'Bench ' || pg_temp.letters(number) || ' ' || pg_temp.letters(1)),
       'Meeting on Sunday at eight.', repeat('We guard the northern wall. ', 7)
from bench_guilds;
insert into guild_members (character_id, guild_id, rank)
select character_id, guild_id, case when member <= 2 then 2 else 1 end
from bench_guilds cross join generate_series(1, 20) as member
join characters on characters.name = 'Bench ' || pg_temp.letters(number) || ' ' || pg_temp.letters(member);

insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
select account_id, 'Bench post ' || number, 'bench-post-' || number, 'The northern wall stands, and the wolves are back.',
       repeat(E'We **held** it until dawn.\n\n- no gate was lost\n- the wolves are back in their hills\n\n', 8),
       false, false, now() - interval '1 minute' * number
from accounts, generate_series(1, 20) as number where name = 'bench1';

with category as (
    insert into shop_categories (name, description, position, hidden)
    values ('Bench goods', 'Everything for the wall.', 0, false) returning category_id
)
insert into shop_offers (category_id, name, description, price, grants, position, hidden)
select category_id, 'Bench offer ' || number, 'A hundred potions for the wall.', 1, '[{"kind": "item", "id": "266", "count": 100}]',
       number, false
from category, generate_series(1, 20) as number;
insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10) on conflict do nothing;

-- Each leader can buy as much as a run needs.
create temporary table bench_gifts on commit drop as
select nextval(pg_get_serial_sequence('coin_transfers', 'transfer_id')) as transfer_id, account_id
from accounts where name ~ '^bench[0-9]+$';
insert into coin_transfers (transfer_id, kind, reason) overriding system value
select transfer_id, 'adjustment', 'coins for a benchmark' from bench_gifts;
insert into coin_entries (transfer_id, book, account_id, coins)
select transfer_id, book, case when book = 'player' then account_id end, side * 1000000000
from bench_gifts, (values ('player', 1), ('adjusted', -1)) as sides (book, side);
commit;
analyze;
