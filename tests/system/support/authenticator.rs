//! An authenticator app, and the requests of its owner.

use data_encoding::BASE32_NOPAD;
use guildhall_testkit::totp;
use serde_json::{Value, json};

use super::{
    client::{Client, Response},
    community::PASSWORD,
    site::Site,
};

/// The app of a player who has a second factor.
pub(crate) struct Authenticator {
    pub(crate) secret: Vec<u8>,
    pub(crate) recovery_codes: Vec<String>,
}

impl Authenticator {
    /// The present step of RFC 6238.
    pub(crate) fn step() -> i64 {
        totp::step()
    }

    /// The code of a step.
    pub(crate) fn code(&self, step: i64) -> String {
        totp::code(&self.secret, step)
    }

    /// A code that the site accepts, also if it has accepted it before.
    pub(crate) async fn fresh_code(&self, site: &Site) -> String {
        site.execute("update accounts set second_factor_last_step = 0 where second_factor is not null").await;
        self.code(Self::step())
    }

    /// A code that no app shows at the moment.
    pub(crate) fn wrong_code(&self) -> String {
        let near: Vec<String> = (-5..=5).map(|offset| self.code(Self::step() + offset)).collect();
        ["000000", "111111", "222222"]
            .into_iter()
            .chain(["333333", "444444", "555555", "666666", "777777", "888888", "999999", "123456", "654321"])
            .find(|code| near.iter().all(|right| right != code))
            .unwrap()
            .to_owned()
    }
}

/// Requests a secret for an app.
pub(crate) async fn start_second_factor(player: &Client) -> Value {
    player.post("/accounts/second-factor/start", json!({ "password": PASSWORD })).await.ok()
}

/// Enables a second factor.
pub(crate) async fn enable_second_factor(player: &Client) -> Authenticator {
    let start = start_second_factor(player).await;
    let secret = BASE32_NOPAD.decode(start["secret"].as_str().unwrap().as_bytes()).unwrap();
    let mut app = Authenticator { secret, recovery_codes: vec![] };
    let first = json!({ "enrolment": start["enrolment"], "code": app.code(Authenticator::step()) });
    let enabled = player.post("/accounts/second-factor/enable", first).await.ok();
    app.recovery_codes = serde_json::from_value(enabled["recovery_codes"].clone()).unwrap();
    app
}

impl Site {
    /// The challenge of a log-in with the right password.
    pub(crate) async fn challenge(&self, login: &str) -> Value {
        self.log_in(login).await.problem(401, "second_factor_required")["challenge"].clone()
    }

    /// The second step of a log-in.
    pub(crate) async fn answer(&self, challenge: &Value, code: &str) -> Response {
        self.visitor().post("/auth/second-factor", json!({ "challenge": challenge, "code": code })).await
    }

    /// A log-in with a code.
    pub(crate) async fn log_in_with_code(&self, login: &str, code: &str) -> Response {
        self.answer(&self.challenge(login).await, code).await
    }
}
