//! The drill of payments: each part is killed before and during each step of a payment, from the QR code to the delivery
//! in the game. Each payment must be paid once, credited once and delivered once.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use guildhall_testkit::{
    environment::setting,
    http::{items, registration, text},
    money::check_money,
};
use serde_json::json;
use sqlx::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

use crate::{bank::pay, client::RetryingClient, consistency, process::Part, stack::Stack};

/// The time from a kill to the next start.
const DOWNTIME: Duration = Duration::from_millis(500);

/// The time limit until a change is visible.
const CHANGE_TIME_LIMIT: Duration = Duration::from_secs(90);

/// The steps of a payment. A part is killed before and during each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    RequestQrCode,
    Pay,
    WaitForCredit,
    Buy,
    Lease,
    Acknowledge,
}

const STEPS: [Step; 6] =
    [Step::RequestQrCode, Step::Pay, Step::WaitForCredit, Step::Buy, Step::Lease, Step::Acknowledge];

/// The character that everything is bought for.
const CHARACTER: &str = "Mira Stormborn";

struct PaymentDrill {
    stack: Stack,
    database: PgPool,
    /// The api, without a token.
    anonymous: RetryingClient,
    /// The player who pays. Each part has another one, because an account may create 60 payments in an hour.
    player: RetryingClient,
    game: RetryingClient,
    bank: RetryingClient,
    /// An offer for 25 coins.
    offer_id: i64,
}

/// The ids of one payment, as far as they are known.
#[derive(Default)]
struct PurchaseIds {
    payment_id: String,
    payload: String,
    delivery_id: String,
}

/// Kills each of these parts at each step.
///
/// # Errors
/// When a payment does not end as expected.
pub async fn run(parts: &[Part]) -> anyhow::Result<()> {
    PaymentDrill::from_environment().await?.run(parts).await
}

impl PaymentDrill {
    /// Uses the game server and the first offer of the demo community.
    async fn from_environment() -> anyhow::Result<Self> {
        let anonymous = RetryingClient::new(&setting("GUILDHALL_API_LISTEN")?);
        let offers = anonymous.get("/shop/offers").await?;
        let offer_id = offers["items"][0]["offer_id"].as_i64().context("the shop has no offers")?;
        Ok(Self {
            stack: Stack::from_environment()?,
            database: PgPool::connect(&setting("GUILDHALL_DATABASE_URL")?).await?,
            player: anonymous.clone(),
            game: anonymous.with_token("game", Stack::credential("game")?.1),
            anonymous,
            bank: RetryingClient::new(&setting("GUILDHALL_SANDBOX_LISTEN")?),
            offer_id,
        })
    }

    async fn run(mut self, parts: &[Part]) -> anyhow::Result<()> {
        let mut payments = 0;
        for part in parts {
            self.player = self.register(&format!("payer_of_{}", part.name())).await?;
            for step in STEPS {
                for delay in [None, Some(Duration::from_millis(rand::random_range(0..30)))] {
                    let started = Instant::now();
                    let when = delay.map_or("before".to_owned(), |delay| format!("{delay:?} into"));
                    let title = format!("{} killed {when} {step:?}", part.name());
                    self.make_payment(*part, step, delay).await.with_context(|| title.clone())?;
                    payments += 1;
                    println!("{:6.1} s  {title}", started.elapsed().as_secs_f64());
                }
            }
        }
        let violations = consistency::check_after_load(&self.database, 0).await?;
        ensure!(violations.is_empty(), "{}", violations.join("; "));
        println!(
            "{payments} payments: each paid once, credited once, delivered once; the database is consistent"
        );
        Ok(())
    }

    /// Registers a player and logs in.
    async fn register(&self, name: &str) -> anyhow::Result<RetryingClient> {
        let password = Uuid::new_v4().to_string();
        let account = registration(name, &password);
        self.anonymous.post("/accounts/register", account).await?;
        self.anonymous.log_in(name, &password).await
    }

    /// Makes one payment and kills the part at this step: after the delay, or before the step without one.
    async fn make_payment(&self, part: Part, kill_at: Step, delay: Option<Duration>) -> anyhow::Result<()> {
        let coins_before = self.coins().await?;
        let mut purchase = PurchaseIds::default();
        for step in STEPS {
            if step != kill_at {
                self.run_step(step, &mut purchase).await.with_context(|| format!("{step:?}"))?;
                continue;
            }
            let (restarted, completed) = tokio::join!(self.kill_and_restart(part, delay), async {
                if delay.is_none() {
                    // The part is down now.
                    sleep(Duration::from_millis(50)).await;
                }
                self.run_step(step, &mut purchase).await
            });
            restarted?;
            completed.with_context(|| format!("{step:?}"))?;
        }
        self.check_result(&purchase, coins_before).await
    }

