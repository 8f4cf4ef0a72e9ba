//! A whole site for one test: api and workers in this process, with a database, queues and cache keys of its own.

use guildhall_api::config::Config;
use guildhall_api::providers::{ProviderSettings, api_pix::ApiPixSettings, manual::ManualSettings};
use guildhall_common::platform::config::ServerSettings;
use guildhall_workers::{
    App,
    config::{AccountSettings, CharacterNames, MailSettings, PaymentSettings, Settings},
    migrate,
    operator::accounts,
};
use sqlx::PgPool;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    client::Client,
    options::{API_SECRET, Options, SIGNING_SECRET, WEBHOOK_SECRET},
    service::{dead_letters, serve_api},
    test_database::{connect, create_database},
    wait::wait_until,
};

/// A running site.
pub(crate) struct Site {
    pub(crate) url: String,
    /// Direct connections of the test, also when the site uses a link.
    pub(crate) database: PgPool,
    pub(crate) workers: App,
    pub(crate) servers: ServerSettings,
    settings: Settings,
    worker_tasks: Vec<JoinHandle<()>>,
    apis: Vec<JoinHandle<()>>,
    visitor: Client,
    game_server: Client,
}

impl Site {
    pub(crate) async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    pub(crate) async fn start_with(options: Options) -> Self {
        guildhall_common::platform::telemetry::init_tls();
        let namespace = format!("test-{}", Uuid::now_v7().simple());
        let servers = ServerSettings {
            database_url: create_database(&options.database_url, &namespace).await.into(),
            database_connections: 4, // each of them costs Postgres some time
            amqp_url: options.amqp_url.clone().into(),
            redis_url: options.redis_url.clone().into(),
            namespace,
            objects: options.objects.clone(),
        };
        migrate(&servers, Some(options.partitions)).await.unwrap();
        Self::start_on(servers, &options, None).await
    }

    /// Starts api and workers on an existing database. Its game server has this service token, or a new one.
    pub(crate) async fn start_on(
        servers: ServerSettings,
        options: &Options,
        service_token: Option<String>,
    ) -> Self {
        let settings = worker_settings(options);
        let workers = App::new(&servers, settings.clone(), CancellationToken::new()).unwrap();
        let (url, api) = serve_api(&api_config(&servers, options));
        let database = connect(&servers.namespace);
        let service_token = match service_token {
            Some(token) => token,
            None => accounts::create_service_token(&workers, "test").await.unwrap(),
        };
        let visitor = Client::new(&url);
        let mut site = Self {
            url,
            database,
            workers,
            servers,
            settings,
            worker_tasks: vec![],
            apis: vec![api],
            game_server: visitor.with_token(&service_token),
            visitor,
        };
        wait_until("the api is ready", async || site.visitor.get("/readyz").await.status == 200).await;
        // The first read connects the api to the database. On a slow machine that may exceed a time limit of the api, and
        // a repeated request of a visitor would count twice in a test of rate limits.
        let read = async || site.game_server.get("/guilds/1/10").await.status == 200;
        wait_until("the api reads from the database", read).await;
        site.start_workers();
        site
    }

    /// Connections of the test to the database of a site that does not run.
    pub(crate) fn connect_to(servers: &ServerSettings) -> PgPool {
        connect(&servers.namespace)
    }

    /// Starts workers, as one more process would.
    pub(crate) fn start_workers(&mut self) {
        self.worker_tasks.push(tokio::spawn(self.workers.clone().work()));
    }

    /// Stops the workers and waits until they have finished the commands and jobs that they hold.
    pub(crate) async fn stop_workers(&mut self) {
        self.workers.stop.cancel();
        for task in self.worker_tasks.drain(..) {
            task.await.unwrap();
        }
        self.workers.stop = CancellationToken::new();
    }

    /// Changes the payment settings. They apply when workers start the next time.
    pub(crate) fn use_payments(&mut self, payments: PaymentSettings) {
        self.settings.payments = payments;
        self.workers = self.another_app();
    }

    /// The state of another workers process, which stops independently.
    pub(crate) fn another_app(&self) -> App {
        self.another_app_on(&self.servers)
    }

    /// The same with other addresses of the servers.
    pub(crate) fn another_app_on(&self, servers: &ServerSettings) -> App {
        App::new(servers, self.settings.clone(), CancellationToken::new()).unwrap()
    }

    /// Starts another api process of this site, and returns a client without a token.
    pub(crate) async fn start_another_api(&mut self, options: &Options) -> Client {
        let (url, api) = serve_api(&api_config(&self.servers, options));
        self.apis.push(api);
        let visitor = Client::new(&url);
        wait_until("the api is ready", async || visitor.get("/readyz").await.status == 200).await;
        visitor
    }

