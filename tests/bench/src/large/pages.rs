//! The first, the last numbered and the next page of each list, read from Postgres.

use std::time::{Duration, Instant};

use anyhow::Context;
use guildhall_testkit::{
    environment::{credential, setting},
    http::HttpClient,
    percentiles::Percentiles,
};
use serde_json::{Value, json};

use crate::site::BenchSite;

const LIMIT: u64 = 20;

/// Numbered pages end at this item.
const LAST_ITEM: u64 = 10_000;

/// Each page is read this often, and the median counts.
const READS: usize = 15;

/// The caller of a request.
#[derive(Debug, Clone, Copy)]
enum ListReader {
    Anybody,
    Player,
    Editor,
    Admin,
}

use ListReader::{Admin, Anybody, Editor, Player};

/// The lists with their filters. A numbered page adds `page` and `limit`, or replaces both in the path.
const LISTS: [(ListReader, &str); 16] = [
    (Anybody, "/guilds/{page}/{limit}"),
    (Anybody, "/guild/players-without-guild?page={page}&limit={limit}"),
    (Player, "/guild/invites?page={page}&limit={limit}"),
    (Anybody, "/news/list/{page}/{limit}"),
    (Editor, "/news/listDashboard/{page}/{limit}"),
    (Anybody, "/shop/offers?page={page}&limit={limit}"),
    (Player, "/shop/purchases/{page}/{limit}"),
    (Admin, "/admin/payments?page={page}&limit={limit}"),
    (Admin, "/admin/payments?page={page}&limit={limit}&status=pending"),
    (Admin, "/admin/payments?page={page}&limit={limit}&status=expired"),
    (Admin, "/admin/payments?page={page}&limit={limit}&status=paid"),
    (Admin, "/admin/deliveries?page={page}&limit={limit}"),
    (Admin, "/admin/deliveries?page={page}&limit={limit}&state=parked"),
    (Admin, "/admin/notifications?page={page}&limit={limit}"),
    (Admin, "/admin/notifications?page={page}&limit={limit}&state=parked"),
    (Admin, "/admin/audit?page={page}&limit={limit}"),
];

/// The tokens of the demo community.
pub(super) struct Roles {
    player: String,
    editor: String,
    admin: String,
}

impl Roles {
    /// Logs in.
    ///
    /// # Errors
    /// When a role is missing or the site does not respond.
    pub(super) async fn log_in(site: &BenchSite, credentials: &str) -> anyhow::Result<Self> {
        let token = async |role: &str| {
            let (name, password) = credential(credentials, role)?;
            site.http.log_in(&name, &password).await
        };
        Ok(Self {
            player: token("player").await?,
            editor: token("editor").await?,
            admin: token("admin").await?,
        })
    }

    fn token(&self, caller: ListReader) -> Option<&str> {
        match caller {
            Anybody => None,
            Player => Some(&self.player),
            Editor => Some(&self.editor),
            Admin => Some(&self.admin),
        }
    }
}

/// Reads the pages, each without the cache. Returns their names and the medians of their times in milliseconds.
///
/// # Errors
/// When a request fails.
pub(super) async fn measure(site: &BenchSite, roles: &Roles) -> anyhow::Result<Vec<(String, f64)>> {
    let reader = Reader::connect(site).await?;
    let mut times = Vec::new();
    for (caller, template) in LISTS {
        let token = roles.token(caller);
        let (first, milliseconds) = reader.measure(&numbered(template, 1), token).await?;
        let list = template.split(['{', '?']).next().unwrap_or_default().trim_end_matches('/');
        let filter =
            template.split_once("{limit}&").map_or(String::new(), |(_, filter)| format!(", {filter}"));
        times.push((format!("{list}{filter}: first page"), milliseconds));
        let total = first["total"].as_u64().unwrap_or_default().min(LAST_ITEM);
        let last = total.div_ceil(LIMIT).max(1);
        let (_, milliseconds) = reader.measure(&numbered(template, last), token).await?;
        times.push((format!("{list}{filter}: last numbered page"), milliseconds));
        if let Some(next) = first["next"].as_str() {
            let path = numbered(template, 1);
            let after = format!("{path}{}after={next}", if path.contains('?') { '&' } else { '?' });
            times.push((format!("{list}{filter}: after a cursor"), reader.measure(&after, token).await?.1));
        }
    }
    Ok(times)
}

fn numbered(template: &str, page: u64) -> String {
    template.replace("{page}", &page.to_string()).replace("{limit}", &LIMIT.to_string())
}

struct Reader {
    http: HttpClient,
    redis: redis::aio::MultiplexedConnection,
}

impl Reader {
    async fn connect(site: &BenchSite) -> anyhow::Result<Self> {
        let redis = redis::Client::open(setting("GUILDHALL_REDIS_URL")?)?;
        let redis = redis.get_multiplexed_async_connection().await?;
        Ok(Self { http: site.http.clone(), redis })
    }

    /// Reads a page several times. Returns it, and the median time in milliseconds.
    async fn measure(&self, path: &str, token: Option<&str>) -> anyhow::Result<(Value, f64)> {
        // The first read prepares the statements of a connection.
        let page = self.read(path, token).await?.0;
        let mut times = Vec::with_capacity(READS);
        for _ in 0..READS {
            times.push(self.read(path, token).await?.1);
        }
        let median = times.into_iter().collect::<Percentiles<Duration>>().percentile(50).unwrap_or_default();
        Ok((page, median.as_secs_f64() * 1000.0))
    }

    /// Removes all cached responses, and reads a page from Postgres.
    async fn read(&self, path: &str, token: Option<&str>) -> anyhow::Result<(Value, Duration)> {
        redis::cmd("FLUSHALL").query_async::<()>(&mut self.redis.clone()).await?;
        let is_post = path.starts_with("/guild/invites");
        let request = if is_post { self.http.post(path, &json!({})) } else { self.http.get(path) };
        let request = request.bearer_auth(token);
        let started = Instant::now();
        let response = request.send().await?;
        let elapsed = started.elapsed();
        Ok((response.success().context(path.to_owned())?, elapsed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_a_page_and_a_limit() {
        for (_, template) in LISTS {
            let path = numbered(template, 7);
            assert!(path.contains('7') && path.contains("20") && !path.contains('{'), "{path}");
        }
    }
}
