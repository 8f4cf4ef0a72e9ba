//! Changes the stock of an offer.

use guildhall_common::contract::{
    command::Failure,
    shop::{ChangeStock, OfferId, ShopRefusal, Stock, StockChange, StockChanged, shop_key},
};

use crate::engine::{audit::Entry, context::Context, rule::Rule};

impl Rule for ChangeStock {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<StockChanged, Failure> {
        let stock = sqlx::query_scalar!(
            "select stock from shop_offers where offer_id = $1 and archived_at is null for no key update",
            self.offer_id.get(),
        );
        let stock = stock.fetch_optional(&mut *cx.db).await?.ok_or(ShopRefusal::OfferNotFound)?;
        let changed = sqlx::query_as!(
            StockChanged,
            r#"update shop_offers set stock = $2 where offer_id = $1 returning offer_id as "offer_id: OfferId", stock"#,
            self.offer_id.get(),
            next_stock(stock, &self.change)?.map(|stock| stock.get()),
        )
        .fetch_one(&mut *cx.db)
        .await?;
        let mut entry = Entry::new("shop.change_stock", serde_json::json!({ "offer_id": self.offer_id }));
        entry.add("stock", stock.map(Into::into), changed.stock.map(Into::into));
        cx.audit(entry).await?;
        cx.invalidate([shop_key()]);
        Ok(changed)
    }
}

/// The stock after the change. None means no limit.
fn next_stock(stock: Option<i32>, change: &StockChange) -> Result<Option<Stock>, ShopRefusal> {
    match change {
        StockChange::Add(pieces) => {
            let stock = stock.ok_or(ShopRefusal::StockUnlimited)?;
            let next = Stock::try_from(i64::from(stock) + i64::from(pieces.get()));
            next.map(Some).map_err(|_| ShopRefusal::StockOutOfRange)
        }
        StockChange::Set { stock: next, expected } => {
            if expected.map(|expected| expected.get()) != stock {
                return Err(ShopRefusal::StockChanged);
            }
            Ok(*next)
        }
    }
}

/// Puts the pieces of a discarded delivery, which were taken from a stock, back on sale, if the stock of their offer is still limited.
pub(crate) async fn give_back(cx: &mut Context<'_>, offer_id: OfferId, quantity: i32) -> sqlx::Result<()> {
    change(cx, offer_id, quantity).await.map(drop)
}

/// Takes the pieces of a delivery that was discarded and is not any more. False: others have bought some of them meanwhile, and the
/// stock is empty.
pub(crate) async fn take_again(cx: &mut Context<'_>, offer_id: OfferId, quantity: i32) -> sqlx::Result<bool> {
    change(cx, offer_id, -quantity).await
}

/// Changes a limited stock as far as possible. Returns whether that is the whole change.
async fn change(cx: &mut Context<'_>, offer_id: OfferId, pieces: i32) -> sqlx::Result<bool> {
    let changed = sqlx::query_scalar!(
        r#"with former as (
               select offer_id, stock from shop_offers where offer_id = $1 and stock is not null for no key update
           )
           update shop_offers set stock = least(1000000, greatest(0, former.stock + $2))
           from former where shop_offers.offer_id = former.offer_id
           returning former.stock + $2 >= 0 as "is_whole!""#,
        offer_id.get(),
        pieces,
    );
    let Some(is_whole) = changed.fetch_optional(&mut *cx.db).await? else { return Ok(true) };
    cx.invalidate([shop_key()]);
    Ok(is_whole)
}
