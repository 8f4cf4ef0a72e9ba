//! Whether an account may log in.

use chrono::{DateTime, Utc};
use poem::http::StatusCode;

use crate::http::problem::Problem;

/// What can keep the owner of an account from logging in.
pub(super) struct Standing {
    pub(super) is_suspended: bool,
    /// None: for ever.
    pub(super) suspended_until: Option<DateTime<Utc>>,
    pub(super) suspension_reason: String,
    pub(super) password_expired: bool,
}

impl Standing {
    /// Checks an account whose password was correct, so only its owner reads the reason.
    ///
    /// # Errors
    /// 403 if the account is suspended, or its password must be reset.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let (code, detail) = if self.is_suspended {
            let until =
                self.suspended_until.map(|until| format!("until {}", until.format("%Y-%m-%d %H:%M UTC")));
            let until = until.unwrap_or_else(|| "for ever".to_owned());
            let reason = &self.suspension_reason;
            ("account_suspended", format!("This account is suspended {until}. The reason: {reason}"))
        } else if self.password_expired {
            let detail = "Your password is not valid any more. Ask for a link by mail, and set a new one.";
            ("password_expired", detail.to_owned())
        } else {
            return Ok(());
        };
        Err(Problem::new(StatusCode::FORBIDDEN, code, detail))
    }
}
