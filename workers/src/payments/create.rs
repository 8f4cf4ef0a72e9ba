//! Asking for money: the charge is in our books before any provider hears of it.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        actor::AccountId,
        coins::PackageId,
        command::Failure,
        notification::Provider,
        payment::{CreatePayment, PaymentRefusal, PurchaseTarget},
    },
    money::{Currency, Money},
    payment_codes::{Amount, Scheme},
    price::Price,
};

use crate::{
    engine::rule::{Context, DeferredRule},
    jobs::Job,
    providers::Providers,
};

/// Payments of one account that can be made at one time.
const MOST_OPEN: i64 = 20;

/// Payments that one account may ask for in an hour: each is a request to the bank.
const MOST_AN_HOUR: i64 = 60;

/// How soon a charge is looked at for the first time, should no notification come.
const FIRST_LOOK: TimeDelta = TimeDelta::minutes(2);

impl DeferredRule for CreatePayment {
    async fn start(&self, cx: &mut Context<'_>) -> Result<(), Failure> {
        let payment_id = cx.operation_id.0;
        let begun = sqlx::query!("select from payments where payment_id = $1", payment_id);
        if begun.fetch_optional(&mut *cx.db).await?.is_none() {
            ask(self, cx).await?;
        }
        Ok(cx.schedule(&Job::RegisterCharge { payment_id }, cx.now).await?)
    }
}

async fn ask(command: &CreatePayment, cx: &mut Context<'_>) -> Result<(), Failure> {
    let (account_id, payment_id) = (cx.account_id()?, cx.operation_id.0);
    must_have_few_open(cx, account_id).await?;
    let (scheme, provider, price) = match command.target {
        PurchaseTarget::Package(id) => {
            let (currency, price) = package(cx, id).await?;
            let (scheme, provider) = scheme(cx, command.scheme, Some(currency))?;
            (scheme, provider, price)
        }
        PurchaseTarget::Coins(coins) => {
            let (scheme, provider) = scheme(cx, command.scheme, None)?;
            (scheme, provider, at_the_rate(cx, scheme.currency(), coins.get()).await?)
        }
    };
    let currency = scheme.currency();
    Amount::new(Money::new(price.amount, currency)).map_err(|_| PaymentRefusal::AmountTooLarge)?;
    let expires_at = cx.now + cx.settings.payments.payment_lifetime;
    sqlx::query!(
        "insert into payments (payment_id, account_id, provider, scheme, reference, package_id, currency,
                                   amount, coins, rate_amount, rate_coins, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        payment_id,
        account_id.get(),
        provider.name(),
        scheme.name(),
        Providers::reference(provider, payment_id),
        match command.target {
            PurchaseTarget::Package(id) => Some(id.get()),
            PurchaseTarget::Coins(_) => None,
        },
        currency.code(),
        price.amount,
        price.coins,
        price.rate_amount,
        price.rate_coins,
        cx.now,
        expires_at,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(cx.schedule(&Job::WatchCharge { payment_id }, expires_at.min(cx.now + FIRST_LOOK)).await?)
}

async fn must_have_few_open(cx: &mut Context<'_>, account_id: AccountId) -> Result<(), Failure> {
    let asked = sqlx::query!(
        r#"select count(*) filter (where created_at > $2::timestamptz - interval '1 hour') as "hour!",
                  count(*) filter (where expires_at > $2 and status in ('created', 'pending')) as "open!"
           from payment_states where account_id = $1 and created_at > $2::timestamptz - interval '1 day'"#,
        account_id.get(),
        cx.now,
    )
    .fetch_one(&mut *cx.db)
    .await?;
    if asked.open >= MOST_OPEN {
        return Err(PaymentRefusal::TooManyOpen.into());
    }
    if asked.hour >= MOST_AN_HOUR {
        return Err(PaymentRefusal::TooManyAsked.into());
    }
    Ok(())
}

/// The scheme that was asked for, or else the one for the currency, or else the usual one.
fn scheme(
    cx: &Context<'_>,
    wanted: Option<Scheme>,
    currency: Option<Currency>,
) -> Result<(Scheme, Provider), Failure> {
    let offered = cx.providers.schemes();
    let found = match (wanted, currency) {
        (Some(wanted), _) => offered.into_iter().find(|(scheme, _)| *scheme == wanted),
        (None, Some(currency)) => offered.into_iter().find(|(scheme, _)| scheme.currency() == currency),
        (None, None) => offered.into_iter().next(),
    };
    let (scheme, provider) = found.ok_or(PaymentRefusal::SchemeUnavailable)?;
    if currency.is_some_and(|currency| currency != scheme.currency()) {
        return Err(PaymentRefusal::CurrencyMismatch.into());
    }
    Ok((scheme, provider))
}

async fn package(cx: &mut Context<'_>, id: PackageId) -> Result<(Currency, Price), Failure> {
    let row = sqlx::query!(
        "select package.currency, package.amount, package.coins,
                rate.amount as rate_amount, rate.coins as rate_coins
         from coin_packages as package join coin_rates as rate using (currency)
         where package_id = $1 and retired_at is null",
        id.get(),
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .ok_or(PaymentRefusal::PackageNotFound)?;
    let currency = row.currency.parse().map_err(|_| PaymentRefusal::PackageNotFound)?;
    let (amount, coins, rate_amount, rate_coins) = (row.amount, row.coins, row.rate_amount, row.rate_coins);
    Ok((currency, Price { amount, coins, rate_amount, rate_coins }))
}

async fn at_the_rate(cx: &mut Context<'_>, currency: Currency, coins: i64) -> Result<Price, Failure> {
    let rate = sqlx::query!("select amount, coins from coin_rates where currency = $1", currency.code())
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(PaymentRefusal::NoPrice)?;
    let amount = Price::amount_of(coins, rate.amount, rate.coins);
    Ok(Price { amount, coins, rate_amount: rate.amount, rate_coins: rate.coins })
}
