//! What must hold of the books whatever has happened.

use guildhall_common::payments::price::Price;

use super::support::{Caller, Site};

impl Site {
    /// The ledger sums to zero, balances are the sums of their entries, and each payment's coins are what its
    /// money is worth, to the unit.
    pub(crate) async fn books_agree(&self) {
        let all: i64 = self.number("select coalesce(sum(coins), 0)::bigint from coin_entries").await;
        assert_eq!(all, 0, "the ledger does not sum to zero");
        let wrong = self
            .number(
                "select count(*) from coin_accounts full join
                     (select account_id, sum(coins) as coins from coin_entries where book = 'player' group by 1) as sums
                     using (account_id)
                 where balance is distinct from coins or debt <> greatest(0, -balance)",
            )
            .await;
        assert_eq!(wrong, 0, "a balance is not the sum of its entries");
        let payments: Vec<(uuid::Uuid, i64, i64, i64, i64, i64, i64)> = sqlx::query_as(
            "select payment_id, amount, coins, rate_amount, rate_coins, counted,
                    (select coalesce(-sum(coin_entries.coins), 0)::bigint from coin_transfers
                     join coin_entries using (transfer_id)
                     where coin_transfers.payment_id = payment_states.payment_id and book = 'issued')
             from payment_states",
        )
        .fetch_all(&self.database)
        .await
        .unwrap();
        for (id, amount, coins, rate_amount, rate_coins, counted, credited) in payments {
            let price = Price { amount, coins, rate_amount, rate_coins };
            assert_eq!(credited, price.coins_for(counted), "payment {id}: {counted} received");
        }
    }

    pub(crate) async fn number(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database).await.unwrap()
    }

    /// Everything that was told before this has been looked into.
    pub(crate) async fn all_read(&self, player: &Caller) {
        // Comes after all of it in the same queue.
        let cancel = format!("/payments/{}/cancel", uuid::Uuid::nil());
        player.post(&cancel, serde_json::Value::Null).await.problem(404, "payment_not_found");
        for _ in 0..400 {
            let open = "select (select count(*) from payment_notifications where settled_at is null and parked_at is null)
                             + (select count(*) from jobs where job->>'name' = 'read_notification')";
            if self.number(open).await == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
        panic!("notifications are not looked into");
    }
}