    /// A client without a token.
    pub(crate) fn visitor(&self) -> Client {
        self.visitor.clone()
    }

    /// A game server, which has a service token.
    pub(crate) fn game_server(&self) -> &Client {
        &self.game_server
    }

    /// Waits until the api reports a server (`database`, `queue` or `cache`) as available or not.
    pub(crate) async fn wait_for_readiness(&self, server: &str, available: bool) {
        let condition = format!("the api reports {server} as {available}");
        wait_until(&condition, async || self.visitor.get("/readyz").await.body[server] == available).await;
    }

    /// Stops everything, and fails if there is a dead letter.
    pub(crate) async fn finish(self) {
        let letters = dead_letters::list(&self.database).await.unwrap();
        assert!(letters.is_empty(), "dead letters: {letters:?}");
        self.stop().await;
    }

    /// Stops everything and deletes the queues.
    pub(crate) async fn stop(mut self) {
        self.stop_workers().await;
        self.apis.iter().for_each(JoinHandle::abort);
        let connection = self.workers.broker.connect("cleaner").await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        for queue in self.workers.topology.queues() {
            channel.queue_delete(queue.as_str().into(), Default::default()).await.unwrap();
        }
        channel.exchange_delete(self.workers.topology.events().into(), Default::default()).await.unwrap();
    }
}

fn worker_settings(options: &Options) -> Settings {
    Settings {
        transactions: options.transactions,
        guild_minimum_level: 8,
        guild_member_cap: options.guild_member_cap,
        guild_invite_lifetime: chrono::TimeDelta::days(30),
        guild_offline_required: true,
        characters_per_account: 20,
        operations_kept: chrono::TimeDelta::days(30),
        delivery_tries: 3,
        character_names: CharacterNames::OpenTibia,
        rename_cost: options.rename_cost,
        character_deletion_delay: chrono::TimeDelta::days(7),
        guild_confirmed_required: options.guild_confirmed_required,
        purchase_confirmed_required: options.purchase_confirmed_required,
        second_admin_required: options.second_admin_required,
        presence_lease: chrono::TimeDelta::seconds(300),
        payments: options.payments.clone(),
        mail: MailSettings {
            smtp_url: options.smtp_url.clone().map(Into::into),
            mail_from: Some("Night Watch <noreply@site.example>".to_owned()),
            mail_secrets: vec![API_SECRET.into()],
            site_url: Some("https://site.example".parse().unwrap()),
            site_name: "Night Watch".to_owned(),
            site_color: "#8a5a00".to_owned(),
            mail_templates: None,
            mails_per_minute: 10_000.try_into().unwrap(),
            dkim_selector: None,
            dkim_key: None,
            verified_email_required: true,
            new_device_mails: true,
        },
        accounts: AccountSettings {
            deletion_delay: chrono::TimeDelta::days(14),
            identity_retention: chrono::TimeDelta::days(options.identity_retention_days),
        },
    }
}

fn api_config(servers: &ServerSettings, options: &Options) -> Config {
    // Requests of the tests come from this machine.
    let trusted_proxies = if options.has_trusted_proxy { "127.0.0.0/8" } else { "10.0.0.0/8" };
    Config {
        servers: servers.clone(),
        secrets: options.secrets.iter().map(|secret| (*secret).into()).collect(),
        listen: "127.0.0.1:0".parse().unwrap(),
        cors_origins: vec!["https://site.example".to_owned()],
        trusted_proxies: vec![trusted_proxies.parse().unwrap()],
        command_wait: options.command_wait,
        queue_seconds: options.queue_seconds,
        connections: options.connections.try_into().unwrap(),
        connections_per_address: options.connections_per_address.try_into().unwrap(),
        requests_per_minute: options.requests_per_minute.try_into().unwrap(),
        log_ins_per_minute: options.log_ins_per_minute.try_into().unwrap(),
        registrations_per_hour: options.registrations_per_hour.try_into().unwrap(),
        site_name: "Night Watch".to_owned(),
        site_url: options.site_url.map(|url| url.parse().unwrap()),
        second_factor_required: options.second_factor_required,
        captcha: options.captcha.clone(),
        providers: ProviderSettings {
            api_pix: ApiPixSettings {
                pix_webhook_secret: Some(WEBHOOK_SECRET.into()),
                pix_webhook_certificate_header: options.certificate_header.clone(),
            },
            manual: ManualSettings { webhook_secrets: vec![SIGNING_SECRET.into()] },
        },
        access_token_minutes: 15,
        session_days: 30,
        drain_seconds: 0,
    }
}
