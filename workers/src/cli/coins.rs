use anyhow::Context;
use clap::Subcommand;
use guildhall_common::money::{Currency, Money};
use guildhall_workers::operator::price_list;

use crate::cli::With;

#[derive(Subcommand)]
pub(crate) enum Coins {
    /// List what is sold
    List {
        #[command(flatten)]
        with: With,
    },
    /// Set the plain rate of a currency: this many coins for this much money
    Rate {
        currency: Currency,
        /// 1.00
        amount: String,
        coins: i64,
        #[command(flatten)]
        with: With,
    },
    /// Sell a package; its currency needs a rate first
    AddPackage {
        name: String,
        currency: Currency,
        /// 25.00
        amount: String,
        coins: i64,
        /// Small comes first in the list
        #[arg(long, default_value_t = 10)]
        position: i32,
        #[command(flatten)]
        with: With,
    },
    /// Do not sell a package any more
    RetirePackage {
        id: i64,
        #[command(flatten)]
        with: With,
    },
}

fn money(amount: &str, currency: Currency) -> anyhow::Result<Money> {
    let money = Money::parse(amount, currency).with_context(|| format!("the amount {amount}"))?;
    anyhow::ensure!(money.minor() > 0, "the amount must be more than zero");
    Ok(money)
}

impl Coins {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { with } => {
                let list = price_list::read(&with.site()?.database).await?;
                for rate in list.rates {
                    println!("rate\t{}\t{} coins", rate.price, rate.coins);
                }
                for package in list.packages {
                    let state = if package.retired { "\tretired" } else { "" };
                    let (id, name) = (package.package_id, package.name);
                    println!("{id}\t{}\t{} coins\t{name}{state}", package.price, package.coins);
                }
            }
            Self::Rate { currency, amount, coins, with } => {
                price_list::set_rate(&with.site()?, money(&amount, currency)?, coins).await?;
            }
            Self::AddPackage { name, currency, amount, coins, position, with } => {
                let price = money(&amount, currency)?;
                println!("{}", price_list::add_package(&with.site()?, &name, price, coins, position).await?);
            }
            Self::RetirePackage { id, with } => price_list::retire_package(&with.site()?, id).await?,
        }
        Ok(())
    }
}
