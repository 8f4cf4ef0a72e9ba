//! An example scenario of the SDK: two players verify their e-mail addresses and create a guild, an editor publishes a
//! post, a merchant sells, a player pays and buys, and the game server delivers. Each step is a call of the generated
//! client.

use std::num::NonZeroU64;
use std::time::Duration;
use std::{env, fmt};

use anyhow::{Context, Result, bail, ensure};
use chrono::Utc;
use guildhall_client::types::{
    ChangeId, CharacterCreated, DeliveryId, DeliveryStatus, GameCharacter, Grant, GrantKind, GuildId,
    GuildState, OperationId, OperationProgress, OperationStatus, OrderLine, PaymentStatus, Problem,
    ReportedDeath, Summary,
};
use guildhall_client::{Client, Error, ResponseValue};
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// Makes the tests compile the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Sends a command and returns its result. The responses of all commands have these two fields.
macro_rules! outcome {
    ($client:expr, $request:expr) => {{
        let operation = $request.send().await?.into_inner();
        result_of($client, operation.operation_id, operation.result).await?
    }};
}

/// The addresses of the site, and the credentials of special accounts.
pub struct Settings {
    pub url: String,
    pub bank_url: String,
    pub editor: LogIn,
    pub merchant: LogIn,
    pub game_token: String,
}

pub struct LogIn {
    pub name: String,
    pub password: String,
}

impl Settings {
    pub fn from_env() -> Result<Self> {
        Ok(Self {
            url: url("GUILDHALL_URL", "http://127.0.0.1:8080"),
            bank_url: url("GUILDHALL_BANK_URL", "http://127.0.0.1:8082"),
            editor: LogIn {
                name: secret("GUILDHALL_EDITOR")?,
                password: secret("GUILDHALL_EDITOR_PASSWORD")?,
            },
            merchant: LogIn {
                name: secret("GUILDHALL_MERCHANT")?,
                password: secret("GUILDHALL_MERCHANT_PASSWORD")?,
            },
            game_token: secret("GUILDHALL_GAME_TOKEN")?,
        })
    }
}

/// Reports the death of a character twice. The game chooses the id of a death, so it is stored once.
async fn report_death(game: &Client, visitor: &Client, character: &CharacterCreated) -> Result<()> {
    let death: ReportedDeath = ReportedDeath::builder()
        .death_id(Uuid::new_v4().to_string())
        .character_name(character.name.as_str())
        .died_at(Utc::now())
        .level(50_u32)
        .killed_by("a dragon lord")
        .killer_is_player(false)
        .try_into()?;
    for _ in 0..2 {
        let request = game.game_report_deaths().body_map(|body| body.deaths([death.clone()]));
        outcome!(game, request);
    }
    let request = visitor.character_deaths().page(1_u64).limit(10_u64).character(character.name.as_str());
    let deaths = request.send().await?.into_inner().items;
    ensure!(deaths.len() == 1, "{} has {} deaths", character.name, deaths.len());
    println!("{} died, once for two reports", character.name);
    Ok(())
}

/// Follows the changes of the site, as a game does, until the guild is among them.
async fn follow_until_guild(game: &Client, mut place: ChangeId, guild_id: &GuildId) -> Result<GuildState> {
    until("the game to learn of the guild", async || {
        let changes = game.game_changes().after(place.clone()).wait(20_i64).send().await?.into_inner();
        // A real game stores it in the transaction that applies the changes.
        place = changes.last;
        let guilds = changes.items.into_iter().filter_map(|change| change.state.guild);
        Ok(guilds.into_iter().find(|guild| *guild.guild_id == **guild_id))
    })
    .await
}

/// Reads an address without a slash at its end, because the client's paths begin with one.
fn url(name: &str, default: &str) -> String {
    env::var(name).unwrap_or_else(|_| default.to_owned()).trim_end_matches('/').to_owned()
}

