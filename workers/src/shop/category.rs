//! Creating, changing and destroying a category.

use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    shop::{
        CategoryDestroyed, CategorySaved, CreateCategory, DestroyCategory, ShopRefusal, UpdateCategory,
        shop_key,
    },
};

use crate::engine::rule::{Context, Rule};

const NAME_UNIQUE: &str = "shop_categories_name_unique";

impl Rule for CreateCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        let Self(fields) = self;
        let saved = sqlx::query_as!(
            CategorySaved,
            "insert into shop_categories (name, description, position, hidden) values ($1, $2, $3, $4)
             returning category_id, name",
            &*fields.name,
            &*fields.description,
            fields.position.get(),
            fields.hidden,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::CategoryNameTaken)?;
        cx.stale([shop_key()]);
        Ok(saved)
    }
}

impl Rule for UpdateCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        let saved = sqlx::query_as!(
            CategorySaved,
            "update shop_categories
             set name = $2, description = $3, position = $4, hidden = $5, updated_at = $6
             where category_id = $1 returning category_id, name",
            self.category_id.get(),
            &*self.fields.name,
            &*self.fields.description,
            self.fields.position.get(),
            self.fields.hidden,
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::CategoryNameTaken)?
        .ok_or(ShopRefusal::CategoryNotFound)?;
        cx.stale([shop_key()]);
        Ok(saved)
    }
}

impl Rule for DestroyCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategoryDestroyed, Failure> {
        // What was taken out of the shop stays for the history, and needs no category.
        sqlx::query!(
            "update shop_offers set category_id = null where category_id = $1 and archived_at is not null",
            self.category_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        let destroyed = sqlx::query_as!(
            CategoryDestroyed,
            "delete from shop_categories where category_id = $1 returning category_id",
            self.category_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await
        .on_constraint("shop_offers_category", ShopRefusal::CategoryNotEmpty)?
        .ok_or(ShopRefusal::CategoryNotFound)?;
        cx.stale([shop_key()]);
        Ok(destroyed)
    }
}
