//! Commands of an operator that cannot do what they say.

use guildhall_common::platform::config::ServerSettings;

use crate::support::{
    binaries::{binaries, program, run},
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
