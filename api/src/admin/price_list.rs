//! The price list of coins, for administrators. It has retired packages, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        coins::{CoinCount, PackageFields, PackageId, PackageName, PriceVersion},
        payment::{CreateCoinPackage, EditCoinPackage, RetireCoinPackage, SetCoinRate},
        shop::Position,
        values::{Limit, Page},
    },
    money::{Currency, Money},
};
use poem_openapi::{Object, OpenApi, param::Query};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::{Admin, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        list::{self, List},
        list_address::ListAddress,
        paging::{PageRows, Paging, default_limit, first_page},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct PriceList {
    pub state: State,
}

/// The rates of all currencies that have one.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct CoinRates {
    pub rates: Vec<CoinRate>,
}

/// The price of coins outside of packages, in one currency.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct CoinRate {
    pub price: Money,
    /// The coins for this price.
    pub coins: i64,
    /// Send it as `expected_version` of the next change.
    pub version: i32,
}

/// A coin package, on sale or retired.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminCoinPackage {
    pub package_id: PackageId,
    pub name: String,
    pub price: Money,
    pub coins: i64,
    /// Smaller numbers come first.
    pub position: i32,
    /// Send it as `expected_version` of the next edit.
    pub version: i32,
    /// Missing while it is on sale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<DateTime<Utc>>,
}

async fn read_rates(database: &PgPool) -> Result<CoinRates, Problem> {
    let rows = sqlx::query!(
        r#"select currency as "currency: Currency", amount, coins, version from coin_rates order by currency"#
    );
    let rates = rows.fetch_all(database).await?.into_iter().map(|row| CoinRate {
        price: Money::new(row.amount, row.currency),
        coins: row.coins,
        version: row.version,
    });
    Ok(CoinRates { rates: rates.collect() })
}

/// All packages, newest first.
struct AllPackages;

impl List for AllPackages {
    type Item = AdminCoinPackage;
    type Position = PackageId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from coin_packages limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<PackageId>,
    ) -> sqlx::Result<Vec<AdminCoinPackage>> {
        let rows = sqlx::query!(
            r#"select package_id as "package_id: PackageId", name, currency as "currency: Currency", amount, coins,
                      position, version, retired_at
               from coin_packages where $3::bigint is null or package_id < $3
               order by package_id desc limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            rows.after as Option<PackageId>,
        )
        .fetch_all(database)
        .await?;
        let packages = rows.into_iter().map(|row| AdminCoinPackage {
            package_id: row.package_id,
            name: row.name,
            price: Money::new(row.amount, row.currency),
            coins: row.coins,
            position: row.position,
            version: row.version,
            retired_at: row.retired_at,
        });
        Ok(packages.collect())
    }

    fn position(package: &AdminCoinPackage) -> PackageId {
        package.package_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/coins/packages")
    }
}

/// The rate of a currency.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCoinRate {
    price: Money,
    /// The coins for this price.
    coins: CoinCount,
    /// The version that the administrator has read. Missing: the currency has no rate yet.
    expected_version: Option<PriceVersion>,
}

/// A new coin package.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCoinPackage {
    name: PackageName,
    price: Money,
    coins: CoinCount,
    position: Position,
}

/// All fields of a coin package.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ChangedCoinPackage {
    package_id: PackageId,
    /// The version that the administrator has read. The edit is refused when the package has another one.
    expected_version: PriceVersion,
    name: PackageName,
    price: Money,
    coins: CoinCount,
    position: Position,
}

/// The coin package to take off sale.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PackageToRetire {
    package_id: PackageId,
}

/// # Errors
/// 400 when the price is not more than zero.
fn positive(price: Money) -> Result<Money, Problem> {
    if price.minor() > 0 { Ok(price) } else { Err(Problem::invalid("/price", "must be more than zero")) }
}

#[OpenApi(tag = "Tag::Administration")]
impl PriceList {
    /// List the rates of coins
    ///
    /// A currency without a rate has no packages.
    #[oai(path = "/admin/coins/rates", method = "get", operation_id = "admin_coin_rates")]
    async fn rates(&self, _caller: RequireRole<Admin>) -> Result<ReadResponse<CoinRates>, Problem> {
        ReadResponse::private(&read_rates(&self.state.database).await?)
    }

