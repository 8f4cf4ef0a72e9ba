//! The pages of a list by number and by cursor.

use serde_json::{Value, json};

use super::catalogue::{ListRequest, Senders, lists};
use crate::support::{community::StaffRole, site::Site};

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_count_from_a_cursor() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    for name in ["Zed", "Zara Two", "Zara One", "Yan", "Abel"] {
        site.character(&player, name).await;
    }
    let path = "/guild/players-without-guild?limit=2";
    let first = site.visitor().get(path).await.ok();
    assert_eq!(names(&first), ["Abel", "Yan"]);
    assert_eq!((&first["total"], &first["pages"]), (&json!(5), &json!(3)));
    let after = format!("{path}&after={}", first["next"].as_str().unwrap());
    let second = site.visitor().get(&after).await;
    let next = format!("after={}>; rel=\"next\"", second.body["next"].as_str().unwrap());
    assert!(second.header("link").contains(&next), "{}", second.header("link"));
    let second = second.ok();
    assert_eq!((names(&second), second.get("total")), (vec!["Zara One", "Zara Two"], None));
    let third = site.visitor().get(&format!("{after}&page=2")).await.ok();
    assert_eq!((names(&third), &third["page"], third.get("next")), (vec!["Zed"], &json!(2), None));
    // The cursor is a place, not a number: what is inserted before it moves nothing.
    site.character(&player, "Aaron").await;
    assert_eq!(names(&site.visitor().get(&after).await.ok()), ["Zara One", "Zara Two"]);
    site.finish().await;
}

/// Positions with the lowest numbers, `[-9223372036854775808,"a"]` and `[-2147483648,"a"]`, without a signature.
const LOWEST_MEMBERS: &str = "Wy05MjIzMzcyMDM2ODU0Nzc1ODA4LCJhIl0";
const LOWEST_LEVEL: &str = "Wy0yMTQ3NDgzNjQ4LCJhIl0";

#[tokio::test(flavor = "multi_thread")]
async fn lists_refuse_invalid_cursors_and_pages_that_are_too_deep() {
    let site = Site::start().await;
    let (staff, guild_id) = site.guild("staff", "Night Watch").await;
    for role in [StaffRole::Admin, StaffRole::Editor, StaffRole::Merchant] {
        site.set_role("staff", role, true).await;
    }
    let (visitor, game_server) = (site.visitor(), site.game_server().clone());
    let senders = Senders { visitor, player: site.player("player").await, staff, game_server };
    let of_another_list = "eyJhIjoxfQ";
    for list in lists(guild_id) {
        for cursor in ["!", "", "A", "AAAA", LOWEST_MEMBERS, LOWEST_LEVEL, of_another_list] {
            list.send(&senders, &list.page(1, 20, Some(cursor))).await.invalid("after");
        }
        list.send(&senders, &list.page(501, 20, None)).await.invalid("page");
        let last = list.send(&senders, &list.page(500, 20, None)).await.ok();
        assert_eq!(last["items"], json!([]), "{}", list.operation);
    }
    site.finish().await;
}

