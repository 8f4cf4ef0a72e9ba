//! Creates, changes and archives offers.

use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    shop::{
        CategoryId, CreateOffer, DestroyOffer, EditOffer, OfferDestroyed, OfferId, OfferSaved, ShopRefusal,
        shop_key,
    },
};
use serde_json::{Value, json};
use sqlx::types::Json;

use crate::engine::{audit::Entry, context::Context, rule::Rule};

const NAME_UNIQUE: &str = "shop_offers_name_unique";
const CATEGORY: &str = "shop_offers_category";

/// A saved offer. The audit log compares its whole row with the one before.
struct SavedRow {
    offer_id: OfferId,
    category_id: CategoryId,
    name: String,
    version: i32,
    row: Value,
}

impl From<SavedRow> for OfferSaved {
    fn from(SavedRow { offer_id, category_id, name, version, .. }: SavedRow) -> Self {
        Self { offer_id, category_id, name, version }
    }
}

/// An offer before a change.
struct LockedRow {
    version: i32,
    row: Value,
}

/// Locks an offer that is not archived.
async fn lock(cx: &mut Context<'_>, offer_id: OfferId) -> Result<LockedRow, Failure> {
    let locked = sqlx::query_as!(
        LockedRow,
        r#"select version, to_jsonb(shop_offers) as "row!" from shop_offers
           where offer_id = $1 and archived_at is null for no key update"#,
        offer_id.get(),
    );
    Ok(locked.fetch_optional(&mut *cx.db).await?.ok_or(ShopRefusal::OfferNotFound)?)
}

impl Rule for CreateOffer {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferSaved, Failure> {
        let Self(fields) = self;
        let saved = sqlx::query_as!(
            SavedRow,
            r#"insert into shop_offers
                   (category_id, name, description, price, grants, position, hidden, stock, account_limit, picture)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, ''))
               returning offer_id as "offer_id: OfferId", category_id as "category_id!: CategoryId", name, version,
                         to_jsonb(shop_offers) as "row!""#,
            fields.category_id.get(),
            &*fields.name,
            &*fields.description,
            fields.price.get(),
            Json(&fields.grants) as _,
            fields.position.get(),
            fields.hidden,
            fields.stock.map(|stock| stock.get()),
            fields.account_limit.map(|limit| limit.get()),
            fields.picture.as_deref(),
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::OfferNameTaken)
        .on_constraint(CATEGORY, ShopRefusal::CategoryNotFound)?;
        let entry = Entry::new("shop.create_offer", json!({ "offer_id": saved.offer_id }));
        cx.audit(entry.row(&Value::Null, &saved.row)).await?;
        cx.invalidate([shop_key()]);
        Ok(saved.into())
    }
}

impl Rule for EditOffer {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferSaved, Failure> {
        let fields = &self.fields;
        let before = lock(cx, self.offer_id).await?;
        if self.expected_version.get() != before.version {
            return Err(ShopRefusal::OfferChanged.into());
        }
        let saved = sqlx::query_as!(
            SavedRow,
            r#"update shop_offers
               set category_id = $2, name = $3, description = $4, price = $5, grants = $6, position = $7, hidden = $8,
                   account_limit = $9, updated_at = $10,
                   version = version + 1, picture = coalesce($11, picture)
               where offer_id = $1
               returning offer_id as "offer_id: OfferId", category_id as "category_id!: CategoryId", name, version,
                         to_jsonb(shop_offers) as "row!""#,
            self.offer_id.get(),
            fields.category_id.get(),
            &*fields.name,
            &*fields.description,
            fields.price.get(),
            Json(&fields.grants) as _,
            fields.position.get(),
            fields.hidden,
            fields.account_limit.map(|limit| limit.get()),
            cx.now,
            fields.picture.as_deref(),
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::OfferNameTaken)
        .on_constraint(CATEGORY, ShopRefusal::CategoryNotFound)?;
        let entry = Entry::new("shop.edit_offer", json!({ "offer_id": self.offer_id }));
        cx.audit(entry.row(&before.row, &saved.row)).await?;
        cx.invalidate([shop_key()]);
        Ok(saved.into())
    }
}

impl Rule for DestroyOffer {
    /// The row is archived and not deleted, because purchases and open deliveries refer to it.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferDestroyed, Failure> {
        let before = lock(cx, self.offer_id).await?;
        sqlx::query!(
            "update shop_offers set archived_at = $2 where offer_id = $1",
            self.offer_id.get(),
            cx.now,
        )
        .execute(&mut *cx.db)
        .await?;
        let entry = Entry::new("shop.destroy_offer", json!({ "offer_id": self.offer_id }));
        cx.audit(entry.row(&before.row, &Value::Null)).await?;
        cx.invalidate([shop_key()]);
        Ok(OfferDestroyed { offer_id: self.offer_id })
    }
}
