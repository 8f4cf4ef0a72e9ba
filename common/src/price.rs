//! The price of coins: the conversion between money and coins.

/// The price of a payment, fixed when the payment is created.
#[derive(Debug, Clone, Copy)]
pub struct CoinPrice {
    /// The amount of the payment in minor units. More than zero.
    pub amount: i64,
    /// The coins for exactly this amount.
    pub coins: i64,
    /// The rate for other amounts: `rate_coins` for `rate_amount` minor units. Both more than zero.
    pub rate_amount: i64,
    pub rate_coins: i64,
}

impl CoinPrice {
    /// The coins for all money received (minor units), rounded down.
    ///
    /// Each full `amount` gives `coins`. The rest is converted at the rate and gives at most `coins`,
    /// so a part of a package has no discount. The result depends only on the sum. The number and the
    /// order of the transfers do not matter.
    #[must_use]
    pub fn coins_for(&self, received: i64) -> i64 {
        let received = received.max(0);
        let whole = i128::from(received / self.amount) * i128::from(self.coins);
        let rest =
            i128::from(received % self.amount) * i128::from(self.rate_coins) / i128::from(self.rate_amount);
        i64::try_from(whole + rest.min(i128::from(self.coins))).unwrap_or(i64::MAX)
    }

    /// The smallest amount (minor units) that gives this many coins at the rate.
    #[must_use]
    pub fn amount_of(coins: i64, rate_amount: i64, rate_coins: i64) -> i64 {
        let amount = (i128::from(coins) * i128::from(rate_amount) + i128::from(rate_coins) - 1)
            / i128::from(rate_coins);
        i64::try_from(amount).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::CoinPrice;

    /// 1,100 coins for 100.00. At the rate, 1.00 gives 10 coins.
    const PACKAGE: CoinPrice = CoinPrice { amount: 10_000, coins: 1100, rate_amount: 100, rate_coins: 10 };

    #[test]
    fn only_the_full_amount_has_the_discount() {
        for (received, coins) in [
            (0, 0),
            (1, 0),
            (10, 1),
            (9_999, 999),
            (10_000, 1100),
            (10_001, 1100),
            (10_010, 1101),
            (20_000, 2200),
        ] {
            assert_eq!(PACKAGE.coins_for(received), coins, "{received}");
        }
    }

    #[test]
    fn more_money_never_gives_fewer_coins() {
        for price in [PACKAGE, CoinPrice { coins: 900, ..PACKAGE }, CoinPrice { coins: 1, ..PACKAGE }] {
            let coins: Vec<i64> = (0..30_000).map(|received| price.coins_for(received)).collect();
            assert!(coins.is_sorted());
        }
    }

    #[test]
    fn the_amount_for_coins_gives_exactly_these_coins() {
        for (rate_amount, rate_coins) in [(100, 10), (100, 3), (1, 7), (999, 1000)] {
            for coins in 1..2000 {
                let amount = CoinPrice::amount_of(coins, rate_amount, rate_coins);
                let price = CoinPrice { amount, coins, rate_amount, rate_coins };
                assert_eq!(price.coins_for(amount), coins);
                assert!(amount == 1 || price.coins_for(amount - 1) <= coins);
            }
        }
        assert_eq!(CoinPrice::amount_of(i64::MAX, i64::MAX, 1), i64::MAX);
    }
}
