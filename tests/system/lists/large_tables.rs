//! Tables with many rows. Most rows are not those that a list shows first, so a query that looks for its rows one by one
//! reads thousands.

/// The guild that the first account leads.
pub(super) const GUILD_OF_STAFF: i64 = 1;

/// The statements that fill the tables. The accounts 1 (with all roles) and 2 exist.
pub(super) fn statements() -> String {
    [CHARACTERS, DEATHS, INVITES, NEWS, SHOP, PURCHASES, PAYMENTS, OTHERS, "analyze;"].concat()
}

/// 15,000 characters in guilds, whose names come before those of 30,000 without a guild. Of these, 12,000 are online, and 13,000 have
/// another vocation and a higher level.
const CHARACTERS: &str = r"
create function letters(number int) returns text language sql immutable
    return translate(lpad(number::text, 5, '0'), '0123456789', 'abcdefghij');
begin;
insert into accounts (name, email, password_hash) values ('others', 'others@example.org', '!');
insert into characters (account_id, name, level, vocation)
select case when i <= 30000 then 3 when i <= 60000 then 1 else 2 end,
       case when i between 15001 and 60000 then 'N ' else 'M ' end || letters(i), 20, 'Knight'
from generate_series(1, 60005) as i;
update characters set online = true where character_id between 20001 and 32000;
update characters set vocation = 'Elder Druid', level = 30 where character_id between 32001 and 45000;
insert into guilds (name, leader_id)
select 'Guild ' || letters(i), case when i = 1 then 60000 else i end from generate_series(1, 15000) as i;
insert into guild_members (character_id, guild_id, rank) select leader_id, guild_id, 2 from guilds;
commit;
";

/// 15,000 deaths of each of two characters. Those of the second one are older, and players caused all others.
const DEATHS: &str = r"
insert into deaths (character_id, death_id, died_at, level, killed_by, killer_is_player, killer_id)
select character_id, i::text, now() - interval '1 second' * (i + case when is_old then 15000 else 0 end), 20,
       case when is_old then 'a rat' end, not is_old, case when not is_old then 1 end
from (values (30001, false), (30002, true)) as died (character_id, is_old), generate_series(1, 15000) as i;
";

/// In a guild: 10,000 expired invites and 15,000 open ones. For each of five characters: 3,000 and 9,000.
const INVITES: &str = r"
insert into guild_invites (guild_id, character_id, invited_by, invited_at, expires_at)
select 1, 15000 + i, 60000, now() - interval '1 hour',
       now() + case when i <= 10000 then interval '-1 second' else interval '1 day' end * i
from generate_series(1, 25000) as i;
insert into guild_invites (guild_id, character_id, invited_by, invited_at, expires_at)
select 1 + i, 60000 + n, 1 + i, now() - interval '1 hour',
       now() + case when i <= 3000 then interval '-1 second' else interval '1 day' end * i
from generate_series(1, 12000) as i, generate_series(1, 5) as n;
";

/// 15,000 visible posts. 10,000 are hidden and 10,000 scheduled; all of them come first in the order.
const NEWS: &str = r"
insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
select 1, 'Post', 'post', '', 'Text.', i % 2 = 0, i between 15001 and 25000,
       now() + case when i > 25000 then interval '1 minute' else interval '-1 day' end * (40000 - i)
from generate_series(1, 35000) as i;
";

/// 200 categories with 200 offers each, of which the first hundred are archived or hidden. 12,000 hidden categories with an
/// offer each come before them, and 12,000 after them are visible and empty.
const SHOP: &str = r"
insert into shop_categories (name, description, position, hidden)
select 'Category ' || i, '', case when i <= 200 then 2 when i <= 12200 then 1 else 3 end, i between 201 and 12200
from generate_series(1, 24200) as i;
insert into shop_offers (category_id, name, description, price, grants, position, hidden, archived_at)
select c, 'Offer ' || i, '', 1, '[]', i, i between 51 and 100, case when i <= 50 then now() end
from generate_series(1, 200) as c, generate_series(1, 200) as i;
insert into shop_offers (category_id, name, description, price, grants, position, hidden)
select i, 'Offer', '', 1, '[]', 1, false from generate_series(201, 12200) as i;
insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10);
insert into coin_packages (name, currency, amount, coins, position, retired_at)
select 'Package', 'BRL', 1000, 100, i, case when i <= 15000 then now() end from generate_series(1, 30000) as i;
";

