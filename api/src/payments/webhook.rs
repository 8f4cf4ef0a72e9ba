//! Who may tell of payments, and what they tell.

use chrono::Utc;
use guildhall_common::contract::{notification::Provider, notification::StoreNotifications};
use ipnet::IpNet;
use poem::{Request, RequestBody, Result, http::StatusCode};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Object,
    registry::{MetaMediaType, MetaRequest, MetaSecurityScheme, Registry},
    types::{Example, Type},
};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use crate::{
    config::Config,
    http::{json::JSON, problem::Problem, request_data::RawBody},
    payments::signature::SigningSecrets,
    state::State,
};

/// The shortest secret that may stand in an address.
const SHORTEST: usize = 16;

/// What notifications have to prove.
#[derive(Clone)]
pub(crate) struct Webhooks {
    secret: Option<SecretString>,
    certificate_header: Option<String>,
    signing: SigningSecrets,
}

impl Webhooks {
    /// # Errors
    /// When a secret is too weak.
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let secret = config.pix_webhook_secret.clone();
        anyhow::ensure!(
            secret.as_ref().is_none_or(|secret| fits_an_address(secret.expose_secret())),
            "GUILDHALL_PIX_WEBHOOK_SECRET must have at least {SHORTEST} letters and digits: openssl rand -hex 24"
        );
        let signing = SigningSecrets::new(&config.webhook_secrets)
            .map_err(|error| error.context("GUILDHALL_WEBHOOK_SECRETS cannot be used"))?;
        Ok(Self { secret, certificate_header: config.pix_webhook_certificate_header.clone(), signing })
    }

    /// Whether the bank may have sent this: it knows the secret, and a proxy of ours vouches for its
    /// certificate; whichever of both is set.
    fn is_from_the_bank(&self, request: &Request, proxies: &[IpNet]) -> bool {
        let vouched = |header: &String| {
            let peer = request.remote_addr().as_socket_addr().map(|peer| peer.ip().to_canonical());
            peer.is_some_and(|peer| proxies.iter().any(|network| network.contains(&peer)))
                && request.header(header.as_str()) == Some("SUCCESS")
        };
        let known = |secret: &SecretString| {
            let given = given_secret(request.uri().query().unwrap_or_default());
            given.is_some_and(|given| given.as_bytes().ct_eq(secret.expose_secret().as_bytes()).into())
        };
        (self.secret.is_some() || self.certificate_header.is_some())
            && self.secret.as_ref().is_none_or(known)
            && self.certificate_header.as_ref().is_none_or(vouched)
    }

    /// The id of a signed notification, if its signature is good.
    fn signed_id(&self, request: &Request, body: &[u8]) -> Option<String> {
        let id = request.header("webhook-id").filter(|id| (1..=255).contains(&id.len()))?;
        let (timestamp, signatures) =
            (request.header("webhook-timestamp")?, request.header("webhook-signature")?);
        self.signing.verify(id, timestamp, signatures, body, Utc::now().timestamp()).then(|| id.to_owned())
    }
}

/// Needs no escaping, on which banks do not agree.
fn fits_an_address(secret: &str) -> bool {
    secret.len() >= SHORTEST && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Some banks append `/pix` to the whole address as a text, and it lands in the query.
fn given_secret(query: &str) -> Option<&str> {
    let given = query.split('&').find_map(|pair| pair.strip_prefix("secret="))?;
    Some(given.strip_suffix("/pix").unwrap_or(given))
}

/// Who sent a notification: proved.
pub(super) struct VerifiedSender {
    provider: Provider,
    /// The sender's own name of the notification, of one that is signed.
    id: Option<String>,
}

/// What a notification says, not read yet.
pub(super) struct WebhookBody(RawBody);

impl VerifiedSender {
    /// What there is to look into; nothing, when a bank tries whether anybody answers.
    pub(super) fn notify(self, body: &WebhookBody) -> Result<Option<StoreNotifications>, Problem> {
        let WebhookBody(RawBody(raw)) = body;
        StoreNotifications::read(self.provider, self.id, raw)
            .map_err(|error| Problem::invalid(error.pointer(), error.to_string()))
    }
}

impl<'a> ApiExtractor<'a> for VerifiedSender {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        let scheme = |name, key_in, description| MetaSecurityScheme {
            ty: "apiKey",
            description: Some(description),
            name: Some(name),
            key_in: Some(key_in),
            scheme: None,
            bearer_format: None,
            flows: None,
            openid_connect_url: None,
        };
        registry.create_security_scheme(
            SECRET,
            scheme("secret", "query", "What the site's operator put into the address that the bank calls."),
        );
        registry.create_security_scheme(
            SIGNATURE,
            scheme(
                "webhook-signature",
                "header",
                "As of Standard Webhooks 1.0, with `webhook-id` and `webhook-timestamp`.",
            ),
        );
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![SECRET, SIGNATURE]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        let (Some(state), Some(RawBody(raw))) = (request.data::<State>(), request.data::<RawBody>()) else {
            return Err(unproved().into());
        };
        let told = if request.header("webhook-signature").is_some() {
            let id = state.webhooks.signed_id(request, raw);
            id.map(|id| Self { provider: Provider::Manual, id: Some(id) })
        } else {
            let bank = state.webhooks.is_from_the_bank(request, &state.trusted_proxies);
            bank.then_some(Self { provider: Provider::ApiPix, id: None })
        };
        let Some(told) = told else {
            // Whoever guesses is slowed down; whoever proves it is not even counted.
            state.rate_limits.try_unverified_sender(request.data().copied())?;
            return Err(unproved().into());
        };
        Ok(told)
    }
}

impl<'a> ApiExtractor<'a> for WebhookBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        PixNotification::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType { content_type: JSON, schema: PixNotification::schema_ref() }];
        Some(MetaRequest { description: None, content, required: true })
    }

    /// Of whatever media type: not every bank's is right.
    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        Ok(Self(request.data::<RawBody>().cloned().unwrap_or_default()))
    }
}

/// What a bank sends. Fields that are not named here are kept as well.
#[derive(Object)]
#[oai(example)]
struct PixNotification {
    #[oai(default)]
    pix: Vec<PixTransfer>,
}

/// A transfer that came in, or that has changed since.
#[derive(Object)]
#[oai(rename_all = "camelCase")]
struct PixTransfer {
    end_to_end_id: String,
    txid: Option<String>,
    chave: Option<String>,
    /// Reais: `25.00`.
    valor: Option<String>,
    horario: Option<String>,
}

impl Example for PixNotification {
    fn example() -> Self {
        let transfer = PixTransfer {
            end_to_end_id: "E12345678202009091221abcdef12345".to_owned(),
            txid: Some("0192f0c12a3b7c4d8e5f60718293a4b5".to_owned()),
            chave: Some("7d9f0335-8dcc-4054-9bf9-0dbd61d36906".to_owned()),
            valor: Some("25.00".to_owned()),
            horario: Some("2030-01-31T12:05:00Z".to_owned()),
        };
        Self { pix: vec![transfer] }
    }
}

const SECRET: &str = "webhookSecret";
const SIGNATURE: &str = "webhookSignature";

fn unproved() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "The sender of this notification has proved nothing.",
    )
}
