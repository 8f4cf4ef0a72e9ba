//! Captchas: proof that a stranger is not a program, or has at least done some work.
//!
//! Each kind of captcha is a file that implements [`verifier::CaptchaVerifier`]. [`required_captcha`] checks requests.

mod altcha;
pub(crate) mod offer;
pub(crate) mod required_captcha;
mod siteverify;
mod used_solutions;
mod verifier;
