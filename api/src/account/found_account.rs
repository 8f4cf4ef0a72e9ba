//! The account that a log-in names.

use guildhall_common::contract::account::AccountId;
use sqlx::PgPool;

use crate::{
    account::standing::Standing,
    auth::{device::DeviceHash, log_in_limits::Familiarity},
    http::problem::{Problem, Suspension},
};

/// An account that a log-in names.
pub(super) struct FoundAccount {
    pub(super) account_id: AccountId,
    pub(super) password_hash: String,
    pub(super) is_known_device: bool,
    pub(super) is_known_network: bool,
    pub(super) is_trusted_device: bool,
    pub(super) has_second_factor: bool,
    pub(super) standing: Standing,
}

/// The account with this name, name in the game or verified address, and what it knows about the client.
///
/// # Errors
/// 503 if the database is not available.
pub(super) async fn find_account(
    database: &PgPool,
    login: &str,
    device: Option<DeviceHash>,
    networks: &[DeviceHash],
) -> Result<Option<FoundAccount>, Problem> {
    let networks: Vec<&[u8]> = networks.iter().map(DeviceHash::as_bytes).collect();
    let account = sqlx::query!(
        r#"select account_id as "account_id: AccountId", password_hash,
                  exists (
                      select from known_clients known
                      where known.account_id = accounts.account_id and client_hash = $2
                  ) as "is_known_device!",
                  exists (
                      select from known_clients known
                      where known.account_id = accounts.account_id and client_hash = any($3)
                  ) as "is_known_network!",
                  exists (
                      select from known_clients known
                      where known.account_id = accounts.account_id and client_hash = $2 and trusted_until > now()
                  ) as "is_trusted_device!",
                  second_factor is not null as "has_second_factor!",
                  coalesce(suspended_until > now(), false) as "is_suspended!",
                  case when isfinite(suspended_until) then suspended_until end as suspended_until,
                  coalesce(suspension_reason, '') as "suspension_reason!", password_expired
           from accounts where name_key = $1 or game_login = $1 or email_key = $1 and email_verified_at is not null limit 1"#,
        login,
        device.as_ref().map(DeviceHash::as_bytes),
        &networks as _,
    );
    let account = account.fetch_optional(database).await?;
    Ok(account.map(|row| FoundAccount {
        account_id: row.account_id,
        password_hash: row.password_hash,
        is_known_device: row.is_known_device,
        is_known_network: row.is_known_network,
        is_trusted_device: row.is_trusted_device,
        has_second_factor: row.has_second_factor,
        standing: Standing {
            suspension: row
                .is_suspended
                .then_some(Suspension { until: row.suspended_until, reason: row.suspension_reason }),
            password_expired: row.password_expired,
        },
    }))
}

impl FoundAccount {
    pub(super) fn familiarity(&self, device: Option<DeviceHash>) -> Familiarity {
        match device {
            Some(device) if self.is_known_device => Familiarity::KnownDevice(device),
            _ if self.is_known_network => Familiarity::KnownNetwork,
            _ => Familiarity::Unknown,
        }
    }
}
