//! Whether an account may log in.

use poem::http::StatusCode;

use crate::http::problem::{LogInRefusal, Problem, Suspension};

/// What can keep the owner of an account from logging in.
pub(super) struct Standing {
    pub(super) suspension: Option<Suspension>,
    pub(super) password_expired: bool,
}

impl Standing {
    /// Checks an account whose password was correct, so only its owner reads the reason.
    ///
    /// # Errors
    /// 403 if the account is suspended, or its password must be reset.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if let Some(suspension) = &self.suspension {
            let until = suspension.until.map(|until| format!("until {}", until.format("%Y-%m-%d %H:%M UTC")));
            let until = until.unwrap_or_else(|| "for ever".to_owned());
            let detail = format!("This account is suspended {until}. The reason: {}", suspension.reason);
            let problem = Problem::new(StatusCode::FORBIDDEN, "account_suspended", detail);
            return Err(Problem {
                log_in: Some(Box::new(LogInRefusal::Suspension(suspension.clone()))),
                ..problem
            });
        }
        if self.password_expired {
            let detail = "Your password is not valid any more. Ask for a link by mail, and set a new one.";
            return Err(Problem::new(StatusCode::FORBIDDEN, "password_expired", detail));
        }
        Ok(())
    }
}
