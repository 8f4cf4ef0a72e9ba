//! A payment, from the QR code into the game, while one part after the other is killed between any two of its
//! steps and in the middle of each: it ends paid once, credited once, delivered once.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;
use sqlx::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    books,
    client::{Client, items, text},
    stack::{Part, Stack},
};

/// How long a part stays dead.
const DEAD: Duration = Duration::from_millis(500);

/// How long any change may take to be seen.
const SEEN_WITHIN: Duration = Duration::from_secs(90);

/// What a payment goes through. A part dies before each, and while it is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Ask,
    Pay,
    Credit,
    Buy,
    Lease,
    Acknowledge,
}

const STEPS: [Step; 6] = [Step::Ask, Step::Pay, Step::Credit, Step::Buy, Step::Lease, Step::Acknowledge];

/// Of the demo community's player.
const CHARACTER: &str = "Mira Stormborn";

/// What the drill works with.
struct Drill {
    stack: Stack,
    database: PgPool,
    player: Client,
    game: Client,
    bank: Client,
    /// On sale, for 25 coins.
    offer_id: i64,
}

/// How far a payment has come.
#[derive(Default)]
struct Story {
    payment_id: String,
    payload: String,
    delivery_id: String,
}

/// Kills each of these parts at each step.
///
/// # Errors
/// When a payment does not end as it must.
pub async fn run(parts: &[Part]) -> anyhow::Result<()> {
    Drill::of_environment().await?.run(parts).await
}

impl Drill {
    /// The demo community's player, game server and first offer.
    async fn of_environment() -> anyhow::Result<Self> {
        let (player, password) = Stack::credential("player")?;
        let nobody = Client::new(format!("http://{}", Stack::setting("GUILDHALL_API_LISTEN")?))?;
        let offers = nobody.get("/shop/offers").await?;
        let offer_id = offers["items"][0]["offer_id"].as_i64().context("nothing is on sale")?;
        Ok(Self {
            stack: Stack::from_environment()?,
            database: PgPool::connect(&Stack::setting("GUILDHALL_DATABASE_URL")?).await?,
            player: nobody.logged_in(&player, &password).await?,
            game: nobody.with_token("game", Stack::credential("game")?.1),
            bank: Client::new(format!("http://{}", Stack::setting("GUILDHALL_SANDBOX_LISTEN")?))?,
            offer_id,
        })
    }

    async fn run(&self, parts: &[Part]) -> anyhow::Result<()> {
        let mut payments = 0;
        for part in parts {
            for step in STEPS {
                for within in [None, Some(Duration::from_millis(rand::random_range(0..30)))] {
                    let began = Instant::now();
                    let when = within.map_or("before".to_owned(), |after| format!("{after:?} into"));
                    let what = format!("{} killed {when} {step:?}", part.name());
                    self.payment(*part, step, within).await.with_context(|| what.clone())?;
                    payments += 1;
                    println!("{:6.1} s  {what}", began.elapsed().as_secs_f64());
                }
            }
        }
        let violations = books::at_rest(&self.database, 0).await?;
        ensure!(violations.is_empty(), "{}", violations.join("; "));
        println!("{payments} payments, each paid once, credited once, delivered once; the books agree");
        Ok(())
    }

    async fn payment(&self, part: Part, dies_at: Step, within: Option<Duration>) -> anyhow::Result<()> {
        let before = self.coins().await?;
        let mut story = Story::default();
        for step in STEPS {
            if step != dies_at {
                self.step(step, &mut story).await.with_context(|| format!("{step:?}"))?;
                continue;
            }
            let (died, done) = tokio::join!(self.die(part, within), async {
                if within.is_none() {
                    // Dead, and not back yet.
                    sleep(Duration::from_millis(50)).await;
                }
                self.step(step, &mut story).await
            });
            died?;
            done.with_context(|| format!("{step:?}"))?;
        }
        self.ended_well(&story, before).await
    }

    async fn die(&self, part: Part, after: Option<Duration>) -> anyhow::Result<()> {
        sleep(after.unwrap_or_default()).await;
        self.stack.kill(part).await?;
        sleep(DEAD).await;
        self.stack.start(part).await
    }

