//! The example file, the README and the compose file agree with the settings of the services.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_yaml_ng::Value;

use crate::support::service::{api_settings, refuses_setting, workers_settings};

/// The text of a file of the repository.
fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

#[test]
fn the_example_file_has_every_setting_with_its_default() {
    let mut expected = api_settings();
    expected.extend(workers_settings());
    let text = file(".env.example");
    let mut found = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| line.contains("GUILDHALL_") && line.contains('=') && !line.contains("--help"))
    {
        let optional = line.starts_with("# ");
        let (name, value) = line.trim_start_matches("# ").split_once('=').unwrap();
        found.insert(name.to_owned(), optional.then(|| value.trim_matches('\'').to_owned()));
    }
    // The default depends on the service, so the setting itself has none.
    expected.insert("GUILDHALL_LOG".to_owned(), Some("info".to_owned()));
    assert_eq!(found, expected);
}

fn compose_file() -> Value {
    let mut compose: Value = serde_yaml_ng::from_str(&file("docker-compose.yml")).unwrap();
    compose.apply_merge().unwrap();
    compose
}

fn environment(service: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => serde_yaml_ng::to_string(other).unwrap().trim().to_owned(),
    };
    let mut environment = BTreeMap::new();
    for (name, value) in service["environment"].as_mapping().unwrap() {
        environment.insert(name.as_str().unwrap().to_owned(), text(value));
    }
    environment
}

fn port(address: &str) -> String {
    address.rsplit(':').next().unwrap().trim_end_matches("/tcp").to_owned()
}

#[test]
fn settings_that_can_never_work_are_refused() {
    for (setting, values) in [
        ("--database-connections", ["0", "1"]),
        ("--access-token-minutes", ["0", "10081"]),
        ("--session-days", ["0", "4294967295"]),
        ("--guild-member-cap", ["0", "-1"]),
        ("--characters-per-account", ["0", "-1"]),
        ("--operations-kept-days", ["0", "200000000000"]),
        ("--payment-minutes", ["0", "9223372036854775807"]),
    ] {
        for value in values {
            assert!(refuses_setting(setting, value), "{setting}={value}");
        }
    }
    for value in
        ["", "site.example", "ftp://site.example", "https://", "https://a@site.example", "https://a?b"]
    {
        assert!(refuses_setting("--site-url", value), "{value}");
    }
    for value in ["https://site.example", "http://localhost:8088/community/"] {
        assert!(!refuses_setting("--site-url", value), "{value}");
    }
}

#[test]
fn the_compose_file_runs_the_documented_services() {
    let compose = compose_file();
    let services = &compose["services"];
    let names: BTreeSet<&str> =
        services.as_mapping().unwrap().keys().map(|name| name.as_str().unwrap()).collect();
    let expected =
        ["api", "migrate", "postgres", "rabbitmq", "redis", "register-webhook", "sandbox", "site", "workers"];
    assert_eq!(names, BTreeSet::from(expected));

    let mut webhook_settings = workers_settings();
    webhook_settings.extend(api_settings().remove_entry("GUILDHALL_PIX_WEBHOOK_SECRET"));
    let mut migrate_settings = workers_settings();
    migrate_settings.insert("GUILDHALL_PARTITIONS".to_owned(), Some(String::new()));
    for (service, settings) in [
        ("api", api_settings()),
        ("workers", workers_settings()),
        ("migrate", migrate_settings),
        ("register-webhook", webhook_settings),
    ] {
        let given = environment(&services[service]);
        for name in given.keys() {
            assert!(settings.contains_key(name), "{service} sets {name}, which is not a setting");
        }
        // `.env` changes every setting of the services that stay. A setting of another service needs its value only without a default.
        let is_passed_on = ["api", "workers"].contains(&service);
        for (name, default) in settings {
            let is_optional = !is_passed_on && default.is_some();
            assert!(is_optional || given.contains_key(&name), "{service} needs {name}");
        }
        // The addresses name services of this file and the ports that they listen on.
        for (name, host) in [
            ("GUILDHALL_DATABASE_URL", "@postgres:5432/"),
            ("GUILDHALL_AMQP_URL", "@rabbitmq:5672/"),
            ("GUILDHALL_REDIS_URL", "@redis:6379"),
        ] {
            assert!(given[name].contains(host), "{service}: {}", given[name]);
        }
    }
}

#[test]
fn the_compose_file_publishes_the_api_and_runs_the_right_commands() {
    let compose = compose_file();
    let services = &compose["services"];
    assert!(environment(&services["api"])["GUILDHALL_SECRET"].starts_with("${GUILDHALL_SECRET:?"));
    let listen = port(&environment(&services["api"])["GUILDHALL_API_LISTEN"]);
    let published = services["api"]["ports"][0].as_str().unwrap();
    assert!(published.starts_with("127.0.0.1:"), "{published}");
    assert_eq!(
        (port(published), listen),
        (port(api_settings()["GUILDHALL_API_LISTEN"].as_ref().unwrap()), port(published))
    );
    for (service, command) in [
        ("api", "guildhall-api serve"),
        ("workers", "guildhall-workers serve"),
        ("migrate", "guildhall-workers migrate"),
    ] {
        let words: Vec<&str> = services[service]["command"]
            .as_sequence()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        assert_eq!(words.join(" "), command);
    }
}

#[test]
fn the_compose_file_runs_servers_with_health_checks_and_the_right_persistence() {
    let compose = compose_file();
    let services = &compose["services"];
    for service in ["api", "workers", "postgres", "rabbitmq", "redis"] {
        assert!(services[service]["healthcheck"]["test"].is_sequence(), "{service} has no health check");
    }
    let image = |service: &str| services[service]["image"].as_str().unwrap();
    assert!(image("rabbitmq").starts_with("rabbitmq:4") && image("postgres").starts_with("postgres:"));
    let redis = services["redis"]["command"][2].as_str().unwrap();
    for line in ["save \"\"", "appendonly no"] {
        assert!(redis.lines().any(|found| found == line), "Redis must run without persistence: {redis}");
    }
    let volumes: BTreeSet<&str> =
        compose["volumes"].as_mapping().unwrap().keys().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(volumes, BTreeSet::from(["postgres", "rabbitmq"]));
}

#[test]
fn the_images_have_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let compose = compose_file();
    for (service, image) in [("api", "guildhall"), ("workers", "guildhall"), ("sandbox", "guildhall-sandbox")]
    {
        assert_eq!(compose["services"][service]["image"], format!("{image}:{version}"), "{service}");
    }
    let dockerfile = file("Dockerfile");
    for text in [format!("image.version=\"{version}\""), format!("--tag guildhall:{version} .")] {
        assert!(dockerfile.contains(&text), "the Dockerfile has no {text}");
    }
}
