//! Captchas: which requests need one, and which solutions are accepted.

mod altcha;
mod forged;
mod outage;
mod provider;
mod siteverify;
mod solution;
