//! Commands of an operator: what they do, and what they say when they cannot do it.

use guildhall_common::platform::config::{REMOVED_SETTINGS, ServerSettings};
use serde_json::json;

use crate::support::{
    binaries::{BINARIES, binaries, program, run},
    options::API_SECRET,
    service::{api_settings, workers_settings},
    site::Site,
};

/// Runs a command that fails, and returns its error.
fn error(servers: &ServerSettings, arguments: &[&str]) -> String {
    let output = run(program(&binaries().join("guildhall-workers"), servers).args(arguments), "");
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_fails_says_why_and_changes_nothing() {
    let site = Site::start().await;
    site.player("mira").await;
    let fails = |arguments: &[&str], reason: &str| {
        let error = error(&site.servers, arguments);
        assert!(error.contains(reason), "{arguments:?}: {error}");
    };
    fails(&["create-admin", "Mira", "other@example.org"], "guildhall-workers grant Mira admin");
    fails(&["demo"], "nothing was loaded");
    fails(&["service-token", "create", ""], "must have 1 to 60 characters");
    fails(&["service-token", "create", "two\nlines"], "invalid value");
    assert_eq!(site.count("select count(*) from accounts").await, 1);
    assert_eq!(site.count("select count(*) from service_tokens").await, 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_is_granted_or_revoked_again_changes_nothing() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let workers = binaries().join("guildhall-workers");
    let runs = |arguments: &[&str]| {
        let output = run(program(&workers, &site.servers).args(arguments), "");
        assert!(output.status.success(), "{output:?}");
    };
    let audited = async |action: &str| {
        site.count(&format!("select count(*) from audit_log where action = '{action}'")).await
    };
    for _ in 0..2 {
        runs(&["grant", "Mira", "editor"]);
        assert_eq!(mira.get("/accounts/me").await.ok()["roles"], json!(["player", "editor"]));
        assert_eq!(audited("account.grant").await, 1);
    }
    for _ in 0..2 {
        runs(&["revoke", "mira", "editor"]);
        assert_eq!(mira.get("/accounts/me").await.ok()["roles"], json!(["player"]));
        assert_eq!(audited("account.revoke").await, 1);
    }
    let error = error(&site.servers, &["grant", "mira", "game"]);
    assert!(error.contains("[possible values: editor, merchant, admin]"), "{error}");
    site.finish().await;
}

/// The services end before they listen, because the address of the object store is none.
#[tokio::test(flavor = "multi_thread")]
async fn a_removed_setting_is_named_in_the_log() {
    let site = Site::start().await;
    let settings = [api_settings(), workers_settings()];
    for removed in REMOVED_SETTINGS {
        assert!(settings.iter().all(|service| !service.contains_key(removed)), "{removed} is a setting");
    }
    let object_store =
        ["URL", "BUCKET", "ACCESS_KEY", "SECRET_KEY"].map(|name| format!("GUILDHALL_S3_{name}"));
    for binary in BINARIES {
        let mut service = program(&binaries().join(binary), &site.servers);
        service.arg("serve").env("GUILDHALL_SECRET", API_SECRET).env("GUILDHALL_COMMAND_WAIT", "10");
        let output = run(service.envs(object_store.iter().map(|name| (name, "none"))), "");
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains("GUILDHALL_S3_URL is not an address"), "{log}");
        let warnings: Vec<&str> =
            log.lines().filter(|line| line.contains("removed setting ignored")).collect();
        assert_eq!(warnings.len(), 1, "{log}");
        assert!(warnings[0].contains("WARN") && warnings[0].contains("GUILDHALL_COMMAND_WAIT"), "{log}");
    }
    site.finish().await;
}