fn secret(name: &str) -> Result<String> {
    let value = env::var(name).ok().filter(|value| !value.is_empty());
    value.with_context(|| format!("{name} is not set; `./dev sdk rust story` sets it"))
}

/// The result of the scenario.
#[derive(Debug)]
pub struct ScenarioResult {
    pub founder: String,
    pub friend: String,
    /// The access token of the friend, whose log-in needs a second factor.
    pub friend_token: String,
    /// The password of both.
    pub password: String,
    pub founder_character: String,
    pub friend_character: String,
    pub created: CreatedGuild,
    /// The response to the same request when it was sent again.
    pub created_again: CreatedGuild,
    pub guild_name: String,
    pub refusal: Problem,
    pub guilds: i64,
    pub members: usize,
    pub motd: String,
    /// The status of the new message of the day, first and last.
    pub motd_progress: OperationProgress,
    pub motd_status: OperationStatus,
    pub post_id: u64,
    pub post_title: String,
    pub category_id: u64,
    pub offer_id: u64,
    pub offer_name: String,
    pub price: u64,
    pub amount: String,
    /// The text of the QR code.
    pub payload: String,
    pub payment_status: PaymentStatus,
    pub package_coins: i64,
    /// The founder's coins after the payment and before the purchase.
    pub coins: i64,
    pub delivery_status: DeliveryStatus,
    /// The number of payments in the founder's list.
    pub payments: usize,
    /// The kinds and coins of the founder's history, newest first.
    pub coin_changes: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct CreatedGuild {
    pub operation_id: Uuid,
    pub guild_id: u64,
}

/// Runs the scenario on the site, and prints a line for each step.
pub async fn run_scenario(settings: &Settings) -> Result<ScenarioResult> {
    let visitor = new_client(&settings.url, HeaderMap::new())?; // without a token
    let game = with_token(&settings.url, &settings.game_token)?;
    // Names are unique on a site. With a random suffix the scenario can run again.
    let tag = random_letters();
    let surname = format!("{}{}", tag[..1].to_uppercase(), &tag[1..]);

    let (founder_name, friend_name) = (format!("founder_{tag}"), format!("friend_{tag}"));
    let password = Uuid::new_v4().to_string();
    for name in [&founder_name, &friend_name] {
        // The types check the rules of the site: a name with a space is an error before anything is sent.
        let request = visitor.account_register().body_map(|account| {
            account.name(name.as_str()).email(email_of(name)).password(password.as_str())
        });
        outcome!(&visitor, request);
    }
    println!("registered {founder_name} and {friend_name}");

    // An account buys only after it has verified its address. The link in the mail opens a page of the site, which sends
    // the token to the API. The token is proof enough: the request needs no log-in.
    for name in [&founder_name, &friend_name] {
        let token = token_of_mail(&settings.bank_url, &email_of(name)).await?;
        let request = visitor.account_verify_email().body_map(|body| body.token(token));
        outcome!(&visitor, request);
    }
    println!("verified {founder_name} and {friend_name}");

    let founder = log_in(&settings.url, &founder_name, &password).await?;
    let friend = log_in(&settings.url, &friend_name, &password).await?;
    println!("logged in");

    let friend_token = log_in_with_second_factor(&visitor, &friend, &friend_name, &password).await?;
    let friend = with_token(&settings.url, &friend_token)?;
    println!("{friend_name} logged in with a second factor");

    let ada = create_character(&founder, format!("Ada {surname}")).await?;
    let bo = create_character(&friend, format!("Bo {surname}")).await?;
    println!("created {} and {}", ada.name, bo.name);

    // A guild's creator needs a minimum level, which the game server reports.
    // The account confirms that she is the founder's character in the game, too.
    let account_id = founder.account_me().send().await?.account_id.clone();
    let grown: GameCharacter = GameCharacter::builder()
        .name(ada.name.as_str())
        .level(50_u32)
        .vocation("Knight")
        .online(false) // the creator of a guild must be offline
        .account_id(account_id)
        .try_into()?;
    let request = game.game_upsert_characters().body_map(|body| body.characters([grown]));
    let upserted = outcome!(&game, request);
    ensure!(upserted.skipped.is_empty(), "the site does not know {}", ada.name);
    println!("the game reports level 50 for {}", ada.name);
    report_death(&game, &visitor, &ada).await?;

    // The game will read the changes of the site from here on.
    let place = game.game_changes().send().await?.last.clone();

    // After a lost response, send the request again with the same key: the response is repeated, the effect is not.
    let guild_name = format!("The {surname}s");
    let request = founder
        .guild_create()
        .idempotency_key(Uuid::new_v4().to_string())
        .body_map(|guild| guild.name(guild_name.as_str()).character_id(ada.character_id.clone()));
    let first = request.clone().send().await?.into_inner();
    let again = request.send().await?.into_inner();
    let guild_id = result_of(&founder, first.operation_id.clone(), first.result).await?.guild_id;
    let created = CreatedGuild { operation_id: *first.operation_id, guild_id: guild_id.get() };
    let repeated_id = result_of(&founder, again.operation_id.clone(), again.result).await?.guild_id;
    let created_again = CreatedGuild { operation_id: *again.operation_id, guild_id: repeated_id.get() };
    ensure!(created == created_again, "two guilds for one key: {created:?} and {created_again:?}");
    println!("created {guild_name} (guild {guild_id}), once for two equal requests");
    follow_until_guild(&game, place, &guild_id).await?;
    println!("the game learns of {guild_name}");

    let invite = founder
        .guild_invite()
        .body_map(|body| body.guild_id(guild_id.clone()).character_id(bo.character_id.clone()));
    outcome!(&founder, invite.clone());
    // A refusal is a value too. The meaning of its `code` never changes; `detail` is for people.
    let refusal = match invite.send().await {
        Err(Error::ErrorResponse(response)) => response.into_inner(),
        Err(error) => return Err(error.into()), // no response, or an undocumented one
        Ok(_) => bail!("{} was invited twice", bo.name),
    };
    println!("invited {}; a second invite is refused: {}", bo.name, refusal.code);

    let invites = friend.guild_invites().send().await?.into_inner().items;
    let invite = invites.into_iter().find(|invite| *invite.guild_id == *guild_id);
    let invite = invite.with_context(|| format!("{} sees no invite", bo.name))?;
    let request = friend
        .guild_accept_invite()
        .body_map(|body| body.guild_id(invite.guild_id).character_id(invite.character_id));
    outcome!(&friend, request);
    println!("{} accepted", bo.name);

    let guilds = visitor.guild_list().page(1_u64).limit(10_u64).send().await?.into_inner().total;
    let guilds = guilds.context("a list this long has no total")?;
    let members = visitor.guild_view().name(guild_name.as_str()).send().await?.into_inner().members.len();
    println!("{guild_name}, one of {guilds} guilds, has {members} members");

    // With respond-async, the server does not wait for the outcome. Poll the operation for it.
    let motd = format!("Welcome, {}.", bo.name);
    let request = founder
        .guild_change_motd()
        .prefer("respond-async")
        .body_map(|body| body.guild_id(guild_id.clone()).motd(motd.as_str()));
    let accepted = request.send().await?;
    ensure!(
        accepted.status() == StatusCode::ACCEPTED && accepted.result.is_none(),
        "the server waited: {accepted:?}"
    );
    let motd_status = until("the message of the day to change", async || {
        let operation = founder.operation_find().id(accepted.operation_id.clone()).send().await?.into_inner();
        match operation.status {
            OperationStatus::Pending => Ok(None),
            OperationStatus::Applied => Ok(Some(operation.status)),
            OperationStatus::Refused => bail!("the message of the day is refused: {:?}", operation.problem),
        }
    })
    .await?;
    println!("the message of the day was accepted, then {motd_status}");

    let editor = log_in(&settings.url, &settings.editor.name, &settings.editor.password).await?;
    let summary: Summary = format!("{} and {} look for companions.", ada.name, bo.name).parse()?;
    let request = editor.news_create().body_map(|post| {
        post.title(format!("{guild_name} have a guild"))
            .summary(summary)
            .body(format!("**{guild_name}** meet on Sunday at eight."))
    });
    let post_id = outcome!(&editor, request).post_id;
    let post = visitor.news_find().id(post_id.clone()).send().await?.into_inner();
    println!("published post {post_id}: {}", post.title);

    let merchant = log_in(&settings.url, &settings.merchant.name, &settings.merchant.password).await?;
    let request = merchant.shop_category_create().body_map(|category| {
        category.name(format!("Lights {surname}")).description("Against the dark.").position(10).hidden(false)
    });
    let category_id = outcome!(&merchant, request).category_id;
    let offer_name = format!("Torch {surname}");
    let price = 50_u64;
    let torch: Grant = Grant::builder().kind(GrantKind::Item).id("2920").count(1_u32).try_into()?; // the game's number
    let request = merchant.shop_offer_create().body_map(|offer| {
        offer
            .category_id(category_id.clone())
            .name(offer_name.as_str())
            .description("Burns for an hour.")
            .price(price)
            .grants([torch])
            .stock(2_i32)
    });
    let offer_id = outcome!(&merchant, request).offer_id;
    let request =
        merchant.shop_offer_change_stock().body_map(|stock| stock.offer_id(offer_id.clone()).change(3_i32));
    let stock = outcome!(&merchant, request).stock.unwrap_or_default();
    println!("on sale: {stock} x {offer_name} for {price} coins");

    let packages = visitor.payment_packages().send().await?.into_inner().items;
    let package = packages.into_iter().next().context("the site sells no coins")?;
    // A payment and a purchase always have a key: without it, a request that is sent again buys twice.
    let request = founder
        .payment_create()
        .idempotency_key(Uuid::new_v4().to_string())
        .body_map(|payment| payment.package_id(package.package_id));
    let operation = repeated(async || request.clone().send().await).await?;
    let payment = result_of(&founder, operation.operation_id, operation.result).await?;
    pay(&settings.bank_url, &payment.payload).await?;
    // The bank notifies the site, which takes a moment.
    let payment_status = until("the payment to be paid", async || {
        let status = founder.payment_find().id(payment.payment_id.clone()).send().await?.status;
        Ok((status == PaymentStatus::Paid).then_some(status))
    })
    .await?;
    let coins = founder.account_me().send().await?.coins;
    let amount = String::from(payment.amount.amount);
    println!("paid {amount} {} by QR code: {coins} coins", payment.amount.currency);

    let line: OrderLine = OrderLine::builder()
        .offer_id(offer_id.clone())
        .quantity(1_u32)
        .expected_price(NonZeroU64::new(price))
        .try_into()?;
    let request = founder
        .shop_purchase()
        .idempotency_key(Uuid::new_v4().to_string())
        .body_map(|body| body.character_id(ada.character_id).lines([line]));
    let operation = repeated(async || request.clone().send().await).await?;
    let purchase = result_of(&founder, operation.operation_id, operation.result).await?;
    let (quantity, delivery_status) = until("the torch to be delivered", async || {
        // A short lease is enough here. Another game server may have been faster, so check the purchase.
        let due = game.game_lease_deliveries().limit(100_u64).lease(5_i64).send().await?.into_inner().items;
        if !due.is_empty() {
            let given: Vec<DeliveryId> = due.into_iter().map(|delivery| delivery.delivery_id).collect();
            game.game_acknowledge_deliveries().body_map(|body| body.delivery_ids(given)).send().await?;
        }
        let purchases = founder.shop_purchases().page(1_u64).limit(10_u64).send().await?.into_inner().items;
        let mine = purchases.into_iter().find(|found| *found.purchase_id == *purchase.purchase_id);
        let line =
            mine.and_then(|mine| mine.lines.into_iter().next()).context("the purchase is not listed")?;
        Ok((line.status == DeliveryStatus::Delivered).then_some((line.quantity, line.status)))
    })
    .await?;
    println!("bought and {delivery_status}: {quantity} x {offer_name}");

    // The founder's own lists have the newest item first.
    let payments = founder.payment_list().page(1_u64).limit(10_u64).send().await?.into_inner().items;
    let entries = founder.account_coins().page(1_u64).limit(10_u64).send().await?.into_inner().items;
    let coin_changes: Vec<String> =
        entries.iter().map(|entry| format!("{} {}", entry.kind, entry.coins)).collect();
    println!("listed {} payment, and the changes of coins: {}", payments.len(), coin_changes.join(", "));

    Ok(ScenarioResult {
        founder: founder_name,
        friend: friend_name,
        friend_token,
        password,
        founder_character: ada.name,
        friend_character: bo.name,
        created,
        created_again,
        guild_name,
        refusal,
        guilds,
        members,
        motd,
        motd_progress: accepted.status,
        motd_status,
        post_id: post_id.get(),
        post_title: post.title,
        category_id: category_id.get(),
        offer_id: offer_id.get(),
        offer_name,
        price,
        amount,
        payload: payment.payload,
        payment_status,
        package_coins: package.coins,
        coins,
        delivery_status,
        payments: payments.len(),
        coin_changes,
    })
}

/// Returns a client whose requests have the token.
fn with_token(url: &str, token: &str) -> Result<Client> {
    let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))?;
    bearer.set_sensitive(true); // keeps it out of logs
    new_client(url, HeaderMap::from_iter([(AUTHORIZATION, bearer)]))
}

