//! The first, the last numbered and the next page of each list, read from Postgres.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use guildhall_drills::{
    http::{HttpClient, request},
    percentiles::Percentiles,
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    setting::setting,
    site::{Site, log_in},
};

const LIMIT: u64 = 20;

/// Numbered pages end at this item.
const LAST_ITEM: u64 = 10_000;

/// Each page is read this often, and the median counts.
const READS: usize = 15;

/// The caller of a request.
#[derive(Debug, Clone, Copy)]
enum Caller {
    Anybody,
    Player,
    Editor,
    Admin,
}

use Caller::{Admin, Anybody, Editor, Player};

/// The lists with their filters. A numbered page adds `page` and `limit`, or replaces both in the path.
const LISTS: [(Caller, &str); 16] = [
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
    /// Logs in. Each line of the credentials has a role, a name and a password.
    ///
    /// # Errors
    /// When a role is missing or the site does not respond.
    pub(super) async fn log_in(site: &Site, credentials: &str) -> anyhow::Result<Self> {
        let token = async |role: &str| {
            let mut lines = credentials.lines().map(|line| line.split(' ').collect::<Vec<_>>());
            let line = lines.find(|words| words.first() == Some(&role) && words.len() == 3);
            let words = line.with_context(|| format!("no account with the role {role}"))?;
            log_in(&site.address, words[1], words[2]).await
        };
        Ok(Self {
            player: token("player").await?,
            editor: token("editor").await?,
            admin: token("admin").await?,
        })
    }

    fn token(&self, caller: Caller) -> Option<&str> {
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
pub(super) async fn measure(site: &Site, roles: &Roles) -> anyhow::Result<Vec<(String, f64)>> {
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
    async fn connect(site: &Site) -> anyhow::Result<Self> {
        let redis = redis::Client::open(setting("GUILDHALL_REDIS_URL")?)?;
        let redis = redis.get_multiplexed_async_connection().await?;
        Ok(Self { http: HttpClient::new(site.address.clone()), redis })
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
        let (method, body) = if is_post { (Method::POST, json!({})) } else { (Method::GET, Value::Null) };
        let started = Instant::now();
        let (status, text) = self.http.send(request(&method, path, &body, token, None)?).await?;
        let elapsed = started.elapsed();
        ensure!(status == 200, "{path}: {status} {text}");
        Ok((serde_json::from_str(&text)?, elapsed))
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
