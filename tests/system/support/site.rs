//! A whole site for one test: api and workers in this process, with a database, queues and cache keys of its own.

use std::time::Duration;

use guildhall_api::config::{
    ApiConfig, CommandTimes, ConnectionSettings, LimitSettings, SessionSettings, WebhookSettings,
};
use guildhall_common::platform::config::{ServerSettings, SiteSettings};
use guildhall_workers::{
    App,
    config::{
        AccountSettings, CharacterNames, CharacterSettings, GuildSettings, MailSettings, PaymentSettings,
        RetentionSettings, Settings, ShopSettings,
    },
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
    refusals,
    service::{RunningApi, dead_letters, serve_api},
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
    apis: Vec<RunningApi>,
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
            database_connections: options.database_connections,
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
        let api = serve_api(&api_config(&servers, options));
        let database = connect(&servers.namespace);
        let service_token = match service_token {
            Some(token) => token,
            None => accounts::create_service_token(&workers, "test").await.unwrap(),
        };
        let visitor = Client::new(&api.url);
        let mut site = Self {
            url: api.url.clone(),
            database,
            workers,
            servers,
            settings,
            worker_tasks: vec![],
            apis: vec![api],
            game_server: visitor.with_token(&service_token),
            visitor,
        };
        site.wait_until_ready().await;
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
        let api = serve_api(&api_config(&self.servers, options));
        let visitor = Client::new(&api.url);
        self.apis.push(api);
        self.wait_until_ready().await;
        visitor
    }

    /// The api that has started last.
    pub(crate) fn last_api(&self) -> &RunningApi {
        self.apis.last().unwrap()
    }

    async fn wait_until_ready(&self) {
        let health = &self.last_api().health;
        wait_until("the api is ready", async || health.get("/readyz").await.status == 200).await;
    }

    /// A client without a token.
    pub(crate) fn visitor(&self) -> Client {
        self.visitor.clone()
    }

    /// A game server, which has a service token.
    pub(crate) fn game_server(&self) -> &Client {
        &self.game_server
    }

    /// Waits until each api reports a server (`database`, `queue` or `cache`) as available or not.
    pub(crate) async fn wait_for_readiness(&self, server: &str, available: bool) {
        let condition = format!("the api reports {server} as {available}");
        for RunningApi { health, .. } in &self.apis {
            wait_until(&condition, async || health.get("/readyz").await.body[server] == available).await;
        }
    }

    /// Stops everything, and fails if there is a dead letter.
    pub(crate) async fn finish(self) {
        let letters = dead_letters::list(&self.database).await.unwrap();
        assert!(letters.is_empty(), "dead letters: {letters:?}");
        self.stop().await;
    }

    /// Stops everything, deletes the queues, and notes the refusals.
    pub(crate) async fn stop(mut self) {
        self.stop_workers().await;
        refusals::append(&self.database).await;
        self.apis.clear();
        let connection = self.workers.broker.connect("cleaner").await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        for queue in self.workers.topology.queues() {
            channel.queue_delete(queue.as_str().into(), Default::default()).await.unwrap();
        }
        channel.exchange_delete(self.workers.topology.events().into(), Default::default()).await.unwrap();
    }
}

fn site_settings(url: Option<&str>) -> SiteSettings {
    SiteSettings {
        site_name: "Night Watch".to_owned(),
        site_url: url.map(|url| url.parse().unwrap()),
        site_language: "pt-BR".parse().unwrap(),
    }
}

fn worker_settings(options: &Options) -> Settings {
    Settings {
        site: site_settings(Some("https://site.example")),
        guilds: GuildSettings {
            minimum_level: 8,
            member_cap: options.guild_member_cap,
            offline_required: true,
            confirmed_required: options.guild_confirmed_required,
        },
        characters: CharacterSettings {
            per_account: 20,
            names: CharacterNames::OpenTibia,
            rename_cost: options.rename_cost,
        },
        shop: ShopSettings {
            confirmed_required: options.purchase_confirmed_required,
            verified_email_required: true,
        },
        payments: options.payments.clone(),
        mail: MailSettings {
            smtp_url: options.smtp_url.clone().map(Into::into),
            mail_from: Some("Night Watch <noreply@site.example>".to_owned()),
            mail_secrets: vec![API_SECRET.into()],
            site_color: "#8a5a00".to_owned(),
            mail_templates: None,
            mails_per_minute: 10_000.try_into().unwrap(),
            dkim_selector: None,
            dkim_key: None,
        },
        accounts: AccountSettings { second_admin_required: options.second_admin_required },
        retention: RetentionSettings {
            operations: chrono::TimeDelta::days(30),
            game_changes: chrono::TimeDelta::days(14),
            identities: chrono::TimeDelta::days(options.identity_retention_days),
        },
    }
}

fn api_config(servers: &ServerSettings, options: &Options) -> ApiConfig {
    // Requests of the tests come from this machine.
    let trusted_proxies = if options.has_trusted_proxy { "127.0.0.0/8" } else { "10.0.0.0/8" };
    ApiConfig {
        servers: servers.clone(),
        site: site_settings(options.site_url),
        connections: ConnectionSettings {
            listen: "127.0.0.1:0".parse().unwrap(),
            health_listen: "127.0.0.1:0".parse().unwrap(),
            cors_origins: vec!["https://site.example".to_owned()],
            trusted_proxies: vec![trusted_proxies.parse().unwrap()],
            total: options.connections.try_into().unwrap(),
            per_address: options.connections_per_address.try_into().unwrap(),
            drain_seconds: 0,
        },
        limits: LimitSettings {
            requests_per_minute: options.requests_per_minute.try_into().unwrap(),
            log_ins_per_minute: options.log_ins_per_minute.try_into().unwrap(),
            registrations_per_hour: options.registrations_per_hour.try_into().unwrap(),
        },
        sessions: SessionSettings {
            secrets: options.secrets.iter().map(|secret| (*secret).into()).collect(),
            second_factor_required: options.second_factor_required,
            session_days: 30,
            access_token_minutes: 15,
        },
        captcha: options.captcha.clone(),
        webhooks: WebhookSettings {
            pix_webhook_secret: Some(WEBHOOK_SECRET.into()),
            pix_webhook_certificate_header: options.certificate_header.clone(),
            webhook_secrets: vec![SIGNING_SECRET.into()],
        },
        commands: CommandTimes {
            wait: Duration::from_secs(options.command_wait),
            longest_queue_wait: Duration::from_secs(options.queue_seconds),
        },
    }
}
