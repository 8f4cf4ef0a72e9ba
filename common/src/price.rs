//! How many coins money is worth.

/// What was agreed on when a payment was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// Minor units asked for; more than zero.
    pub amount: i64,
    /// Coins for exactly that.
    pub coins: i64,
    /// `rate_coins` for `rate_amount` minor units: what other money is worth. Both more than zero.
    pub rate_amount: i64,
    pub rate_coins: i64,
}

impl Price {
    /// Coins for this much money in all (minor units), rounded down.
    ///
    /// A whole amount is worth the price's coins each time; what is more or less is worth the
    /// plain rate, and never more than the price's coins: nobody gets a package's discount for
    /// less than the package. It depends on the sum alone, so it does not matter in how many
    /// parts and in which order the money came.
    #[must_use]
    pub fn coins_for(&self, received: i64) -> i64 {
        let received = received.max(0);
        let whole = i128::from(received / self.amount) * i128::from(self.coins);
        let rest =
            i128::from(received % self.amount) * i128::from(self.rate_coins) / i128::from(self.rate_amount);
        i64::try_from(whole + rest.min(i128::from(self.coins))).unwrap_or(i64::MAX)
    }

    /// The least minor units that are worth this many coins at the rate.
    #[must_use]
    pub fn amount_of(coins: i64, rate_amount: i64, rate_coins: i64) -> i64 {
        let amount = (i128::from(coins) * i128::from(rate_amount) + i128::from(rate_coins) - 1)
            / i128::from(rate_coins);
        i64::try_from(amount).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::Price;

    /// 100.00 for 1,100 coins, where 1.00 is worth 10.
    const PACKAGE: Price = Price { amount: 10_000, coins: 1100, rate_amount: 100, rate_coins: 10 };

    #[test]
    fn the_discount_is_for_the_whole_amount() {
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
    fn more_money_is_never_worth_less() {
        for price in [PACKAGE, Price { coins: 900, ..PACKAGE }, Price { coins: 1, ..PACKAGE }] {
            let coins: Vec<i64> = (0..30_000).map(|received| price.coins_for(received)).collect();
            assert!(coins.is_sorted());
        }
    }

    #[test]
    fn coins_cost_what_they_are_worth() {
        for (rate_amount, rate_coins) in [(100, 10), (100, 3), (1, 7), (999, 1000)] {
            for coins in 1..2000 {
                let amount = Price::amount_of(coins, rate_amount, rate_coins);
                let price = Price { amount, coins, rate_amount, rate_coins };
                assert_eq!(price.coins_for(amount), coins);
                assert!(amount == 1 || price.coins_for(amount - 1) <= coins);
            }
        }
        assert_eq!(Price::amount_of(i64::MAX, i64::MAX, 1), i64::MAX);
    }
}