/// All items by cursors, one per page.
async fn by_cursor(list: &ListRequest, senders: &Senders) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = list.send(senders, &list.page(1, 1, cursor.as_deref())).await.ok();
        items.extend_from_slice(page["items"].as_array().unwrap());
        match page["next"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return items,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_list_has_the_same_items_by_number_and_by_cursor() {
    let site = Site::start().await;
    let (staff, guild_id) = site.guild("staff", "Night Watch").await;
    for role in [StaffRole::Admin, StaffRole::Editor, StaffRole::Merchant] {
        site.set_role("staff", role, true).await;
    }
    let player = site.player("player").await;
    site.execute(FEW_ROWS).await;
    let senders = Senders { visitor: site.visitor(), player, staff, game_server: site.game_server().clone() };
    for list in lists(guild_id) {
        let all = list.send(&senders, &list.page(1, 20, None)).await.ok();
        let name = list.page(1, 20, None);
        assert!(all["items"].as_array().unwrap().len() >= 2, "{name}: {all}");
        assert_eq!(by_cursor(&list, &senders).await, *all["items"].as_array().unwrap(), "{name}");
        assert_eq!(all["total"], all["items"].as_array().unwrap().len(), "{name}");
        let mut numbered = Vec::new();
        for page in 1..=all["total"].as_i64().unwrap() {
            let page = list.send(&senders, &list.page(page, 1, None)).await.ok();
            numbered.extend_from_slice(page["items"].as_array().unwrap());
        }
        assert_eq!(numbered, *all["items"].as_array().unwrap(), "{name}");
    }
    site.stop().await;
}

/// At least two items in each list, with equal sort keys where these are not unique.
const FEW_ROWS: &str = r"
begin;
insert into service_tokens (name, token_hash) select 'World ' || i, decode(lpad(i::text, 64, '0'), 'hex') from generate_series(1, 3) as i;
insert into characters (account_id, name, level, vocation)
select account_id, name, 20, 'Knight'
from (values (1, 'N daaac'), (1, 'N b'), (1, 'N c'), (2, 'P a'), (2, 'P b'), (2, 'P c')) as rows (account_id, name);
update characters set online = true where name like 'N %';
insert into deaths (character_id, death_id, died_at, level, killed_by, killer_is_player)
select character_id, i::text, '2026-01-01', 20, 'a rat', false from characters, generate_series(1, 3) as i where name like 'N %';
insert into guilds (name, leader_id)
select 'Guild of ' || name, character_id from characters where name in ('P a', 'P b');
insert into guild_members (character_id, guild_id, rank) select leader_id, guild_id, 2 from guilds where guild_id > 1;
insert into guild_invites (guild_id, character_id, invited_by, expires_at)
select guild_id, character_id, leader_id, now() + interval '1 day' from guilds, characters
where guilds.guild_id is distinct from kept_guild_id;
insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
select 1, 'Post ' || i, 'post', '', 'Text.', i < 4, i % 3 = 0,
       now() + case when i % 4 = 0 then interval '1 day' else interval '-1 day' end
from generate_series(1, 12) as i;
insert into shop_categories (name, description, position, hidden)
select 'Category ' || i, '', i / 3, i = 4 from generate_series(1, 5) as i;
insert into shop_offers (category_id, name, description, price, grants, position, hidden, archived_at)
select category_id, 'Offer ' || i, '', 1, '[]', i / 3, i = 4, case when i = 5 then now() end
from shop_categories, generate_series(1, 5) as i;
insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10);
insert into coin_packages (name, currency, amount, coins, position)
select 'Package', 'BRL', 1000, 100, i / 3 from generate_series(1, 4) as i;
insert into coin_transfers (kind) select 'purchase' from generate_series(1, 4);
insert into purchases (account_id, character_id, coins, transfer_id, operation_id, purchased_at)
select 1 + transfer_id % 2, character_id, 2, transfer_id, gen_random_uuid(), now()
from coin_transfers, characters where characters.name = 'N daaac';
with transfer as (
    insert into coin_transfers (kind, reason) select 'adjustment', 'For the test.' from generate_series(1, 3) returning transfer_id)
insert into coin_entries (transfer_id, book, account_id, coins)
select transfer_id, book, owner_id, coins
from transfer, (values ('player', 1, 10), ('adjusted', null, -10)) as sides (book, owner_id, coins);
insert into purchase_lines (purchase_id, offer_id, account_id, quantity, name, price)
select purchase_id, offer_id, account_id, 1, 'Offer', 1 from purchases, shop_offers where offer_id <= 2;
insert into deliveries (delivery_id, purchase_id, offer_id, character_id, quantity, grants, due_at, delivered_at, parked_at)
select gen_random_uuid(), purchase_id, offer_id, character_id, 1, '[]', now(), case when offer_id = 1 then now() end, now()
from purchase_lines join purchases using (purchase_id);
insert into delivery_events (delivery_id, what, happened_at) select delivery_id, 'ordered', now() from deliveries;
insert into payments (payment_id, account_id, provider, scheme, reference, currency, amount, coins, rate_amount, rate_coins,
                      created_at, expires_at, payload)
select gen_random_uuid(), 1 + i % 2, 'manual', 'pix', i::text, 'BRL', 100, 10, 100, 10, now(),
       now() + case when i <= 4 then interval '-1 day' else interval '1 day' end, 'payload'
from generate_series(1, 16) as i;
insert into receipts (payment_id, provider, end_to_end_id, currency, amount, received_at)
select payment_id, provider, reference, currency, amount, created_at from payments where reference::int > 8;
insert into refunds (refund_id, receipt_id, kind, amount, state, reason, requested_at, settled_at)
select 'refund', receipt_id, 'refund', amount, 'done', '', now(), now() from receipts where end_to_end_id::int > 12;
insert into payment_notifications (provider, dedupe_key, body, settled_at, parked_at)
select 'manual', i::text, '{}', case when i > 2 then now() end, case when i <= 2 then now() end
from generate_series(1, 4) as i;
insert into mails (mail_id, account_id, kind, recipient, language, details, state, ended_at, expires_at)
select gen_random_uuid(), 1, 'verify_email', 'a@example.org', 'en', '{}', case when i <= 2 then 'parked' else 'sent' end, now(), now()
from generate_series(1, 4) as i;
insert into dead_letters (queue, message, message_hash, reason)
select 'guildhall.guild', '{}', decode(lpad(i::text, 64, '0'), 'hex'), 'For the test.' from generate_series(1, 2) as i;
insert into dead_letter_bodies (dead_letter_id, body) select dead_letter_id, '' from dead_letters;
insert into audit_log (account_id, action, details, done_at)
select account_id, action, jsonb_build_object('account_id', about), done_at
from (values (null, 'a.rare', null, now()), (1, 'a.common', 1, now()), (1, 'a.rare', 2, '2020-06-01'), (1, 'a.rare', 2, '2020-06-01'))
    as entries (account_id, action, about, done_at);
commit;
";
