//! Creates a payment. It is stored before its charge is registered with the provider.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        actor::AccountId,
        coins::PackageId,
        command::Failure,
        payment::{CreatePayment, PaymentCreated, PaymentId, PaymentRefusal, PurchaseTarget},
        providers::Provider,
    },
    money::{Currency, Money},
    payment_codes::{Amount, Scheme},
    price::CoinPrice,
};

use crate::{
    engine::{context::Context, rule::Rule},
    payments::{check_charge::CheckCharge, register_charge::RegisterCharge},
};

/// The maximum number of open payments of one account.
const MAX_OPEN: i64 = 20;

/// The maximum number of payments that one account can create in an hour. Each one is a request to the bank.
const MAX_PER_HOUR: i64 = 60;

/// How soon a charge is checked for the first time, in case a notification is lost.
const FIRST_CHECK: TimeDelta = TimeDelta::minutes(2);

impl Rule for CreatePayment {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PaymentCreated, Failure> {
        let payment_id = PaymentId::from(cx.operation_id);
        let existing = sqlx::query!("select from payments where payment_id = $1", payment_id.get());
        if existing.fetch_optional(&mut *cx.db).await?.is_none() {
            create(self, cx).await?;
        }
        cx.schedule(&RegisterCharge { payment_id }, cx.now).await?;
        Err(Failure::Deferred)
    }
}

async fn create(command: &CreatePayment, cx: &mut Context<'_>) -> Result<(), Failure> {
    let account_id = cx.account_id()?;
    check_limits(cx, account_id).await?;
    let (scheme, provider, price) = choose_price(command, cx).await?;
    Amount::new(Money::new(price.amount, scheme.currency())).map_err(|_| PaymentRefusal::AmountTooLarge)?;
    insert(command, cx, account_id, (scheme, provider), price).await
}

/// The scheme, its provider and the price of the payment.
async fn choose_price(
    command: &CreatePayment,
    cx: &mut Context<'_>,
) -> Result<(Scheme, Provider, CoinPrice), Failure> {
    match command.target {
        PurchaseTarget::Package(id) => {
            let (currency, price) = load_package(cx, id).await?;
            let (scheme, provider) = choose_scheme(cx, command.scheme, Some(currency))?;
            Ok((scheme, provider, price))
        }
        PurchaseTarget::Coins(coins) => {
            let (scheme, provider) = choose_scheme(cx, command.scheme, None)?;
            Ok((scheme, provider, price_at_rate(cx, scheme.currency(), coins.get()).await?))
        }
    }
}

async fn insert(
    command: &CreatePayment,
    cx: &mut Context<'_>,
    account_id: AccountId,
    (scheme, provider): (Scheme, Provider),
    price: CoinPrice,
) -> Result<(), Failure> {
    let payment_id = PaymentId::from(cx.operation_id);
    let operations = cx.services.providers.get(provider).map_err(|_| PaymentRefusal::SchemeUnavailable)?;
    let expires_at = cx.now + cx.settings.payments.payment_lifetime;
    sqlx::query!(
        "insert into payments (payment_id, account_id, provider, scheme, reference, package_id, currency,
                                   amount, coins, rate_amount, rate_coins, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        payment_id.get(),
        account_id.get(),
        provider.name(),
        scheme.name(),
        operations.reference(payment_id),
        match command.target {
            PurchaseTarget::Package(id) => Some(id.get()),
            PurchaseTarget::Coins(_) => None,
        },
        scheme.currency().code(),
        price.amount,
        price.coins,
        price.rate_amount,
        price.rate_coins,
        cx.now,
        expires_at,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(cx.schedule(&CheckCharge { payment_id }, expires_at.min(cx.now + FIRST_CHECK)).await?)
}

async fn check_limits(cx: &mut Context<'_>, account_id: AccountId) -> Result<(), Failure> {
    let recent = sqlx::query!(
        r#"select count(*) filter (where created_at > $2::timestamptz - interval '1 hour') as "last_hour!",
                  count(*) filter (where expires_at > $2 and status in ('created', 'pending')) as "open!"
           from payment_states where account_id = $1 and created_at > $2::timestamptz - interval '1 day'"#,
        account_id.get(),
        cx.now,
    )
    .fetch_one(&mut *cx.db)
    .await?;
    if recent.open >= MAX_OPEN {
        return Err(PaymentRefusal::TooManyOpen.into());
    }
    if recent.last_hour >= MAX_PER_HOUR {
        return Err(PaymentRefusal::TooManyCreated.into());
    }
    Ok(())
}

/// The requested scheme, else the first one with the currency, else the default scheme of the site.
fn choose_scheme(
    cx: &Context<'_>,
    requested: Option<Scheme>,
    currency: Option<Currency>,
) -> Result<(Scheme, Provider), Failure> {
    let mut schemes = cx.services.providers.schemes().into_iter();
    let chosen = match (requested, currency) {
        (Some(requested), _) => schemes.find(|(scheme, _)| *scheme == requested),
        (None, Some(currency)) => schemes.find(|(scheme, _)| scheme.currency() == currency),
        (None, None) => schemes.next(),
    };
    let (scheme, provider) = chosen.ok_or(PaymentRefusal::SchemeUnavailable)?;
    if currency.is_some_and(|currency| currency != scheme.currency()) {
        return Err(PaymentRefusal::CurrencyMismatch.into());
    }
    Ok((scheme, provider))
}

async fn load_package(cx: &mut Context<'_>, id: PackageId) -> Result<(Currency, CoinPrice), Failure> {
    let row = sqlx::query!(
        r#"select package.currency as "currency: Currency", package.amount, package.coins,
                  rate.amount as rate_amount, rate.coins as rate_coins
           from coin_packages as package join coin_rates as rate using (currency)
           where package_id = $1 and retired_at is null"#,
        id.get(),
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .ok_or(PaymentRefusal::PackageNotFound)?;
    let (amount, coins, rate_amount, rate_coins) = (row.amount, row.coins, row.rate_amount, row.rate_coins);
    Ok((row.currency, CoinPrice { amount, coins, rate_amount, rate_coins }))
}

async fn price_at_rate(cx: &mut Context<'_>, currency: Currency, coins: i64) -> Result<CoinPrice, Failure> {
    let rate = sqlx::query!("select amount, coins from coin_rates where currency = $1", currency.code())
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(PaymentRefusal::NoPrice)?;
    let amount = CoinPrice::amount_of(coins, rate.amount, rate.coins);
    Ok(CoinPrice { amount, coins, rate_amount: rate.amount, rate_coins: rate.coins })
}
