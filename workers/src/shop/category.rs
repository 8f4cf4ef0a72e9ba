//! Creates, changes and deletes categories.

use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    shop::{
        CategoryDestroyed, CategoryId, CategorySaved, CreateCategory, DestroyCategory, ShopRefusal,
        UpdateCategory, shop_key,
    },
};

use crate::engine::rule::{Context, Rule};

const NAME_UNIQUE: &str = "shop_categories_name_unique";

impl Rule for CreateCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        let Self(fields) = self;
        let saved = sqlx::query_as!(
            CategorySaved,
            r#"insert into shop_categories (name, description, position, hidden) values ($1, $2, $3, $4)
               returning category_id as "category_id: CategoryId", name"#,
            &*fields.name,
            &*fields.description,
            fields.position.get(),
            fields.hidden,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::CategoryNameTaken)?;
        cx.invalidate([shop_key()]);
        Ok(saved)
    }
}

impl Rule for UpdateCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        let saved = sqlx::query_as!(
            CategorySaved,
            r#"update shop_categories
               set name = $2, description = $3, position = $4, hidden = $5, updated_at = $6
               where category_id = $1 returning category_id as "category_id: CategoryId", name"#,
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
        cx.invalidate([shop_key()]);
        Ok(saved)
    }
}

impl Rule for DestroyCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategoryDestroyed, Failure> {
        // Archived offers stay for the history, and need no category.
        sqlx::query!(
            "update shop_offers set category_id = null where category_id = $1 and archived_at is not null",
            self.category_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        let destroyed = sqlx::query_as!(
            CategoryDestroyed,
            r#"delete from shop_categories where category_id = $1 returning category_id as "category_id: CategoryId""#,
            self.category_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await
        .on_constraint("shop_offers_category", ShopRefusal::CategoryNotEmpty)?
        .ok_or(ShopRefusal::CategoryNotFound)?;
        cx.invalidate([shop_key()]);
        Ok(destroyed)
    }
}