/// `Client::new` waits for a response for 15 s, but the site responds within 20 s, and to a long poll within 30 s more.
fn new_client(url: &str, headers: HeaderMap) -> Result<Client> {
    let http =
        reqwest::Client::builder().default_headers(headers).timeout(Duration::from_secs(60)).build()?;
    Ok(Client::new_with_client(url, http))
}

/// Logs in. The token is valid for `expires_in` seconds, longer than the scenario; `auth_refresh` renews it.
async fn log_in(url: &str, name: &str, password: &str) -> Result<Client> {
    let visitor = new_client(url, HeaderMap::new())?;
    let request = visitor.auth_log_in().body_map(|body| body.login(name).password(password));
    with_token(url, &request.send().await?.access_token)
}

/// Turns on the second factor of a player, and logs in with it. Returns the access token.
async fn log_in_with_second_factor(
    visitor: &Client,
    player: &Client,
    name: &str,
    password: &str,
) -> Result<String> {
    let request = player.account_start_second_factor().body_map(|body| body.password(password));
    let started = request.send().await?.into_inner();
    // The first code proves that the app has the secret. The recovery codes are shown only now.
    let app = totp_rs::Builder::new().with_secret(totp_rs::Secret::try_from_base32(&started.secret)?);
    let code = app.build()?.generate_current().to_string();
    let request = player
        .account_enable_second_factor()
        .body_map(|body| body.enrolment(started.enrolment.as_str()).code(code.as_str()));
    let recovery_codes = request.send().await?.into_inner().recovery_codes;
    // From now on a log-in has two steps. No code is valid twice, so this one uses a recovery code.
    let asked = match visitor.auth_log_in().body_map(|body| body.login(name).password(password)).send().await
    {
        Err(Error::ErrorResponse(response)) => response.into_inner(),
        Err(error) => return Err(error.into()),
        Ok(_) => bail!("the log-in needs no second factor"),
    };
    let challenge = asked.challenge.context("the problem has no challenge")?;
    let code = recovery_codes.first().context("there are no recovery codes")?;
    let request =
        visitor.auth_second_factor().body_map(|body| body.challenge(challenge.as_str()).code(code.as_str()));
    Ok(request.send().await?.into_inner().access_token)
}

