//! The health checks and the metrics have a port of their own.

use serde_json::json;

use crate::support::site::Site;

const PATHS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

#[tokio::test(flavor = "multi_thread")]
async fn probes_and_metrics_are_served_until_the_api_drains() {
    let site = Site::start().await;
    let api = site.last_api();
    assert_eq!(api.health.get("/healthz").await.ok()["status"], "ok");
    let ready = api.health.get("/readyz").await.ok();
    assert_eq!((&ready["database"], &ready["queue"]), (&json!(true), &json!(true)));
    assert_eq!(api.health.get("/metrics").await.status, 200);
    api.state.drain();
    let draining = api.health.get("/healthz").await;
    assert_eq!((draining.status, &draining.body["status"]), (503, &json!("draining")));
    assert_eq!(api.health.get("/readyz").await.status, 200);
    site.visitor().get("/guilds/1/10").await.ok();
    site.finish().await;
}

/// So no rule of a proxy has to keep them from the public.
#[tokio::test(flavor = "multi_thread")]
async fn probes_and_metrics_are_not_on_the_port_of_the_api() {
    let site = Site::start().await;
    for path in PATHS {
        site.visitor().get(path).await.problem(404, "no_such_path");
        // What proxies make of other forms of the path.
        for other in [
            format!("/{path}"),
            format!("{path}%0a"),
            format!("{path}/"),
            format!("{path};a"),
            format!("{path}%20"),
            format!("/%{:02x}{}", path.as_bytes()[1], &path[2..]),
            path.to_uppercase(),
            format!("/docs/..{path}"),
        ] {
            assert_eq!(site.visitor().get(&other).await.status, 404, "{other}");
        }
    }
    assert_eq!(site.last_api().health.get("/guilds/1/10").await.status, 404);
    site.finish().await;
}
