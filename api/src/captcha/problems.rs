//! The responses to requests without a valid solution.

use poem::http::StatusCode;

use crate::http::problem::Problem;

pub(crate) const REQUIRED: &str = "captcha_required";
pub(crate) const REQUIRED_DETAIL: &str = "A solved captcha is missing. Solve the one of `/captcha`, and send the solution in the header `Captcha`.";

pub(crate) const FAILED: &str = "captcha_failed";
pub(crate) const FAILED_DETAIL: &str =
    "The captcha is not solved, has expired or was used before. Solve another one of `/captcha`.";

/// 403: the request has no solution.
pub(super) fn required() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, REQUIRED, REQUIRED_DETAIL)
}

/// 403: the solution is not valid.
pub(super) fn failed() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, FAILED, FAILED_DETAIL)
}

/// 503: a valid solution cannot be distinguished from another one at the moment.
pub(super) fn unavailable() -> Problem {
    let detail = "The captcha cannot be verified at the moment. Try again.";
    Problem::unavailable("captcha_unavailable", detail)
}