async fn create_character(player: &Client, name: String) -> Result<CharacterCreated> {
    let request = player.account_create_character().body_map(|body| body.name(name).vocation("Knight"));
    Ok(outcome!(player, request))
}

/// Pays as the player does in the bank's app. This is not part of the SDK.
async fn pay(bank_url: &str, payload: &str) -> Result<()> {
    let request = reqwest::Client::new().post(format!("{bank_url}/sandbox/pay"));
    let response =
        request.json(&json!({ "payload": payload })).send().await.context("the bank does not respond")?;
    ensure!(
        response.status() == StatusCode::CREATED,
        "the bank refuses the payment: {}",
        response.text().await?
    );
    Ok(())
}

/// Waits for a mail to the address, for 20 s at most, and returns the token in its link. This is not part of the SDK: the
/// fake bank also catches the mails of the site.
async fn token_of_mail(bank_url: &str, email: &str) -> Result<String> {
    let request = reqwest::Client::new().get(format!("{bank_url}/sandbox/mails"));
    let request = request.query(&[("to", email), ("wait", "20")]);
    let response = request.send().await.context("the mail catcher does not respond")?.error_for_status()?;
    let found: Value = response.json().await?;
    let text = found["mails"][0]["text"].as_str().unwrap_or_default();
    let (_, link_end) =
        text.split_once("#token=").with_context(|| format!("no mail to {email} has a link with a token"))?;
    Ok(link_end.chars().take(43).collect())
}