/// 30,000 purchases. The oldest hundred are of the second account and for another character than the others. The oldest 50
/// deliveries are parked, the others are delivered.
const PURCHASES: &str = r"
begin;
insert into coin_transfers (kind, operation_id, reason)
select 'adjustment', gen_random_uuid(), 'For the test.' from generate_series(1, 2);
insert into coin_entries (transfer_id, book, account_id, coins)
values (1, 'player', 1, 29900), (1, 'adjusted', null, -29900), (2, 'player', 2, 100), (2, 'adjusted', null, -100);
insert into coin_transfers (kind, operation_id) select 'purchase', gen_random_uuid() from generate_series(1, 30000);
insert into coin_entries (transfer_id, book, account_id, coins)
select transfer_id, book, case when book = 'player' then case when transfer_id <= 102 then 2 else 1 end end, coins
from coin_transfers, (values ('player', -1), ('spent', 1)) as sides (book, coins) where kind = 'purchase';
insert into purchases (account_id, character_id, coins, transfer_id, operation_id, purchased_at)
select case when transfer_id <= 102 then 2 else 1 end, case when transfer_id <= 102 then 30002 else 30001 end,
       1, transfer_id, operation_id, now()
from coin_transfers where kind = 'purchase' order by transfer_id;
insert into purchase_lines (purchase_id, offer_id, account_id, quantity, name, price)
select purchase_id, 1 + purchase_id % 40000, account_id, 1, 'Offer', 1 from purchases;
insert into deliveries (delivery_id, purchase_id, offer_id, character_id, quantity, grants, due_at, delivered_at, parked_at)
select gen_random_uuid(), purchase_id, offer_id, character_id, 1, '[]', now(),
       case when purchase_id > 50 then now() end, case when purchase_id <= 50 then now() end
from purchase_lines join purchases using (purchase_id);
insert into delivery_events (delivery_id, what, happened_at)
select delivery_id, what, now() from deliveries, (values ('ordered'), ('leased')) as events (what);
commit;
";

/// Of the newest 20,000 payments, a half has expired and the other half is open. Older ones are paid, and 50 are refunded.
const PAYMENTS: &str = r"
insert into payments (payment_id, account_id, provider, scheme, reference, currency, amount, coins, rate_amount, rate_coins,
                      created_at, expires_at, payload)
select gen_random_uuid(), 1 + i % 2, 'manual', 'pix', i::text, 'BRL', 100, 10, 100, 10, now() - interval '1 second' * i,
       case when i % 4 < 2 then now() - interval '1 second' * i else now() + interval '1 day' end, 'payload'
from generate_series(1, 32000) as i;
insert into receipts (payment_id, provider, end_to_end_id, currency, amount, received_at)
select payment_id, provider, reference, currency, amount, created_at
from payments where reference::int > 20000;
insert into refunds (refund_id, receipt_id, kind, amount, state, reason, requested_at, settled_at)
select 'refund', receipt_id, 'refund', amount, 'done', '', now(), now()
from receipts where end_to_end_id::int > 31950;
begin;
insert into coin_transfers (kind, payment_id)
select 'credit', payment_id from receipts where end_to_end_id::int <= 31950;
insert into coin_entries (transfer_id, book, account_id, coins)
select transfer_id, book, case when book = 'player' then account_id end, side * 10
from coin_transfers join payments using (payment_id), (values ('player', 1), ('issued', -1)) as sides (book, side);
commit;
";

/// The oldest notifications are parked, the others are processed.
const OTHERS: &str = r"
insert into service_tokens (name, token_hash, revoked_at)
select 'World ' || i, decode(lpad(i::text, 64, '0'), 'hex'), case when i <= 10000 then now() end from generate_series(1, 20000) as i;
insert into payment_notifications (provider, dedupe_key, body, settled_at, parked_at)
select 'manual', i::text, '{}', case when i > 50 then now() end, case when i <= 50 then now() end
from generate_series(1, 30000) as i;
insert into mails (mail_id, account_id, kind, recipient, language, details, state, ended_at, expires_at)
select gen_random_uuid(), 1, 'verify_email', 'a@example.org', 'en', '{}', case when i <= 50 then 'parked' else 'sent' end, now(), now()
from generate_series(1, 30000) as i;
insert into dead_letters (queue, message, message_hash, reason)
select 'guildhall.guild', '{}', decode(lpad(i::text, 64, '0'), 'hex'), 'For the test.' from generate_series(1, 30000) as i;
insert into dead_letter_bodies (dead_letter_id, body) select dead_letter_id, '' from dead_letters;
insert into audit_log (account_id, action, details, done_at)
select 1 + i % 2, case when i % 1000 < 2 then 'a.rare' else 'a.common' end, jsonb_build_object('account_id', 1 + i / 2 % 2),
       now() - interval '1 second' * i
from generate_series(1, 30000) as i;
-- The oldest entries have each filter in common.
insert into audit_log (account_id, action, details, done_at)
select 1, 'a.rare', jsonb_build_object('account_id', 2), '2020-06-01' from generate_series(1, 50);
";
