//! The books of a site, and waiting until all that was told is in them.

use super::support::{Caller, Site};

impl Site {
    pub(crate) async fn books_agree(&self) {
        let wrong = guildhall_drills::books::of_money(&self.database).await.unwrap();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    pub(crate) async fn number(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database).await.unwrap()
    }

    /// Everything that was told before this has been looked into.
    pub(crate) async fn all_read(&self, player: &Caller) {
        // Comes after all of it in the same queue.
        let cancel = format!("/payments/{}/cancel", uuid::Uuid::nil());
        player.post(&cancel, serde_json::Value::Null).await.problem(404, "payment_not_found");
        for _ in 0..1200 {
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
