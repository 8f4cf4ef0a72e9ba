//! Sorts the categories of the shop, and the offers of a category.

use guildhall_common::contract::{
    command::Failure,
    shop::{
        CategoriesReordered, CategoryId, OfferId, OffersReordered, ReorderCategories, ReorderOffers,
        ShopRefusal, shop_key,
    },
};
use serde_json::{Value, json};

use crate::engine::{audit::Entry, context::Context, rule::Rule};

/// The distance of two positions, so that something can be inserted between them.
const STEP: i64 = 10;

/// A moved category or offer, with its positions.
struct Moved {
    id: i64,
    before: i32,
    after: i32,
}

impl Rule for ReorderCategories {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategoriesReordered, Failure> {
        let ids: Vec<i64> = self.category_ids.iter().map(|id| id.get()).collect();
        let present = sqlx::query_scalar!(
            "select category_id from shop_categories order by category_id for no key update"
        );
        if present.fetch_all(&mut *cx.db).await? != sorted(&ids) {
            return Err(ShopRefusal::CategoriesChanged.into());
        }
        let moved = sqlx::query_as!(
            Moved,
            // Only what moves gets another version: an edit of it would bring back the old position.
            r#"with old as (select category_id as id, position as before from shop_categories)
               update shop_categories set position = (place * $2)::integer, updated_at = $3, version = version + 1
               from old join unnest($1::bigint[]) with ordinality as new (new_id, place) on new_id = id
               where category_id = id and position <> place * $2
               returning id, before, position as after"#,
            &ids,
            STEP,
            cx.now,
        );
        let moved = moved.fetch_all(&mut *cx.db).await?;
        audit(cx, Entry::new("shop.reorder_categories", json!({})), "category", &moved).await?;
        Ok(CategoriesReordered { category_ids: self.category_ids.clone() })
    }
}

impl Rule for ReorderOffers {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<OffersReordered, Failure> {
        let Self { category_id, offer_ids } = self;
        must_exist(cx, *category_id).await?;
        let ids: Vec<i64> = offer_ids.iter().map(|id: &OfferId| id.get()).collect();
        let present = sqlx::query_scalar!(
            "select offer_id from shop_offers where category_id = $1 and archived_at is null
             order by offer_id for no key update",
            category_id.get(),
        );
        if present.fetch_all(&mut *cx.db).await? != sorted(&ids) {
            return Err(ShopRefusal::OffersChanged.into());
        }
        let moved = sqlx::query_as!(
            Moved,
            r#"with old as (select offer_id as id, position as before from shop_offers where offer_id = any($1))
               update shop_offers set position = (place * $2)::integer, updated_at = $3, version = version + 1
               from old join unnest($1::bigint[]) with ordinality as new (new_id, place) on new_id = id
               where offer_id = id and position <> place * $2
               returning id, before, position as after"#,
            &ids,
            STEP,
            cx.now,
        );
        let moved = moved.fetch_all(&mut *cx.db).await?;
        let entry = Entry::new("shop.reorder_offers", json!({ "category_id": category_id }));
        audit(cx, entry, "offer", &moved).await?;
        Ok(OffersReordered { category_id: *category_id, offer_ids: offer_ids.clone() })
    }
}

/// Locks the category, so that no offer moves into it meanwhile.
async fn must_exist(cx: &mut Context<'_>, category_id: CategoryId) -> Result<(), Failure> {
    let found =
        sqlx::query!("select from shop_categories where category_id = $1 for update", category_id.get());
    found.fetch_optional(&mut *cx.db).await?.ok_or(ShopRefusal::CategoryNotFound)?;
    Ok(())
}

fn sorted(ids: &[i64]) -> Vec<i64> {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Writes an entry with the positions of what moved.
async fn audit(cx: &mut Context<'_>, mut entry: Entry, kind: &str, moved: &[Moved]) -> Result<(), Failure> {
    let position = |position: i32| -> Option<Value> { Some(position.into()) };
    for Moved { id, before, after } in moved {
        entry.add(&format!("{kind}_{id}.position"), position(*before), position(*after));
    }
    cx.audit(entry).await?;
    cx.invalidate([shop_key()]);
    Ok(())
}
