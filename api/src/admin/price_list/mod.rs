//! The price list of coins, for administrators.

mod bodies;
mod packages;
mod rates;

use guildhall_common::contract::{
    coins::PackageFields,
    payment::{CreateCoinPackage, EditCoinPackage, RetireCoinPackage, SetCoinRate},
    values::{Limit, Page},
};
use poem_openapi::OpenApi;

use crate::{
    admin::price_list::{
        bodies::{ChangedCoinPackage, NewCoinPackage, NewCoinRate, PackageToRetire},
        packages::{AdminCoinPackage, AllPackages},
        rates::{CoinRates, read_rates},
    },
    auth::{Admin, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        paging::{Paging, default_limit, first_page},
        parameters::Query,
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct PriceList {
    pub state: State,
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
        let command = SetCoinRate { price, coins, expected_version };
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
        self.state.lists.private_page(&AllPackages, Paging::new(page.0, limit.0, after.0)).await
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
        let command = CreateCoinPackage(PackageFields { name, price, coins, position });
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
        let fields = PackageFields { name, price, coins, position };
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
