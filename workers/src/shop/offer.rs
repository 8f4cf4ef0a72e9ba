//! Creates, changes and archives offers.

use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    shop::{
        CategoryId, CreateOffer, DestroyOffer, EditOffer, OfferDestroyed, OfferId, OfferSaved, ShopRefusal,
        UpdateOffer, shop_key,
    },
};
use sqlx::types::Json;

use crate::engine::rule::{Context, Rule};

const NAME_UNIQUE: &str = "shop_offers_name_unique";
const CATEGORY: &str = "shop_offers_category";

impl Rule for CreateOffer {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferSaved, Failure> {
        let Self(fields) = self;
        let saved = sqlx::query_as!(
            OfferSaved,
            r#"insert into shop_offers
                   (category_id, name, description, price, grants, position, hidden, stock, account_limit)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               returning offer_id as "offer_id: OfferId", category_id as "category_id!: CategoryId", name, version"#,
            fields.category_id.get(),
            &*fields.name,
            &*fields.description,
            fields.price.get(),
            Json(&fields.grants) as _,
            fields.position.get(),
            fields.hidden,
            fields.stock.map(|stock| stock.get()),
            fields.account_limit.map(|limit| limit.get()),
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::OfferNameTaken)
        .on_constraint(CATEGORY, ShopRefusal::CategoryNotFound)?;
        cx.invalidate([shop_key()]);
        Ok(saved)
    }
}

impl Rule for EditOffer {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferSaved, Failure> {
        let version = sqlx::query_scalar!(
            "select version from shop_offers where offer_id = $1 and archived_at is null for update",
            self.offer_id.get(),
        );
        let version = version.fetch_optional(&mut *cx.db).await?.ok_or(ShopRefusal::OfferNotFound)?;
        if self.expected_version.get() != version {
            return Err(ShopRefusal::OfferChanged.into());
        }
        let fields = &self.fields;
        let saved = sqlx::query_as!(
            OfferSaved,
            r#"update shop_offers
               set category_id = $2, name = $3, description = $4, price = $5, grants = $6, position = $7,
                   hidden = $8, account_limit = $9, updated_at = $10, version = version + 1
               where offer_id = $1
               returning offer_id as "offer_id: OfferId", category_id as "category_id!: CategoryId", name, version"#,
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
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::OfferNameTaken)
        .on_constraint(CATEGORY, ShopRefusal::CategoryNotFound)?;
        cx.invalidate([shop_key()]);
        Ok(saved)
    }
}

impl Rule for UpdateOffer {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferSaved, Failure> {
        let fields = &self.fields;
        let saved = sqlx::query_as!(
            OfferSaved,
            r#"update shop_offers
               set category_id = $2, name = $3, description = $4, price = $5, grants = $6, position = $7,
                   hidden = $8, stock = $9, account_limit = $10, updated_at = $11, version = version + 1
               where offer_id = $1 and archived_at is null
               returning offer_id as "offer_id: OfferId", category_id as "category_id!: CategoryId", name, version"#,
            self.offer_id.get(),
            fields.category_id.get(),
            &*fields.name,
            &*fields.description,
            fields.price.get(),
            Json(&fields.grants) as _,
            fields.position.get(),
            fields.hidden,
            fields.stock.map(|stock| stock.get()),
            fields.account_limit.map(|limit| limit.get()),
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::OfferNameTaken)
        .on_constraint(CATEGORY, ShopRefusal::CategoryNotFound)?
        .ok_or(ShopRefusal::OfferNotFound)?;
        cx.invalidate([shop_key()]);
        Ok(saved)
    }
}

impl Rule for DestroyOffer {
    /// The row is archived and not deleted, because purchases and open deliveries refer to it.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<OfferDestroyed, Failure> {
        let destroyed = sqlx::query_as!(
            OfferDestroyed,
            r#"update shop_offers set archived_at = $2 where offer_id = $1 and archived_at is null
               returning offer_id as "offer_id: OfferId""#,
            self.offer_id.get(),
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(ShopRefusal::OfferNotFound)?;
        cx.invalidate([shop_key()]);
        Ok(destroyed)
    }
}
