//! Creates, changes and deletes categories.

use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    shop::{
        CategoryDestroyed, CategoryId, CategorySaved, CreateCategory, DestroyCategory, EditCategory,
        ShopRefusal, shop_key,
    },
};
use serde_json::{Value, json};

use crate::engine::{audit::Entry, context::Context, rule::Rule};

const NAME_UNIQUE: &str = "shop_categories_name_unique";

impl Rule for CreateCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        let Self(fields) = self;
        let saved = sqlx::query!(
            r#"insert into shop_categories (name, description, position, hidden) values ($1, $2, $3, $4)
               returning category_id as "category_id: CategoryId", name, version,
                         to_jsonb(shop_categories) as "row!""#,
            &*fields.name,
            &*fields.description,
            fields.position.get(),
            fields.hidden,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::CategoryNameTaken)?;
        let entry = Entry::new("shop.create_category", json!({ "category_id": saved.category_id }));
        cx.audit(entry.row(&Value::Null, &saved.row)).await?;
        cx.invalidate([shop_key()]);
        Ok(CategorySaved { category_id: saved.category_id, name: saved.name, version: saved.version })
    }
}

impl Rule for EditCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        let fields = &self.fields;
        let before = sqlx::query!(
            r#"select version, to_jsonb(shop_categories) as "row!" from shop_categories
               where category_id = $1 for update"#,
            self.category_id.get()
        );
        let before = before.fetch_optional(&mut *cx.db).await?.ok_or(ShopRefusal::CategoryNotFound)?;
        if self.expected_version.get() != before.version {
            return Err(ShopRefusal::CategoryChanged.into());
        }
        let saved = sqlx::query!(
            r#"update shop_categories
               set name = $2, description = $3, position = $4, hidden = $5, updated_at = $6, version = version + 1
               where category_id = $1 returning name, version, to_jsonb(shop_categories) as "row!""#,
            self.category_id.get(),
            &*fields.name,
            &*fields.description,
            fields.position.get(),
            fields.hidden,
            cx.now,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(NAME_UNIQUE, ShopRefusal::CategoryNameTaken)?;
        let entry = Entry::new("shop.edit_category", json!({ "category_id": self.category_id }));
        cx.audit(entry.row(&before.row, &saved.row)).await?;
        cx.invalidate([shop_key()]);
        Ok(CategorySaved { category_id: self.category_id, name: saved.name, version: saved.version })
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
        let row = sqlx::query_scalar!(
            r#"delete from shop_categories where category_id = $1 returning to_jsonb(shop_categories) as "row!""#,
            self.category_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await
        .on_constraint("shop_offers_category", ShopRefusal::CategoryNotEmpty)?
        .ok_or(ShopRefusal::CategoryNotFound)?;
        let category_id = self.category_id;
        let entry = Entry::new("shop.destroy_category", json!({ "category_id": category_id }));
        cx.audit(entry.row(&row, &Value::Null)).await?;
        cx.invalidate([shop_key()]);
        Ok(CategoryDestroyed { category_id })
    }
}
