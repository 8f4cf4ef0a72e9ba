//! `--large`: the same requests to a small and to a large database. `./dev bench` has filled both with the tables of
//! `./dev large` in different sizes.

mod pages;
mod purge;

use guildhall_testkit::environment::setting;

use crate::{
    cases::{GuildChange, WaitedCommands, guild_path},
    environment::Environment,
    report,
    rounds::{Round, Rounds},
    services::{ServiceSettings, Services},
    settings::BenchSettings,
    site::BenchSite,
    wrk,
};

const COMMANDS: WaitedCommands = WaitedCommands {
    case: "large",
    change: GuildChange::Motd,
    clients: 64,
    keys: ["waited-64", "waited-64-p50", "waited-64-p99"],
};

/// A database with the queues and cache keys that belong to it.
struct Side {
    /// `small` or `large`: the first part of the keys of its figures.
    name: &'static str,
    settings: ServiceSettings,
    site: BenchSite,
    roles: pages::Roles,
}

/// Measures both databases in turn.
///
/// # Errors
/// As the run of the cases.
pub(crate) async fn run(settings: &BenchSettings) -> anyhow::Result<()> {
    let small = ("small", setting("GUILDHALL_DATABASE_URL")?, "guildhall");
    let large = ("large", setting("BENCH_LARGE_DATABASE_URL")?, "guildhall-large");
    let mut sides = Vec::new();
    for (name, database_url, namespace) in [small, large] {
        println!("the {name} database: loading the data set");
        sides.push(Side::prepare(name, &database_url, namespace).await?);
    }
    let environment =
        Environment::read(&sides[0].site.database, settings.seconds, settings.options().has_keys).await?;
    let mut rounds = Rounds::default();
    for number in 1..=settings.rounds {
        let mut round = Round::new();
        for side in &sides {
            println!("round {number} of {}: the {} database", settings.rounds, side.name);
            side.measure(settings, &mut round).await?;
        }
        rounds.push(round);
    }
    report::finish(&rounds, &environment, &settings.files)
}

impl Side {
    async fn prepare(name: &'static str, database_url: &str, namespace: &str) -> anyhow::Result<Self> {
        let settings = vec![
            ("GUILDHALL_DATABASE_URL".to_owned(), database_url.to_owned()),
            ("GUILDHALL_NAMESPACE".to_owned(), namespace.to_owned()),
        ];
        let services = Services::start(&settings).await?;
        let site = BenchSite::prepare(database_url).await?;
        let credentials = std::fs::read_to_string(site.folder.join(format!("credentials.{name}")))?;
        let roles = pages::Roles::log_in(&site, &credentials).await?;
        services.stop().await?;
        Ok(Self { name, settings, site, roles })
    }

    async fn measure(&self, settings: &BenchSettings, round: &mut Round) -> anyhow::Result<()> {
        let services = Services::start(&self.settings).await?;
        let mut record = |name: &str, value: f64| {
            round.insert(format!("{}/{name}", self.name), value);
        };
        for (name, milliseconds) in pages::measure(&self.site, &self.roles).await? {
            record(&name, milliseconds);
        }
        for (name, path) in
            [("guild view", guild_path(&self.site)), ("guild list", "/guilds/1/20".to_owned())]
        {
            let result = wrk::run(&self.site.url(&path), &[], settings.seconds).await?;
            anyhow::ensure!(
                result.error_responses == 0,
                "{path}: {} error responses",
                result.error_responses
            );
            record(&format!("cached {name}, requests per second"), result.per_second);
        }
        let commands = COMMANDS.run(&self.site, settings.options()).await?;
        for ((_, value), name) in commands.figures.iter().zip([
            "waited commands, 64 clients, per second",
            "waited commands, 64 clients, p50",
            "waited commands, 64 clients, p99",
        ]) {
            record(name, *value);
        }
        record("purge of 5,000 operations", purge::milliseconds(&self.site.database).await?);
        services.stop().await
    }
}