    async fn kill_and_restart(&self, part: Part, delay: Option<Duration>) -> anyhow::Result<()> {
        sleep(delay.unwrap_or_default()).await;
        self.stack.kill(part).await?;
        sleep(DOWNTIME).await;
        self.stack.start(part).await
    }

    async fn run_step(&self, step: Step, purchase: &mut PurchaseIds) -> anyhow::Result<()> {
        match step {
            Step::RequestQrCode => {
                let created = self.player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await?;
                purchase.payment_id = text(&created["result"]["payment_id"])?.to_owned();
                purchase.payload = text(&created["result"]["payload"])?.to_owned();
            }
            Step::Pay => pay(&self.bank, &purchase.payment_id, &purchase.payload).await?,
            Step::WaitForCredit => self.wait_for_status(&purchase.payment_id, "paid").await?,
            Step::Buy => {
                let line = json!({ "offer_id": self.offer_id, "quantity": 1 });
                let body = json!({ "character_name": CHARACTER, "lines": [line] });
                let bought = self.player.post("/shop/purchase", body).await?;
                purchase.delivery_id = text(&bought["result"]["deliveries"][0]["delivery_id"])?.to_owned();
            }
            Step::Lease => self.lease(&purchase.delivery_id).await?,
            Step::Acknowledge => {
                let body = json!({ "delivery_ids": [purchase.delivery_id] });
                self.game.post("/game/deliveries/ack", body).await?;
            }
        }
        Ok(())
    }

    async fn wait_for_status(&self, payment_id: &str, status: &str) -> anyhow::Result<()> {
        let started = Instant::now();
        loop {
            let payment = self.player.get(&format!("/payments/{payment_id}")).await?;
            if payment["status"] == status {
                return Ok(());
            }
            // A killed bank may have lost its notification. Then reconciliation finds the money, once a minute. The drill
            // does not wait for that.
            if started.elapsed() > Duration::from_secs(3) {
                self.reconcile_now().await;
            }
            ensure!(started.elapsed() < CHANGE_TIME_LIMIT, "the payment is not {status}: {payment}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    async fn reconcile_now(&self) {
        // The next poll repeats it if the database is unavailable.
        let _ =
            sqlx::query("update jobs set due_at = now() where job->>'name' = 'reconcile' and due_at > now()")
                .execute(&self.database)
                .await;
    }

    /// Waits until the game server gets this delivery. After a lost response it comes again when its lease has expired.
    async fn lease(&self, delivery_id: &str) -> anyhow::Result<()> {
        let started = Instant::now();
        loop {
            let leased = self.game.get("/game/deliveries?wait=5&lease=5").await?;
            if items(&leased)?.iter().any(|item| item["delivery_id"] == delivery_id) {
                return Ok(());
            }
            ensure!(started.elapsed() < CHANGE_TIME_LIMIT, "{delivery_id} is not leased");
        }
    }

    async fn coins(&self) -> anyhow::Result<i64> {
        let account = self.player.get("/accounts/me").await?;
        account["coins"].as_i64().context("an account without coins")
    }

    async fn check_result(&self, purchase: &PurchaseIds, coins_before: i64) -> anyhow::Result<()> {
        let id: Uuid = purchase.payment_id.parse()?;
        let receipts: i64 = sqlx::query_scalar("select count(*) from receipts where payment_id = $1")
            .bind(id)
            .fetch_one(&self.database)
            .await?;
        ensure!(receipts == 1, "{receipts} receipts");
        let coins = self.coins().await?;
        ensure!(coins == coins_before + 225, "{coins_before} coins became {coins}");
        let purchases = self.player.get("/shop/purchases/1/1").await?;
        let line = &purchases["items"][0]["lines"][0];
        ensure!(line["delivery_id"] == purchase.delivery_id && line["status"] == "delivered", "{purchases}");
        let violations = check_money(&self.database).await?;
        ensure!(violations.is_empty(), "{}", violations.join("; "));
        Ok(())
    }
}
