//! Whether an account may log in.

use chrono::{DateTime, Utc};
use guildhall_common::contract::account::AccountId;
use poem::http::StatusCode;

use crate::{http::problem::Problem, state::State};

/// Checks an account whose password was correct, so only its owner reads the reason.
///
/// # Errors
/// 403 if the account is suspended, or its password must be reset.
pub(super) async fn check_standing(state: &State, account_id: AccountId) -> Result<(), Problem> {
    let account = sqlx::query!(
        r#"select coalesce(suspended_until > now(), false) as "is_suspended!",
                  case when isfinite(suspended_until) then suspended_until end as suspended_until,
                  coalesce(suspension_reason, '') as "suspension_reason!", password_expired
           from accounts where account_id = $1"#,
        account_id.get(),
    )
    .fetch_optional(&state.database)
    .await?;
    match account {
        Some(account) if account.is_suspended => {
            Err(suspended(account.suspended_until, &account.suspension_reason))
        }
        Some(account) if account.password_expired => {
            let detail =
                "The team has made your password invalid. Ask for a link by mail, and set a new one.";
            Err(Problem::new(StatusCode::FORBIDDEN, "password_expired", detail))
        }
        Some(_) | None => Ok(()),
    }
}

fn suspended(until: Option<DateTime<Utc>>, reason: &str) -> Problem {
    let until = until.map(|until| format!("until {}", until.format("%Y-%m-%d %H:%M UTC")));
    let until = until.unwrap_or_else(|| "for ever".to_owned());
    let detail = format!("This account is suspended {until}. The reason: {reason}");
    Problem::new(StatusCode::FORBIDDEN, "account_suspended", detail)
}
