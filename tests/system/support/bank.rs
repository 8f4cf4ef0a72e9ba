//! A fake bank for one test: the sandbox, and a site that receives payments through it.

use guildhall_sandbox::{Sandbox, config::Config};
use guildhall_workers::{config::PaymentSettings, payments::register_webhook};
use http::Method;
use serde_json::{Value, json};

use super::{
    client::{Client, send},
    options::{Options, WEBHOOK_SECRET, no_payments},
    site::Site,
    wait::wait_until,
};

/// The Pix key of the site at the sandbox.
pub(crate) const PIX_KEY: &str = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";

pub(crate) struct Bank {
    sandbox: Sandbox,
    control: Client,
}

impl Bank {
    pub(crate) async fn start() -> Self {
        Self::start_with(Config { refund_ms: 50, webhook_backoff_ms: 50, ..Config::default() }).await
    }

    pub(crate) async fn start_with(config: Config) -> Self {
        guildhall_common::platform::telemetry::init_tls();
        let sandbox = Sandbox::start(config).await.unwrap();
        let control = Client::new(&sandbox.url());
        Self { sandbox, control }
    }

    /// The payment settings of a site that uses this bank.
    pub(crate) fn settings(&self) -> PaymentSettings {
        PaymentSettings {
            pix_key: Some(PIX_KEY.to_owned()),
            pix_url: Some(format!("{}/api/v2", self.sandbox.url())),
            pix_token_url: Some(format!("{}/oauth/token", self.sandbox.url())),
            pix_client_id: Some("guildhall".to_owned()),
            pix_client_secret: Some("sandbox-secret".into()),
            ..no_payments()
        }
    }

    /// The same settings as environment variables.
    pub(crate) fn environment(&self) -> [(&'static str, String); 5] {
        let url = self.sandbox.url();
        [
            ("GUILDHALL_PIX_KEY", PIX_KEY.to_owned()),
            ("GUILDHALL_PIX_URL", format!("{url}/api/v2")),
            ("GUILDHALL_PIX_TOKEN_URL", format!("{url}/oauth/token")),
            ("GUILDHALL_PIX_CLIENT_ID", "guildhall".to_owned()),
            ("GUILDHALL_PIX_CLIENT_SECRET", "sandbox-secret".to_owned()),
        ]
    }

    /// A site that uses this bank. Package 1 is 1,100 coins for 100.00 BRL; without a package, 1.00 BRL is 10 coins.
    pub(crate) async fn site(&self) -> Site {
        self.site_with(Options { payments: self.settings(), ..Options::default() }).await
    }

    pub(crate) async fn site_with(&self, options: Options) -> Site {
        let site = Site::start_with(options).await;
        // The reconciliation jobs run when a test makes them due. The workers do not replace rows that exist.
        site.execute(
            r#"insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10);
             insert into coin_packages (name, currency, amount, coins, position)
                 values ('Chest', 'BRL', 10000, 1100, 1);
             insert into jobs (job, due_at)
                 values ('{"name": "reconcile"}', now() + interval '1 day'),
                        ('{"name": "reconcile_late_receipts"}', now() + interval '1 day'),
                        ('{"name": "reconcile_returns"}', now() + interval '1 day')
                 on conflict (job) do update set due_at = excluded.due_at"#,
        )
        .await;
        let webhook = format!("{}/payments/instant/webhook?secret={WEBHOOK_SECRET}", site.url);
        register_webhook(&site.workers, &webhook).await.unwrap();
        site
    }

    /// Pays as a payer's app does, which knows only the text of the QR code. Returns the end-to-end ids.
    pub(crate) async fn pay(&self, payload: &str, how: &str) -> Vec<String> {
        self.pay_with(json!({ "payload": payload, "how": how })).await
    }

    /// Pays as the body of `POST /sandbox/pay` says. Returns the end-to-end ids.
    pub(crate) async fn pay_with(&self, body: Value) -> Vec<String> {
        let paid = self.control.post("/sandbox/pay", body).await;
        assert_eq!(paid.status, 201, "{paid:?}");
        let pix = paid.body["pix"].as_array().unwrap();
        pix.iter().map(|pix| pix["endToEndId"].as_str().unwrap().to_owned()).collect()
    }

    /// Sends a request to the control API of the sandbox.
    pub(crate) async fn control(&self, method: Method, path: &str, body: Value) -> Value {
        let response = send(self.control.request(method, &format!("/sandbox{path}")).json(&body)).await;
        assert!((200..300).contains(&response.status), "{response:?}");
        response.body
    }

    /// Replaces the faults that the bank injects.
    pub(crate) async fn set_faults(&self, faults: Value) {
        self.control(Method::PUT, "/faults", faults).await;
    }

    /// Waits until a fault has been injected as often as the test set it: `/api/error`, for example.
    ///
    /// Notifications that are due at the same time are sent together, and have their faults together.
    pub(crate) async fn wait_until_fault_is_used_up(&self, pointer: &str) {
        wait_until(&format!("the fault {pointer} is used up"), async || {
            let faults = self.control(Method::GET, "/faults", Value::Null).await;
            faults.pointer(pointer).unwrap() == 0
        })
        .await;
    }

    /// The refunds of the first transfer of a charge, as the bank has them.
    pub(crate) async fn refunds(&self, charge: usize) -> Vec<Value> {
        let charges = self.control(Method::GET, "/charges", Value::Null).await;
        let refunds = charges["charges"][charge]["pix"][0]["devolucoes"].as_array();
        refunds.cloned().unwrap_or_default()
    }

    /// Makes a job due now, as soon as it is scheduled.
    pub(crate) async fn make_job_due(&self, site: &Site, job: &str) {
        wait_until(&format!("the job {job} is scheduled"), async || {
            let update = sqlx::query("update jobs set due_at = now() where job->>'name' = $1").bind(job);
            update.execute(&site.database).await.unwrap().rows_affected() > 0
        })
        .await;
    }

    /// Runs a job that waits for its time again and again until the condition is true. A run that reads a list of the bank leaves
    /// out its last two seconds.
    pub(crate) async fn run_job_until(
        &self,
        site: &Site,
        job: &str,
        condition: &str,
        is_true: impl AsyncFn() -> bool,
    ) {
        // A job in progress has a lease of 30 s.
        let make_due = "update jobs set due_at = now()
                        where job->>'name' = $1 and due_at > now() + interval '40 seconds'";
        wait_until(condition, async || {
            sqlx::query(make_due).bind(job).execute(&site.database).await.unwrap();
            is_true().await
        })
        .await;
    }

    /// Runs a job again and again until the payment has this status.
    pub(crate) async fn run_job_until_status(
        &self,
        site: &Site,
        job: &str,
        client: &Client,
        (payment_id, status): (&str, &str),
    ) {
        let path = format!("/payments/{payment_id}");
        let condition = format!("the payment is {status}");
        let has_status = async || client.get(&path).await.ok()["status"] == status;
        self.run_job_until(site, job, &condition, has_status).await;
    }

    /// Waits until the site has accepted this many notifications in all.
    pub(crate) async fn wait_for_notifications(&self, number: usize) {
        wait_until(&format!("the site has accepted {number} notifications"), async || {
            let log = self.control(Method::GET, "/notifications", Value::Null).await;
            let attempts = log["notifications"].as_array().unwrap().iter();
            attempts.filter(|attempt| attempt["status"] == 200).count() >= number
        })
        .await;
    }

    pub(crate) async fn stop(self) {
        self.sandbox.stop().await;
    }
}
