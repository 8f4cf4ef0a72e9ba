//! A whole site for one test: a database, queues and cache keys of its own.

use std::{env, net::TcpListener, time::Duration};

use guildhall_api::{
    State, app,
    config::{
        Config,
        providers::{ProviderSettings, api_pix::ApiPixSettings, manual::ManualSettings},
    },
    server,
};
use guildhall_common::platform::config::ServerSettings;
use guildhall_workers::{
    Site as Workers,
    config::{PaymentSettings, Settings},
    migrate,
};
use metrics_exporter_prometheus::PrometheusBuilder;
use reqwest::{Method, StatusCode, header::HeaderMap};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, PgPool};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub(crate) use guildhall_workers::admin::{self, GivenRole};

/// 32 bytes that no one else has.
const SECRET: &str = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

/// What a bank's notifications carry.
pub(crate) const WEBHOOK_SECRET: &str = "0123456789abcdef0123456789abcdef";

/// What other notifications are signed with.
pub(crate) const SIGNING_SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// What a test may want otherwise than usual.
pub(crate) struct Options {
    pub(crate) guild_member_cap: i64,
    pub(crate) connections: usize,
    pub(crate) requests_per_minute: u32,
    pub(crate) log_ins_per_minute: u32,
    pub(crate) command_wait: u64,
    /// Whether workers run from the start.
    pub(crate) workers: bool,
    /// A database of its own is made there.
    pub(crate) database_url: String,
    pub(crate) amqp_url: String,
    pub(crate) redis_url: String,
    /// The header by which a proxy on this machine vouches for the bank's certificate.
    pub(crate) certificate_header: Option<String>,
    /// Whether this machine's addresses are trusted as proxies.
    pub(crate) proxy: bool,
    /// Without a bank, unless a test has one.
    pub(crate) payments: PaymentSettings,
}

/// No way to pay at all.
pub(crate) fn no_payments() -> PaymentSettings {
    PaymentSettings {
        payment_lifetime: chrono::TimeDelta::minutes(30),
        notification_tries: 2,
        merchant_name: "Guildhall São João".to_owned(),
        merchant_city: "São Paulo".to_owned(),
        pix_key: None,
        pix_url: None,
        pix_token_url: None,
        pix_client_id: None,
        pix_client_secret: None,
        pix_certificate: None,
        pix_requests_per_second: 1000.try_into().unwrap(),
        promptpay_id: None,
        paynow_id: None,
        vietqr_account: None,
        fps_id: None,
        sepa_iban: None,
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            guild_member_cap: 100,
            connections: 1000,
            requests_per_minute: 1_000_000,
            log_ins_per_minute: 1_000_000,
            command_wait: 5,
            workers: true,
            database_url: server("GUILDHALL_TEST_DATABASE_URL"),
            amqp_url: server("GUILDHALL_TEST_AMQP_URL"),
            redis_url: server("GUILDHALL_TEST_REDIS_URL"),
            certificate_header: None,
            proxy: false,
            payments: no_payments(),
        }
    }
}

fn server(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: run the tests with ./dev test"))
}

/// A running site.
pub(crate) struct Site {
    pub(crate) url: String,
    pub(crate) database: PgPool,
    pub(crate) workers: Workers,
    pub(crate) servers: ServerSettings,
    settings: Settings,
    client: reqwest::Client,
    work: Vec<JoinHandle<()>>,
    api: JoinHandle<()>,
    game: Caller,
}

