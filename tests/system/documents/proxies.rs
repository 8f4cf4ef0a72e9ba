//! The examples of proxies hide the paths that only operators may read.

use std::fs;

use super::markdown::{documents, repository};

const INTERNAL: [&str; 3] = ["/metrics", "/healthz", "/readyz"];

#[test]
fn examples_of_proxies_hide_probes_and_metrics() {
    let mut public_servers = 0;
    for document in documents() {
        for server in document.text.split("server {").skip(1) {
            let forwards =
                |location: &str| location.split('}').next().is_some_and(|it| it.contains("proxy_pass"));
            if !server.split("location / {").skip(1).any(forwards) {
                continue;
            }
            public_servers += 1;
            for path in INTERNAL {
                let hidden = format!("location = {path} {{ return 404; }}");
                assert!(server.contains(&hidden), "{}: no {hidden}", document.path);
            }
        }
    }
    assert!(public_servers > 0, "no document has an example of nginx");
    let haproxy = fs::read_to_string(repository().join("deploy/haproxy.cfg")).unwrap();
    let hidden = format!("http-request deny deny_status 404 if {{ path {} }}", INTERNAL.join(" "));
    assert!(haproxy.contains(&hidden), "deploy/haproxy.cfg: no {hidden}");
}
