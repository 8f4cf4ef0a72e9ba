use anyhow::Context;
use clap::Subcommand;
use guildhall_common::{
    contract::{
        coins::{CoinCount, PackageFields, PackageId, PackageName},
        shop::Position,
    },
    money::{Currency, Money},
};
use guildhall_workers::operator::price_list;

use crate::cli::app_args::AppArgs;

#[derive(Subcommand)]
pub(crate) enum CoinsCommand {
    /// List the rates and the packages
    List {
        #[command(flatten)]
        app: AppArgs,
    },
    /// Set the rate of a currency: the coins for an amount, outside of packages
    Rate {
        currency: Currency,
        /// The amount, for example 1.00
        amount: String,
        coins: CoinCount,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Add a package. Its currency must have a rate
    AddPackage {
        name: PackageName,
        currency: Currency,
        /// The amount, for example 25.00
        amount: String,
        coins: CoinCount,
        /// The place in the list. Smaller numbers come first
        #[arg(long, default_value = "10")]
        position: Position,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Take a package off sale
    RetirePackage {
        id: PackageId,
        #[command(flatten)]
        app: AppArgs,
    },
}

fn money(amount: &str, currency: Currency) -> anyhow::Result<Money> {
    let money = Money::parse(amount, currency).with_context(|| format!("the amount {amount} is invalid"))?;
    anyhow::ensure!(money.minor() > 0, "the amount must be more than zero");
    Ok(money)
}

impl CoinsCommand {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { app } => {
                let list = price_list::read(&app.start()?.database).await?;
                for rate in list.rates {
                    println!("rate\t{}\t{} coins", rate.price, rate.coins);
                }
                for package in list.packages {
                    let state = if package.retired { "\tretired" } else { "" };
                    let (id, name) = (package.package_id, package.name);
                    println!("{id}\t{}\t{} coins\t{name}{state}", package.price, package.coins);
                }
            }
            Self::Rate { currency, amount, coins, app } => {
                price_list::set_rate(&app.start()?, money(&amount, currency)?, coins).await?;
            }
            Self::AddPackage { name, currency, amount, coins, position, app } => {
                let fields = PackageFields { name, price: money(&amount, currency)?, coins, position };
                println!("{}", price_list::add_package(&app.start()?, &fields).await?);
            }
            Self::RetirePackage { id, app } => price_list::retire_package(&app.start()?, id).await?,
        }
        Ok(())
    }
}