impl Site {
    pub(crate) async fn start() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        guildhall_common::platform::telemetry::init_tls();
        let namespace = format!("test-{}", Uuid::now_v7().simple());
        let servers = ServerSettings {
            database_url: create_database(&options.database_url, &namespace).await.into(),
            database_connections: 10,
            amqp_url: options.amqp_url.into(),
            redis_url: options.redis_url.into(),
            namespace,
        };
        let settings = Settings {
            guild_minimum_level: 8,
            guild_member_cap: options.guild_member_cap,
            guild_invite_lifetime: chrono::TimeDelta::days(30),
            guild_offline_required: true,
            characters_per_account: 20,
            operations_kept: chrono::TimeDelta::days(30),
            delivery_tries: 3,
            payments: options.payments,
        };
        migrate(&servers).await.unwrap();
        let workers = Workers::new(&servers, settings.clone(), CancellationToken::new()).unwrap();
        let config = Config {
            servers: servers.clone(),
            secret: SECRET.into(),
            listen: "127.0.0.1:0".parse().unwrap(),
            cors_origins: vec!["https://site.example".to_owned()],
            trusted_proxies: options.proxy.then(|| "127.0.0.0/8".parse().unwrap()).into_iter().collect(),
            command_wait: options.command_wait,
            connections: options.connections.try_into().unwrap(),
            requests_per_minute: options.requests_per_minute.try_into().unwrap(),
            log_ins_per_minute: options.log_ins_per_minute.try_into().unwrap(),
            providers: ProviderSettings {
                api_pix: ApiPixSettings {
                    pix_webhook_secret: Some(WEBHOOK_SECRET.into()),
                    pix_webhook_certificate_header: options.certificate_header,
                },
                manual: ManualSettings { webhook_secrets: vec![SIGNING_SECRET.into()] },
            },
            access_token_minutes: 15,
            session_days: 30,
            leave_seconds: 0,
        };
        let (url, api) = serve(&config);
        let mut connection = workers.database.acquire().await.unwrap();
        let game_token = admin::create_service_token(&mut connection, "test").await.unwrap();
        drop(connection);
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30)).build().unwrap();
        let game =
            Caller { client: client.clone(), url: url.clone(), token: Some(game_token), account_id: 0 };
        let mut site = Self {
            url,
            database: workers.database.clone(),
            settings,
            servers,
            client,
            work: vec![],
            api,
            game,
            workers,
        };
        site.ready().await;
        if options.workers {
            site.start_workers();
        }
        site
    }

    /// Waits until the api says that it can work.
    async fn ready(&self) {
        for _ in 0..200 {
            if self.nobody().get("/readyz").await.status == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the api does not get ready");
    }

    /// One more process' worth of workers.
    pub(crate) fn start_workers(&mut self) {
        self.work.push(tokio::spawn(self.workers.clone().work()));
    }

    /// Stops the workers and waits until they have finished what they had in hand.
    pub(crate) async fn stop_workers(&mut self) {
        self.workers.stop.cancel();
        for work in self.work.drain(..) {
            work.await.unwrap();
        }
        self.workers.stop = CancellationToken::new();
    }

    /// Other ways to pay, from the next start of workers on.
    pub(crate) fn use_payments(&mut self, payments: PaymentSettings) {
        self.settings.payments = payments;
        self.workers = self.more_workers();
    }

    /// Workers with a stop of their own.
    pub(crate) fn more_workers(&self) -> Workers {
        Workers::new(&self.servers, self.settings.clone(), CancellationToken::new()).unwrap()
    }

    pub(crate) fn nobody(&self) -> Caller {
        Caller { client: self.client.clone(), url: self.url.clone(), token: None, account_id: 0 }
    }

    /// A game server.
    pub(crate) fn game(&self) -> &Caller {
        &self.game
    }

    /// Somebody with a new account of this name.
    pub(crate) async fn player(&self, name: &str) -> Caller {
        let account =
            json!({ "name": name, "email": format!("{name}@example.org"), "password": "correct horse" });
        let account = self.nobody().post("/accounts/register", account).await.result();
        let tokens = self.log_in(name).await.ok();
        let account_id = account["account_id"].as_i64().unwrap();
        Caller {
            token: Some(tokens["access_token"].as_str().unwrap().to_owned()),
            account_id,
            ..self.nobody()
        }
    }

    pub(crate) async fn log_in(&self, name: &str) -> Answer {
        self.nobody().post("/auth", json!({ "login": name, "password": "correct horse" })).await
    }

    /// Somebody with a role.
    pub(crate) async fn with_role(&self, name: &str, role: GivenRole) -> Caller {
        let caller = self.player(name).await;
        admin::set_role(&self.workers, &name.parse().unwrap(), role, true).await.unwrap();
        caller
    }

    /// A character of level 20 of this player; answers its id.
    pub(crate) async fn character(&self, owner: &Caller, name: &str) -> i64 {
        let created =
            owner.post("/accounts/create-character", json!({ "name": name, "vocation": "Knight" })).await;
        let id = created.result()["character_id"].as_i64().unwrap();
        self.presence(name, 20, false).await;
        id
    }

    /// What the game tells of a character.
    pub(crate) async fn presence(&self, name: &str, level: i32, online: bool) {
        let character = json!({ "name": name, "level": level, "vocation": "Knight", "online": online });
        self.game().put("/game/characters", json!({ "characters": [character] })).await.result();
    }

    /// A guild with a new leader of the same first name; answers the leader's player and the guild's id.
    pub(crate) async fn guild(&self, leader: &str, name: &str) -> (Caller, i64) {
        let player = self.player(&leader.replace(' ', "_")).await;
        self.character(&player, leader).await;
        let guild = json!({ "name": name, "character_name": leader });
        let guild_id = player.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
        (player, guild_id)
    }

    /// A new player whose character of this name is a member of the guild.
    pub(crate) async fn member(&self, leader: &Caller, guild_id: i64, name: &str) -> Caller {
        let player = self.player(&name.replace(' ', "_")).await;
        self.character(&player, name).await;
        let named = json!({ "guild_id": guild_id, "character_name": name });
        leader.post("/guild/invite", named.clone()).await.result();
        player.post("/guild/accept-invite", named).await.result();
        player
    }

    /// Stops everything; nothing may be left in a queue or among the dead letters.
    pub(crate) async fn finish(self) {
        let dead = guildhall_workers::dead_letters::list(&self.database).await.unwrap();
        assert!(dead.is_empty(), "dead letters: {dead:?}");
        self.stop().await;
    }

    /// Stops everything, whatever is left.
    pub(crate) async fn stop(mut self) {
        self.stop_workers().await;
        self.api.abort();
        let connection = self.workers.broker.connect("cleaner").await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        for queue in self.workers.topology.queues() {
            channel.queue_delete(queue.as_str().into(), Default::default()).await.unwrap();
        }
        channel.exchange_delete(self.workers.topology.events().into(), Default::default()).await.unwrap();
    }
}

