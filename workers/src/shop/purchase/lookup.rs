//! Reads what purchases depend on. The batch has locked the coins of the accounts, so purchases of one account wait for each other.

use std::collections::BTreeSet;

use guildhall_common::contract::{
    actor::AccountId,
    character::CharacterId,
    shop::{Grant, OfferId, Purchase},
};
use sqlx::{PgConnection, types::Json};

use crate::{
    engine::{context::account_of, throughput::Sent},
    found_character,
};

/// An offer of a purchase that is on sale.
pub(super) struct FoundOffer {
    /// The position of the purchase in the set, from 0.
    purchase: i64,
    pub(super) offer_id: OfferId,
    pub(super) name: String,
    pub(super) price: i64,
    pub(super) grants: Json<Vec<Grant>>,
    /// The pieces that are left. None: without limit.
    pub(super) stock: Option<i32>,
    pub(super) account_limit: Option<i32>,
    /// The pieces that this account has bought before, without those whose delivery was given up.
    pub(super) bought: i64,
}

/// The account of a purchase.
pub(super) struct Buyer {
    pub(super) account_id: AccountId,
    pub(super) is_email_verified: bool,
    pub(super) balance: i64,
    /// The coins that it owes after a refund.
    pub(super) debt: i64,
    pub(super) recipient: Option<Json<Recipient>>,
}

/// The character that a purchase is for.
#[derive(serde::Deserialize)]
pub(super) struct Recipient {
    pub(super) character_id: CharacterId,
    pub(super) name: String,
    /// Whether a game server has named its owner.
    pub(super) is_confirmed: bool,
    pub(super) is_being_deleted: bool,
}

/// Finds the offers of each purchase that are on sale, and locks them. Only offers with a limited stock are locked against other
/// purchases.
///
/// # Errors
/// No account sent a purchase, and those of the database.
pub(super) async fn find_offers(
    database: &mut PgConnection,
    purchases: &[Sent<'_, Purchase>],
) -> sqlx::Result<Vec<Vec<FoundOffer>>> {
    let (mut positions, mut accounts, mut offers) = (vec![], vec![], vec![]);
    for (position, purchase) in (0_i64..).zip(purchases) {
        let account_id = account_of(purchase.actor)?.get();
        let lines: BTreeSet<_> = purchase.command.lines.iter().map(|line| line.offer_id.get()).collect();
        for offer_id in lines {
            positions.push(position);
            accounts.push(account_id);
            offers.push(offer_id);
        }
    }
    let found = sqlx::query_as!(
        FoundOffer,
        r#"with line as (
               select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as line (purchase, account_id, offer_id)
           ), limited as (
               select offer_id, stock from shop_offers where offer_id = any($3) and stock is not null
               order by offer_id for no key update
           )
           select purchase as "purchase!", offer_id as "offer_id!: OfferId", shop_offers.name, price,
                  grants as "grants: Json<Vec<Grant>>", limited.stock as "stock?", account_limit,
                  case when account_limit is null then 0 else (
                      select coalesce(sum(purchase_lines.quantity), 0)
                      from purchase_lines join deliveries using (purchase_id, offer_id)
                      where purchase_lines.offer_id = shop_offers.offer_id and purchase_lines.account_id = line.account_id
                          and state <> 'discarded'
                  ) end as "bought!"
           from line join shop_offers using (offer_id) join shop_categories using (category_id)
           left join limited using (offer_id)
           where archived_at is null and not shop_offers.hidden and not shop_categories.hidden
           order by purchase, offer_id for key share of shop_offers"#,
        &positions,
        &accounts,
        &offers,
    )
    .fetch_all(database)
    .await?;
    let mut offers_of: Vec<Vec<FoundOffer>> = purchases.iter().map(|_| vec![]).collect();
    for offer in found {
        offers_of[offer.purchase as usize].push(offer);
    }
    Ok(offers_of)
}

/// Finds the account and the character of each purchase. The character is locked for key share, so that no deletion misses the purchase.
///
/// # Errors
/// No account sent a purchase, and those of the database.
pub(super) async fn find_buyers(
    database: &mut PgConnection,
    purchases: &[Sent<'_, Purchase>],
) -> sqlx::Result<Vec<Buyer>> {
    let (mut accounts, mut characters, mut names) = (vec![], vec![], vec![]);
    for purchase in purchases {
        accounts.push(account_of(purchase.actor)?.get());
        let (character, name) = found_character::id_or_name(&purchase.command.character);
        characters.push(character);
        names.push(name);
    }
    sqlx::query_as!(
        Buyer,
        r#"select wanted.account_id as "account_id!: AccountId", email_verified_at is not null as "is_email_verified!",
                  coalesce(balance, 0) as "balance!", coalesce(debt, 0) as "debt!",
                  recipient as "recipient?: Json<Recipient>"
           from unnest($1::bigint[], $2::bigint[], $3::text[])
               with ordinality as wanted (account_id, wanted_character, wanted_name, number)
           left join accounts using (account_id)
           left join coin_accounts using (account_id)
           left join lateral (
               select jsonb_build_object('character_id', character_id, 'name', name,
                                         'is_confirmed', confirmed_at is not null,
                                         'is_being_deleted', deletion_due_at is not null) as recipient
               from characters
               where (character_id = wanted_character or name_key = wanted_name) and deleted_at is null
               for key share
           ) as found on true
           order by number"#,
        &accounts,
        &characters as _,
        &names as _,
    )
    .fetch_all(database)
    .await
}
