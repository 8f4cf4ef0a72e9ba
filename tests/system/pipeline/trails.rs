//! All log lines about one request have its id: those of the api, of the workers and of the jobs.

use guildhall_common::platform::config::{LogFormat, Logging};
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    child::run_in_child,
    client::Response,
    community::character_in_guild,
    payment::{payload, payment_id, wait_for_status},
};

#[test]
fn one_id_finds_all_log_lines_about_an_invite_and_about_a_payment() {
    let logging = Logging { log: None, log_format: LogFormat::Json };
    let name = "pipeline::trails::one_id_finds_all_log_lines_about_an_invite_and_about_a_payment";
    let Some(written) = run_in_child(name, &logging, invite_and_pay()) else { return };
    let json_lines = |text: &str| -> Vec<Value> {
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let (trails, log) = (json_lines(&written.output), json_lines(&written.log));
    assert_eq!(trails.len(), 2, "{}", written.output);

    let request = "guildhall_api request: request completed";
    let command = "guildhall_workers command: command applied";
    let deferred = "guildhall_workers command: command deferred";
    let charge = "guildhall_workers job payment: charge registered";
    let completed = "guildhall_workers job payment command: command applied";
    let notification = "guildhall_workers job notification: notification settled";
    for (trail, by_request_id, by_operation_id) in [
        (&trails[0], vec![request, command], vec![request, command]),
        // The bank's notification is another request, and a job processes it. It belongs to the same operation.
        (
            &trails[1],
            vec![request, deferred, completed, charge],
            vec![request, deferred, notification, completed, charge],
        ),
    ] {
        assert_eq!(lines_about(&log, &trail["request_id"]), by_request_id, "{}", written.log);
        assert_eq!(lines_about(&log, &trail["operation_id"]), by_operation_id, "{}", written.log);
    }
}

/// Sends an invite and a payment, and prints their ids on standard output.
async fn invite_and_pay() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;

    let invite = mira.post("/guild/invite", character_in_guild(guild_id, "Tom")).await;
    print_ids(&invite);
    let created = mira.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    print_ids(&created);
    let payment = created.result();
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(&mira, payment_id(&payment), "paid").await;
    site.wait_until_notifications_are_processed(&mira).await;
    site.finish().await;
}

fn print_ids(response: &Response) {
    let ids = json!({ "request_id": response.header("x-request-id"), "operation_id": response.body["operation_id"] });
    println!("\n{ids}");
}

/// The lines that have this id in a field of one of their spans: crate, spans and message of each, sorted.
fn lines_about(log: &[Value], id: &Value) -> Vec<String> {
    let spans = |line: &Value| line["spans"].as_array().cloned().unwrap_or_default();
    let has_id = |line: &&Value| {
        spans(line).iter().any(|span| span.as_object().unwrap().values().any(|value| value == id))
    };
    let description = |line: &Value| {
        let target = line["target"].as_str().unwrap().split("::").next().unwrap();
        let names: Vec<_> =
            spans(line).iter().map(|span| span["name"].as_str().unwrap().to_owned()).collect();
        format!("{target} {}: {}", names.join(" "), line["message"].as_str().unwrap())
    };
    let mut lines: Vec<String> = log.iter().filter(has_id).map(description).collect();
    lines.sort();
    lines
}
