//! Creates, changes and deletes categories.

use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    shop::{
        CategoryDestroyed, CategoryFields, CategoryId, CategorySaved, CreateCategory, DestroyCategory,
        EditCategory, ShopRefusal, ShopVersion, UpdateCategory, shop_key,
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
               returning category_id as "category_id: CategoryId", name, version"#,
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

impl Rule for EditCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        edit(cx, self.category_id, Some(self.expected_version), &self.fields).await
    }
}

impl Rule for UpdateCategory {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CategorySaved, Failure> {
        edit(cx, self.category_id, None, &self.fields).await
    }
}

async fn edit(
    cx: &mut Context<'_>,
    category_id: CategoryId,
    expected_version: Option<ShopVersion>,
    fields: &CategoryFields,
) -> Result<CategorySaved, Failure> {
    let version = sqlx::query_scalar!(
        "select version from shop_categories where category_id = $1 for update",
        category_id.get()
    );
    let version = version.fetch_optional(&mut *cx.db).await?.ok_or(ShopRefusal::CategoryNotFound)?;
    if expected_version.is_some_and(|expected| expected.get() != version) {
        return Err(ShopRefusal::CategoryChanged.into());
    }
    let saved = sqlx::query_as!(
        CategorySaved,
        r#"update shop_categories
           set name = $2, description = $3, position = $4, hidden = $5, updated_at = $6, version = version + 1
           where category_id = $1 returning category_id as "category_id: CategoryId", name, version"#,
        category_id.get(),
        &*fields.name,
        &*fields.description,
        fields.position.get(),
        fields.hidden,
        cx.now,
    )
    .fetch_one(&mut *cx.db)
    .await
    .on_constraint(NAME_UNIQUE, ShopRefusal::CategoryNameTaken)?;
    cx.invalidate([shop_key()]);
    Ok(saved)
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
