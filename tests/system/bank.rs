//! A bank for one test: the sandbox, and a site that takes payments through it.

use std::time::Duration;

use guildhall_sandbox::{Sandbox, config::Config};
use guildhall_workers::{config::PaymentSettings, payments::register_webhook};
use reqwest::Method;
use serde_json::{Value, json};

use super::support::{Caller, Options, Site, WEBHOOK_SECRET, no_payments, send};

/// The sandbox's own key of ours.
pub(crate) const KEY: &str = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";

pub(crate) struct Bank {
    sandbox: Sandbox,
    control: Caller,
}

impl Bank {
    pub(crate) async fn start() -> Self {
        Self::with(Config { refund_ms: 50, webhook_backoff_ms: 50, ..Config::default() }).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        guildhall_common::platform::telemetry::init_tls();
        let sandbox = Sandbox::start(config).await.unwrap();
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30)).build().unwrap();
        let control = Caller { client, url: sandbox.url(), token: None, account_id: 0 };
        Self { sandbox, control }
    }

    /// What a site needs to know of it.
    pub(crate) fn settings(&self) -> PaymentSettings {
        PaymentSettings {
            pix_key: Some(KEY.to_owned()),
            pix_url: Some(format!("{}/api/v2", self.sandbox.url())),
            pix_token_url: Some(format!("{}/oauth/token", self.sandbox.url())),
            pix_client_id: Some("guildhall".to_owned()),
            pix_client_secret: Some("sandbox-secret".into()),
            ..no_payments()
        }
    }

    /// A site that takes payments through it, with a price list: package 1 is 100.00 for 1,100 coins, and
    /// 1.00 is worth 10.
    pub(crate) async fn site(&self) -> Site {
        self.site_with(Options { payments: self.settings(), ..Options::default() }).await
    }

    pub(crate) async fn site_with(&self, options: Options) -> Site {
        let site = Site::with(options).await;
        sqlx::raw_sql(
            "insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10);
             insert into coin_packages (name, currency, amount, coins, position) values ('Chest', 'BRL', 10000, 1100, 1);
             -- When a test wants it.
             update jobs set due_at = now() + interval '1 day' where job->>'name' like 'reconcile%';",
        )
        .execute(&site.database)
        .await
        .unwrap();
        self.register(&site).await;
        site
    }

    /// Makes the site known as who is to be notified.
    pub(crate) async fn register(&self, site: &Site) {
        let url = format!("{}/payments/instant/webhook?secret={WEBHOOK_SECRET}", site.url);
        register_webhook(&site.workers, &url).await.unwrap();
    }

    /// Pays as a payer's app does: all it has is what the QR code says.
    pub(crate) async fn pay(&self, payload: &str, how: &str) -> Vec<String> {
        self.do_pay(json!({ "payload": payload, "how": how })).await
    }

    /// Answers the end-to-end ids.
    pub(crate) async fn do_pay(&self, pay: Value) -> Vec<String> {
        let paid = self.control.post("/sandbox/pay", pay).await;
        assert_eq!(paid.status, 201, "{paid:?}");
        let pix = paid.body["pix"].as_array().unwrap();
        pix.iter().map(|pix| pix["endToEndId"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn control(&self, method: Method, path: &str, body: Value) -> Value {
        let answer = send(self.control.request(method, &format!("/sandbox{path}")).json(&body)).await;
        assert!((200..300).contains(&answer.status), "{answer:?}");
        answer.body
    }

    pub(crate) async fn faults(&self, faults: Value) {
        self.control(Method::PUT, "/faults", faults).await;
    }

    /// Waits until this has gone wrong with notifications as often as it was to. What is due at the same time goes out
    /// together, and wrong together.
    pub(crate) async fn went_wrong(&self, fault: &str) {
        for _ in 0..1200 {
            if self.control(Method::GET, "/faults", json!(null)).await["notifications"][fault] == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("nothing goes wrong with {fault}");
    }

    /// As if the time of a job had come.
    pub(crate) async fn due(&self, site: &Site, job: &str) {
        sqlx::query("update jobs set due_at = now() where job->>'name' = $1")
            .bind(job)
            .execute(&site.database)
            .await
            .unwrap();
    }

    /// So many notifications were taken, or given up.
    pub(crate) async fn told(&self, number: usize) {
        for _ in 0..1200 {
            let log = self.control(Method::GET, "/notifications", json!(null)).await;
            let told = log["notifications"].as_array().unwrap().iter();
            if told.filter(|attempt| attempt["status"] == 200).count() >= number {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the bank does not notify");
    }

    pub(crate) async fn stop(self) {
        self.sandbox.stop().await;
    }
}