    /// Set the rate of a currency
    ///
    /// The coins for an amount, outside of packages. Existing payments keep the rate at which they were created.
    #[oai(path = "/admin/coins/set-rate", method = "post", operation_id = "admin_set_coin_rate")]
    async fn set_rate(
        &self,
        caller: SenderOf<SetCoinRate>,
        request: CommandRequest,
        body: JsonBody<NewCoinRate>,
    ) -> Result<CommandResponse<SetCoinRate>, Problem> {
        let NewCoinRate { price, coins, expected_version } = body.0;
        let command = SetCoinRate { price: positive(price)?, coins, expected_version };
        self.state.commands.send(&request, &caller, command).await
    }

    /// List all coin packages, newest first
    ///
    /// Including retired ones. `/payments/packages` has those on sale, in the order of the price list.
    #[oai(path = "/admin/coins/packages", method = "get", operation_id = "admin_coin_packages")]
    async fn packages(
        &self,
        _caller: RequireRole<Admin>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<AdminCoinPackage>>, Problem> {
        list::private_page(&self.state.database, &AllPackages, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Create a coin package
    ///
    /// Its currency must have a rate.
    #[oai(path = "/admin/coins/create-package", method = "post", operation_id = "admin_create_coin_package")]
    async fn create_package(
        &self,
        caller: SenderOf<CreateCoinPackage>,
        request: CommandRequest,
        body: JsonBody<NewCoinPackage>,
    ) -> Result<CommandResponse<CreateCoinPackage, 201>, Problem> {
        let NewCoinPackage { name, price, coins, position } = body.0;
        let command = CreateCoinPackage(PackageFields { name, price: positive(price)?, coins, position });
        self.state.commands.send(&request, &caller, command).await
    }

    /// Update a coin package
    ///
    /// All fields are replaced. Existing payments keep their price.
    #[oai(path = "/admin/coins/edit-package", method = "put", operation_id = "admin_edit_coin_package")]
    async fn edit_package(
        &self,
        caller: SenderOf<EditCoinPackage>,
        request: CommandRequest,
        body: JsonBody<ChangedCoinPackage>,
    ) -> Result<CommandResponse<EditCoinPackage>, Problem> {
        let ChangedCoinPackage { package_id, expected_version, name, price, coins, position } = body.0;
        let fields = PackageFields { name, price: positive(price)?, coins, position };
        let command = EditCoinPackage { package_id, expected_version, fields };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Take a coin package off sale
    ///
    /// Payments that were created before can still be paid. A retired package stays retired.
    #[oai(path = "/admin/coins/retire-package", method = "post", operation_id = "admin_retire_coin_package")]
    async fn retire_package(
        &self,
        caller: SenderOf<RetireCoinPackage>,
        request: CommandRequest,
        body: JsonBody<PackageToRetire>,
    ) -> Result<CommandResponse<RetireCoinPackage>, Problem> {
        let command = RetireCoinPackage { package_id: body.package_id };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    CoinRates { "rates": [{ "price": { "amount": "1.00", "currency": "BRL" }, "coins": 10, "version": 1 }] }
    AdminCoinPackage {
        "package_id": 1, "name": "A purse", "price": { "amount": "25.00", "currency": "BRL" }, "coins": 260,
        "position": 10, "version": 1
    }
    NewCoinRate { "price": { "amount": "1.00", "currency": "BRL" }, "coins": 10, "expected_version": 1 }
    NewCoinPackage {
        "name": "A purse", "price": { "amount": "25.00", "currency": "BRL" }, "coins": 260, "position": 10
    }
    ChangedCoinPackage {
        "package_id": 1, "expected_version": 1, "name": "A purse",
        "price": { "amount": "25.00", "currency": "BRL" }, "coins": 270, "position": 10
    }
    PackageToRetire { "package_id": 1 }
}
