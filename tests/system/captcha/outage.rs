//! Captchas while Redis is unavailable.

use guildhall_testkit::proxy::Proxy;

use super::solution::{altcha, another_api, register, register_with_key, solve};
use crate::support::{options::Options, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_a_solution_is_accepted_once_at_each_api() {
    let link = Proxy::to(&Options::default().redis_url).await.unwrap();
    let options = || Options { redis_url: link.url.clone(), ..altcha() };
    let mut site = Site::start_with(options()).await;
    let (first, second) = (site.visitor(), another_api(&mut site, &options()).await);
    for (round, fault) in [Proxy::refuse as fn(&Proxy), Proxy::freeze].into_iter().enumerate() {
        site.wait_for_readiness("cache", true).await;
        fault(&link);
        let name = |name: &str| format!("{name}_{round}");
        let solution = solve(&first).await;
        register_with_key(&first, &name("mira"), &solution, "once").await.result();
        register(&first, &name("tom"), &solution).await.problem(403, "captcha_failed");
        // The processes do not know the solutions of each other.
        register(&second, &name("ana"), &solution).await.result();
        register(&second, &name("bia"), &solution).await.problem(403, "captcha_failed");
        link.restore();
        site.wait_for_readiness("cache", true).await;
        // Each process still knows its own.
        register(&first, &name("tom"), &solution).await.problem(403, "captcha_failed");
        register(&second, &name("bia"), &solution).await.problem(403, "captcha_failed");
        register(&first, &name("tom"), &solve(&second).await).await.result();
    }
    assert_eq!(site.count("select count(*) from accounts").await, 6);
    site.finish().await;
}
