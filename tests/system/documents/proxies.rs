//! The configurations of proxies hide the paths that only operators may read. `./dev deploy` tests them with the real proxies.

use std::fs;

use super::markdown::repository;

const INTERNAL: [&str; 3] = ["/metrics", "/healthz", "/readyz"];

#[test]
fn configurations_of_proxies_hide_probes_and_metrics() {
    let paths = INTERNAL.join(" ");
    assert_contains("haproxy.cfg", &format!("http-request deny deny_status 404 if {{ path {paths} }}"));
    assert_contains("Caddyfile", &format!("@internal path {paths}\n\trespond @internal 404"));
    for path in INTERNAL {
        assert_contains("nginx.conf", &format!("location = {path} {{ return 404; }}"));
    }
}

fn assert_contains(file: &str, text: &str) {
    let configuration = fs::read_to_string(repository().join("deploy").join(file)).unwrap();
    assert!(configuration.contains(text), "deploy/{file}: no {text}");
}
