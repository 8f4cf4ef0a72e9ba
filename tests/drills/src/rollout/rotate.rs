//! The replacement of the secret in the order of docs/OPERATIONS.md.

use std::{sync::Arc, time::Instant};

use anyhow::ensure;
use guildhall_testkit::environment::setting;

use super::{
    apis::ApiAttempt,
    check::finish,
    load::CellLoad,
    promise::Promise,
    recorded_client::{Credential, RecordedClient},
    settings::RolloutSettings,
    site::{RolloutSite, start_stack},
};
use crate::{
    process::{Part, Process},
    stack::Stack,
};

/// Replaces the secret of both apis under load. While the old secret is known, each repeated key gets its first outcome,
/// each accepted operation is found, and nobody is signed out. Then refresh tokens are valid still.
///
/// # Errors
/// When a promise is broken.
pub async fn run(settings: &RolloutSettings) -> anyhow::Result<()> {
    let mut stack = start_stack().await?;
    let site = Arc::new(RolloutSite::from_environment().await?);
    let (name, password) = Stack::credential("player")?;
    let idle = site.log_in(&name, &password).await?;
    let mut promise = Promise::everything();
    let load = CellLoad::start(&site, settings, promise).await?;
    let rolled_out = replace_secret(&mut stack, &load, &mut promise, idle).await;
    finish(&site, &stack, load, rolled_out, &promise).await
}

async fn replace_secret(
    stack: &mut Stack,
    load: &CellLoad,
    promise: &mut Promise,
    idle: RecordedClient,
) -> anyhow::Result<()> {
    let (old, new) = (setting("GUILDHALL_SECRET")?, setting("DRILL_NEW_SECRET")?);
    set_secrets(stack, load, "OLD,NEW", &format!("{old},{new}")).await?;
    let all_know_new = Instant::now();
    set_secrets(stack, load, "NEW,OLD", &format!("{new},{old}")).await?;
    let all_sign_with_new = Instant::now();
    // An operator removes the old secret when no client needs it any more.
    *promise = Promise { keys_from: all_know_new, operations_from: all_sign_with_new, keeps_tokens: false };
    load.change_promise(|current| *current = *promise).await;
    set_secrets(stack, load, "NEW", &new).await?;
    check_idle_client(idle, promise).await
}

async fn set_secrets(stack: &mut Stack, load: &CellLoad, title: &str, secrets: &str) -> anyhow::Result<()> {
    let apis: Vec<Process> = stack.processes(Part::Api).collect();
    for api in apis {
        stack.set_settings(api, vec![format!("GUILDHALL_SECRET={secrets}")]);
        load.step(&format!("{}: GUILDHALL_SECRET={title}", api.name()), stack.restart(api)).await?;
    }
    Ok(())
}

/// A client that has slept since before the replacement: its access token is invalid, and its refresh token is valid.
async fn check_idle_client(mut idle: RecordedClient, promise: &Promise) -> anyhow::Result<()> {
    if let Credential::Session { access_token, .. } = &idle.credential {
        for api in [0, 1] {
            let attempt = ApiAttempt { token: Some(access_token), ..ApiAttempt::get("/accounts/me") };
            let response = idle.apis.send(api, &attempt).await.map_err(anyhow::Error::msg)?;
            ensure!(
                response.status == 401,
                "wrong: an access token of the removed secret is valid: {}",
                response.status
            );
        }
    }
    idle.renew_tokens().await?;
    let account = idle.read("/accounts/me", promise).await?;
    ensure!(account.status == 200, "signed out: {} {}", account.status, account.body);
    Ok(())
}
