//! The state of the site that administrators see.

use serde_json::{Value, json};

use crate::support::{
    client::Client,
    community::StaffRole,
    motd::{CHANGE_MOTD, motd_body},
    site::Site,
    wait::wait_for,
};

/// Runs the job that takes a sample, and returns the newest sample.
async fn sample(site: &Site, admin: &Client) -> Value {
    site.execute(
        "delete from health_samples;
         update jobs set due_at = now() where job = '{\"name\": \"sample_health\"}'",
    )
    .await;
    wait_for("a sample is stored", async || {
        let health = admin.get("/admin/health").await.ok();
        health["history"].as_array().unwrap().last().cloned()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_health_shows_workers_partitions_and_what_needs_attention() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("mira", "Night Watch").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    site.report_presence("mira", 20, true).await;
    site.publish_guild_command(b"{ nonsense".to_vec()).await;
    site.execute(
        "insert into payment_notifications (provider, dedupe_key, body, parked_at) values ('manual', 'unknown', '{}', now())",
    )
    .await;
    let health = wait_for("the message is a dead letter", async || {
        let health = admin.get("/admin/health").await.ok();
        (health["counts"]["dead_letters"] == 1).then_some(health)
    })
    .await;
    assert_eq!((&health["queue_reachable"], &health["cache_reachable"]), (&json!(true), &json!(true)));
    let counts = &health["counts"];
    assert_eq!((&counts["workers"], &counts["parked_notifications"]), (&json!(1), &json!(1)));
    assert_eq!(
        (&counts["present_game_servers"], &counts["partitions_without_worker"]),
        (&json!(1), &json!(0))
    );
    let worker = &health["workers"][0];
    assert_eq!(worker["version"], env!("CARGO_PKG_VERSION"));
    let partitions = health["partitions"].as_array().unwrap();
    assert_eq!(worker["partitions"], partitions.len());
    assert!(partitions.iter().all(|partition| partition["worker_id"] == worker["worker_id"]), "{health}");

    let first = sample(&site, &admin).await;
    assert_eq!((&first["workers"], &first["dead_letters"]), (&json!(1), &json!(1)));
    assert_eq!((&first["waiting_commands"], &first["cache_reachable"]), (&json!(0), &json!(true)));

    site.stop_workers().await;
    let body = motd_body(guild_id, "wait");
    mira.post_with_preference(CHANGE_MOTD, &body, "respond-async").await;
    let health = wait_for("the worker is gone", async || {
        let health = admin.get("/admin/health").await.ok();
        (health["counts"]["workers"] == 0).then_some(health)
    })
    .await;
    assert_eq!(health["workers"], json!([]));
    assert_eq!(health["counts"]["partitions_without_worker"], partitions.len());
    assert!(
        health["partitions"].as_array().unwrap().iter().all(|partition| partition.get("worker_id").is_none())
    );
    site.start_workers();
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_are_kept_for_some_hours() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    sample(&site, &admin).await;
    site.execute(
        "insert into health_samples
         select sampled_at - number * interval '1 minute', waiting_commands, completed_commands, longest_wait_seconds,
                longest_age_seconds, workers, present_game_servers, is_cache_reachable, unreachable_banks, dead_letters,
                parked_notifications, parked_deliveries, parked_mails, delayed_mails, failing_jobs
         from health_samples, generate_series(1, 600) as number",
    )
    .await;
    let health = admin.get("/admin/health").await.ok();
    let history = health["history"].as_array().unwrap();
    assert!((59..=60).contains(&history.len()), "{}", history.len());
    assert!(history.is_sorted_by_key(|sample| sample["sampled_at"].as_str().unwrap().to_owned()));
    site.execute("update jobs set due_at = now() where job = '{\"name\": \"sample_health\"}'").await;
    wait_for("old samples are deleted", async || {
        (site.count("select count(*) from health_samples").await <= 361).then_some(())
    })
    .await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_health_shows_why_a_job_fails() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    site.execute(
        "create function no_sample() returns trigger language plpgsql as $$ begin raise exception 'no disk'; end $$;
         create trigger health_samples_refused before insert on health_samples
             for each row execute function no_sample();
         update jobs set due_at = now() where job = '{\"name\": \"sample_health\"}'",
    )
    .await;
    let failing = wait_for("the job has failed", async || {
        admin.get("/admin/health").await.ok()["failing_jobs"].as_array().unwrap().first().cloned()
    })
    .await;
    assert_eq!(failing["job"], "sample_health");
    assert!(failing["error"].as_str().unwrap().contains("no disk"), "{failing}");
    site.execute("drop trigger health_samples_refused on health_samples").await;
    sample(&site, &admin).await;
    wait_for("the failure is gone", async || {
        (admin.get("/admin/health").await.ok()["counts"]["failing_jobs"] == 0).then_some(())
    })
    .await;
    site.finish().await;
}