    async fn step(&self, step: Step, story: &mut Story) -> anyhow::Result<()> {
        match step {
            Step::Ask => {
                let asked = self.player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await?;
                story.payment_id = text(&asked["result"]["payment_id"])?.to_owned();
                story.payload = text(&asked["result"]["payload"])?.to_owned();
            }
            Step::Pay => pay(&self.bank, &story.payment_id, &story.payload).await?,
            Step::Credit => self.stands(&story.payment_id, "paid").await?,
            Step::Buy => {
                let line = json!({ "offer_id": self.offer_id, "quantity": 1 });
                let buy = json!({ "character_name": CHARACTER, "lines": [line] });
                let bought = self.player.post("/shop/purchase", buy).await?;
                story.delivery_id = text(&bought["result"]["deliveries"][0]["delivery_id"])?.to_owned();
            }
            Step::Lease => self.leased(&story.delivery_id).await?,
            Step::Acknowledge => {
                let given = json!({ "delivery_ids": [story.delivery_id] });
                self.game.post("/game/deliveries/ack", given).await?;
            }
        }
        Ok(())
    }

    async fn stands(&self, payment_id: &str, status: &str) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let payment = self.player.get(&format!("/payments/{payment_id}")).await?;
            if payment["status"] == status {
                return Ok(());
            }
            // A bank that died may have forgotten to notify. Then the money is found by reconciling, once a
            // minute, which nobody waits for here.
            if began.elapsed() > Duration::from_secs(3) {
                self.reconcile_now().await;
            }
            ensure!(began.elapsed() < SEEN_WITHIN, "the payment does not get {status}: {payment}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    async fn reconcile_now(&self) {
        // Tried again if the database is away.
        let _ =
            sqlx::query("update jobs set due_at = now() where job->>'name' = 'reconcile' and due_at > now()")
                .execute(&self.database)
                .await;
    }

    /// Until this delivery was handed out: one whose answer was lost comes again when its lease is over.
    async fn leased(&self, delivery_id: &str) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let leased = self.game.get("/game/deliveries?wait=5&lease=5").await?;
            if items(&leased)?.iter().any(|item| item["delivery_id"] == delivery_id) {
                return Ok(());
            }
            ensure!(began.elapsed() < SEEN_WITHIN, "{delivery_id} is not handed out");
        }
    }

    async fn coins(&self) -> anyhow::Result<i64> {
        let me = self.player.get("/accounts/me").await?;
        me["coins"].as_i64().context("an account without coins")
    }

    async fn ended_well(&self, story: &Story, before: i64) -> anyhow::Result<()> {
        let id: Uuid = story.payment_id.parse()?;
        let receipts: i64 = sqlx::query_scalar("select count(*) from receipts where payment_id = $1")
            .bind(id)
            .fetch_one(&self.database)
            .await?;
        ensure!(receipts == 1, "{receipts} receipts");
        let coins = self.coins().await?;
        ensure!(coins == before + 225, "{} coins became {coins}", before);
        let history = self.player.get("/shop/purchases/1/1").await?;
        let line = &history["items"][0]["lines"][0];
        ensure!(line["delivery_id"] == story.delivery_id && line["status"] == "delivered", "{history}");
        let violations = books::of_money(&self.database).await?;
        ensure!(violations.is_empty(), "{}", violations.join("; "));
        Ok(())
    }
}

/// A payer whose app got no answer looks whether the money is gone before paying again.
///
/// # Errors
/// When the bank does not know the payment, or does not answer.
pub(crate) async fn pay(bank: &Client, payment_id: &str, payload: &str) -> anyhow::Result<()> {
    let txid = payment_id.replace('-', "");
    let began = Instant::now();
    loop {
        let charge = &bank.get(&format!("/sandbox/charges?txid={txid}")).await?["charges"][0];
        ensure!(charge.is_object(), "lost: the bank does not know {payment_id}");
        if charge["status"] == "CONCLUIDA" {
            return Ok(());
        }
        ensure!(began.elapsed() < SEEN_WITHIN, "the bank does not take the payment of {payment_id}");
        bank.try_post("/sandbox/pay", json!({ "payload": payload })).await?;
        sleep(Duration::from_millis(50)).await;
    }
}