/// Sends a command with an idempotency key, and sends it again while it may have taken effect, up to five times.
async fn repeated<T>(
    send: impl AsyncFn() -> Result<ResponseValue<T>, Error<Problem>>,
) -> Result<T, Error<Problem>> {
    for pause in 1..5 {
        match send().await {
            Err(error) if may_have_taken_effect(&error) => sleep(Duration::from_secs(pause)).await,
            response => return response.map(ResponseValue::into_inner),
        }
    }
    send().await.map(ResponseValue::into_inner)
}

/// Whether a command may have taken effect in spite of the error. Only some responses of the site are final refusals.
fn may_have_taken_effect(error: &Error<Problem>) -> bool {
    match error {
        Error::InvalidRequest(_) => false, // it was not sent
        Error::ErrorResponse(_) => error.is_retryable(),
        _ => true,
    }
}

/// A command without an outcome. It is stored on disk: read its outcome later with `operation_find`.
#[derive(Debug)]
pub struct StillPending(pub OperationId);

impl fmt::Display for StillPending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "operation {} is still pending", *self.0)
    }
}

impl std::error::Error for StillPending {}

/// Returns the result of a command. A busy site responds 202 without it after some seconds. Then the command is not sent
/// again, but its outcome is polled for 60 s at most.
async fn result_of<T: DeserializeOwned>(client: &Client, id: OperationId, result: Option<T>) -> Result<T> {
    if let Some(result) = result {
        return Ok(result);
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        sleep(Duration::from_millis(500)).await;
        // If the outcome cannot be read, the command may still be applied.
        let Ok(response) = client.operation_find().id(id.clone()).send().await else { continue };
        let operation = response.into_inner();
        if let Some(problem) = operation.problem {
            bail!("refused: {}: {}", problem.code, problem.detail);
        }
        if let Some(result) = operation.result {
            return Ok(serde_json::from_value(result)?);
        }
    }
    Err(StillPending(id).into())
}

/// Polls until there is a value, for 30 s at most.
async fn until<T>(what: &str, mut poll: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(value) = poll().await? {
            return Ok(value);
        }
        ensure!(Instant::now() < deadline, "waited 30 s for {what}");
        sleep(Duration::from_millis(250)).await;
    }
}

fn email_of(name: &str) -> String {
    format!("{name}@example.org")
}

/// Returns six letters, because names of characters have no digits.
fn random_letters() -> String {
    Uuid::new_v4().as_bytes()[..6].iter().map(|byte| char::from(b'a' + byte % 26)).collect()
}
