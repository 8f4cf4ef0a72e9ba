//! The replacement of the secret in the order of docs/OPERATIONS.md.

use std::{sync::Arc, time::Instant};

use anyhow::ensure;
use reqwest::StatusCode;

use super::{
    apis::Attempt,
    caller::{Caller, Credential},
    check::finish,
    load::Load,
    promise::Promise,
    settings::Settings,
    site::{Site, start_stack},
};
use crate::stack::{Part, Process, Stack};

/// Replaces the secret of both apis under load. While the old secret is known, each repeated key gets its first outcome,
/// each accepted operation is found, and nobody is signed out. Then refresh tokens are valid still.
///
/// # Errors
/// When a promise is broken.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut stack = start_stack().await?;
    let site = Arc::new(Site::from_environment().await?);
    let (name, password) = Stack::credential("player")?;
    let idle = site.log_in(&name, &password).await?;
    let mut promise = Promise::everything();
    let load = Load::start(&site, settings, promise).await?;
    let rolled_out = replace_secret(&mut stack, &load, &mut promise, idle).await;
    finish(&site, &stack, load, rolled_out, &promise).await
}

async fn replace_secret(
    stack: &mut Stack,
    load: &Load,
    promise: &mut Promise,
    idle: Caller,
) -> anyhow::Result<()> {
    let (old, new) = (Stack::setting("GUILDHALL_SECRET")?, Stack::setting("DRILL_NEW_SECRET")?);
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

async fn set_secrets(stack: &mut Stack, load: &Load, title: &str, secrets: &str) -> anyhow::Result<()> {
    let apis: Vec<Process> = stack.processes(Part::Api).collect();
    for api in apis {
        stack.set_settings(api, vec![format!("GUILDHALL_SECRET={secrets}")]);
        load.step(&format!("{}: GUILDHALL_SECRET={title}", api.name()), stack.restart(api)).await?;
    }
    Ok(())
}

/// A client that has slept since before the replacement: its access token is invalid, and its refresh token is valid.
async fn check_idle_client(mut idle: Caller, promise: &Promise) -> anyhow::Result<()> {
    if let Credential::Session { access_token, .. } = &idle.credential {
        for api in [0, 1] {
            let attempt = Attempt { token: Some(access_token), ..Attempt::get("/accounts/me") };
            let response = idle.apis.send(api, &attempt).await.map_err(anyhow::Error::msg)?;
            ensure!(
                response.status == StatusCode::UNAUTHORIZED,
                "wrong: an access token of the removed secret is valid: {}",
                response.status
            );
        }
    }
    idle.renew_tokens().await?;
    let account = idle.read("/accounts/me", promise).await?;
    ensure!(account.status == StatusCode::OK, "signed out: {} {}", account.status, account.body);
    Ok(())
}