fn serve(config: &Config) -> (String, JoinHandle<()>) {
    let state = State::new(config).unwrap();
    let metrics = PrometheusBuilder::new().build_recorder().handle();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let (app, connections) = (app(&state, metrics), config.connections.get());
    (url, tokio::spawn(server::serve(listener, app, connections, std::future::pending())))
}

async fn create_database(url: &str, name: &str) -> String {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let statement = sqlx::AssertSqlSafe(format!(r#"create database "{name}""#));
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

/// Somebody who asks.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) client: reqwest::Client,
    pub(crate) url: String,
    pub(crate) token: Option<String>,
    pub(crate) account_id: i64,
}

impl Caller {
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        send(self.request(Method::DELETE, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        send(self.request(Method::POST, path).json(&body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        send(self.request(Method::PUT, path).json(&body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        send(self.request(Method::PATCH, path).json(&body)).await
    }
}

/// What was answered.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

pub(crate) async fn send(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let text = response.text().await.unwrap();
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{text}");
    assert!(headers.contains_key("x-request-id") || !text.contains("request_id"));
    Answer {
        status: status.as_u16(),
        headers,
        body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
    }
}

impl Answer {
    /// The body of a 200.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.body
    }

    /// The result of a command that took effect.
    #[track_caller]
    pub(crate) fn result(self) -> Value {
        assert!([200, 201].contains(&self.status), "{self:?}");
        assert_eq!(self.body["status"], "applied", "{self:?}");
        self.body["result"].clone()
    }

    /// A problem of this status and code.
    #[track_caller]
    pub(crate) fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status, self.body["code"].as_str()), (status, Some(code)), "{self:?}");
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert_eq!(self.body["status"], status);
        assert_eq!(self.body["request_id"].as_str(), self.headers["x-request-id"].to_str().ok());
        self.body
    }

    /// A body or parameter that is refused, and where.
    #[track_caller]
    pub(crate) fn invalid(self, pointer: &str) {
        let problem = self.problem(400, "invalid_request");
        let pointers: Vec<_> =
            problem["errors"].as_array().unwrap().iter().map(|error| &error["pointer"]).collect();
        assert!(pointers.contains(&&json!(pointer)), "{problem}");
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
