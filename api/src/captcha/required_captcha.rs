//! Which requests need a captcha, and whether they have one.

use std::{net::IpAddr, sync::Arc};

use guildhall_common::{contract::command::Actor, platform::cache::Cache, text_types};
use tracing::Instrument;
use uuid::Uuid;

use super::{
    altcha::Altcha,
    offer::Captcha,
    siteverify::Siteverify,
    used_solutions::UsedSolutions,
    verifier::{CaptchaError, CaptchaVerifier, SolutionId},
};
use crate::{
    auth::keys::Secrets,
    config::{CaptchaKind, CaptchaPlace, CaptchaSettings},
    http::{
        api_refusal::ApiRefusal, client_address::ClientAddress, command_request::CommandRequest,
        problem::Problem,
    },
};

text_types! {
    /// The solution of a captcha. `GET /captcha` says which requests need one. It is valid for one request, and for
    /// repeats of this request with the same `Idempotency-Key`.
    CaptchaSolution { 1 ..= 8192, "^[!-~]+$", "eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=" }
}

/// The captchas of the site.
#[derive(Clone)]
pub(crate) struct Captchas {
    kind: CaptchaKind,
    required_at: Arc<[CaptchaPlace]>,
    /// None if the kind is `off`.
    verifier: Option<Arc<dyn CaptchaVerifier>>,
    used: Arc<UsedSolutions>,
    secrets: Arc<Secrets>,
}

impl Captchas {
    /// # Errors
    /// A setting is missing or invalid.
    pub(crate) fn new(
        settings: &CaptchaSettings,
        secrets: Arc<Secrets>,
        cache: Cache,
    ) -> anyhow::Result<Self> {
        let verifier: Option<Arc<dyn CaptchaVerifier>> = match settings.captcha {
            CaptchaKind::Off => None,
            CaptchaKind::Altcha => Some(Arc::new(Altcha::new(&secrets))),
            CaptchaKind::Siteverify => Some(Arc::new(Siteverify::new(settings)?)),
        };
        let required_at = if verifier.is_some() { settings.captcha_at.as_slice() } else { &[] };
        Ok(Self {
            kind: settings.captcha,
            required_at: required_at.into(),
            verifier,
            used: Arc::new(UsedSolutions::new(cache)),
            secrets,
        })
    }

    /// A captcha that was not offered before.
    pub(crate) fn offer(&self) -> Captcha {
        let captcha = Captcha::new(self.kind, self.required_at.to_vec());
        match &self.verifier {
            Some(verifier) => verifier.complete(captcha),
            None => captcha,
        }
    }

    /// Checks the solution of a request, if requests of this place need one, and uses it up.
    ///
    /// # Errors
    /// 403 if the solution is missing or wrong, or was used for another request; 503 if the provider cannot verify it.
    pub(crate) async fn require(
        &self,
        place: CaptchaPlace,
        request: &CommandRequest,
        client: ClientAddress,
        solution: Option<CaptchaSolution>,
    ) -> Result<(), Problem> {
        let Some(verifier) = self.verifier.clone().filter(|_| self.required_at.contains(&place)) else {
            return Ok(());
        };
        let Some(solution) = solution else {
            count(place, "missing");
            return Err(ApiRefusal::CaptchaRequired.into());
        };
        let (result, response) =
            match self.redeem(verifier, solution, client, self.users(place, request)).await {
                Ok(()) => ("solved", Ok(())),
                Err(CaptchaError::Unsolved) => ("failed", Err(ApiRefusal::CaptchaFailed.into())),
                Err(CaptchaError::ProviderUnavailable) => ("unavailable", Err(unavailable())),
            };
        count(place, result);
        response
    }

    async fn redeem(
        &self,
        verifier: Arc<dyn CaptchaVerifier>,
        solution: CaptchaSolution,
        client: ClientAddress,
        users: Vec<String>,
    ) -> Result<(), CaptchaError> {
        let id = verifier.identify(&solution)?;
        let used = self.used.clone();
        let redemption = Redemption { id, verifier, used, solution, client: client.0, users };
        // A task also ends if the client disconnects. Otherwise a repeated request could find its solution used.
        let redeemed = tokio::spawn(redemption.complete().in_current_span()).await;
        redeemed.unwrap_or(Err(CaptchaError::ProviderUnavailable))
    }

    /// The names of a request as the user of a solution, one per secret of the site. A request with an idempotency key has the
    /// same names when it is repeated. Any other request has a new name, and so does a log-in, which takes no key.
    fn users(&self, place: CaptchaPlace, request: &CommandRequest) -> Vec<String> {
        let key = request.idempotency_key.as_deref().filter(|_| place != CaptchaPlace::LogIn);
        let Some(key) = key else { return vec![Uuid::new_v4().to_string()] };
        let request_line = (&*request.method, &*request.path, &*request.body.0);
        let uses = self.secrets.key_uses(Actor::Anonymous, key, request_line);
        // Other requests can have the shared key, too.
        uses.into_iter().map(|key_use| key_use.key.to_string()).collect()
    }
}

/// The use of a solution by a request.
struct Redemption {
    id: SolutionId,
    verifier: Arc<dyn CaptchaVerifier>,
    used: Arc<UsedSolutions>,
    solution: CaptchaSolution,
    client: IpAddr,
    users: Vec<String>,
}

impl Redemption {
    async fn complete(self) -> Result<(), CaptchaError> {
        if let Some(user) = self.used.find(self.id).await {
            return self.require_own(&user);
        }
        self.verifier.confirm(&self.solution, self.client).await?;
        self.require_own(&self.used.claim(self.id, &self.users[0]).await)
    }

    /// The solution is not used by another request.
    fn require_own(&self, user: &String) -> Result<(), CaptchaError> {
        if self.users.contains(user) { Ok(()) } else { Err(CaptchaError::Unsolved) }
    }
}

fn count(place: CaptchaPlace, result: &'static str) {
    let place = match place {
        CaptchaPlace::Registration => "registration",
        CaptchaPlace::Recovery => "recovery",
        CaptchaPlace::LogIn => "log_in",
    };
    metrics::counter!("guildhall_captchas_total", "place" => place, "result" => result).increment(1);
}

/// 503: a valid solution cannot be distinguished from another one at the moment.
fn unavailable() -> Problem {
    Problem::unavailable("captcha_unavailable", "The captcha cannot be verified at the moment. Try again.")
}
