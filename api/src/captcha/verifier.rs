//! What every kind of captcha can do.

use std::net::IpAddr;

use futures_util::future::{BoxFuture, FutureExt, ready};

use super::offer::Captcha;

/// The id of a solved captcha. All texts of one solution have the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SolutionId(pub(super) [u8; 32]);

/// The reason for which a solution is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CaptchaError {
    #[error("the captcha is not solved")]
    Unsolved,
    #[error("the provider cannot verify the captcha")]
    ProviderUnavailable,
}

/// Makes and verifies captchas of one kind. It does not know which ones were used.
pub(crate) trait CaptchaVerifier: Send + Sync {
    /// Adds the fields that a client needs to solve a captcha of this kind.
    fn complete(&self, captcha: Captcha) -> Captcha;

    /// The id of a solution, after all checks that need no other server.
    ///
    /// # Errors
    /// The captcha is not solved.
    fn identify(&self, solution: &str) -> Result<SolutionId, CaptchaError>;

    /// Completes the verification of an identified solution at a provider. A provider accepts each solution once.
    fn confirm<'a>(&'a self, _solution: &'a str, _client: IpAddr) -> BoxFuture<'a, Result<(), CaptchaError>> {
        ready(Ok(())).boxed()
    }
}
