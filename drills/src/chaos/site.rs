//! Who a drill speaks to, and as whom; and the wires between the site's processes and their servers.

use std::{collections::HashMap, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::future::join_all;
use reqwest::Url;
use sqlx::PgPool;

use super::rare::Rare;
use crate::{
    client::Client,
    journal::Journal,
    stack::{Part, Process, Stack},
    wire::{Passing, Wire},
};

pub(super) struct Site {
    pub stack: Stack,
    pub journal: Arc<Journal>,
    pub database: PgPool,
    pub nobody: Client,
    pub merchant: Client,
    pub editor: Client,
    pub game: Client,
    pub bank: Client,
    pub rare: Vec<Rare>,
    /// From everybody to the site.
    door: Wire,
    wires: HashMap<(Process, Part), Vec<Wire>>,
}

impl Site {
    /// Leads the connections of its processes through here, and logs in as those whom `./dev drill` has made.
    ///
    /// # Errors
    /// When the site does not answer.
    pub(super) async fn of_environment(journal: Arc<Journal>) -> anyhow::Result<Self> {
        let mut stack = Stack::from_environment()?;
        let wires = wire(&mut stack).await?;
        let door = Wire::to(Stack::setting("DRILL_API")?.parse()?).await?;
        let nobody = Client::new(format!("http://{}", door.address))?.journaled(&journal);
        let bank = Client::new(format!("http://{}", Stack::setting("GUILDHALL_SANDBOX_LISTEN")?))?;
        let [merchant, editor, game] = ["merchant", "editor", "game"].map(Stack::credential);
        let (merchant, editor, game) = (merchant?, editor?, game?);
        let merchant = nobody.logged_in(&merchant.0, &merchant.1).await?;
        Ok(Self {
            stack,
            database: PgPool::connect(&Stack::setting("GUILDHALL_DATABASE_URL")?).await?,
            rare: Rare::on_sale(&merchant).await?,
            merchant,
            editor: nobody.logged_in(&editor.0, &editor.1).await?,
            game: nobody.with_token("game", game.1),
            journal,
            nobody,
            bank,
            door,
            wires,
        })
    }

    /// Cuts all connections to a server, or those of everybody to the apis, in the middle of what they carry.
    pub(super) async fn cut(&self, server: Part) {
        if server == Part::Api {
            return self.door.cut().await;
        }
        join_all(self.wires_to(server).map(|(_, wire)| wire.cut())).await;
    }

    /// Lets nothing pass between this process and a server for a while.
    pub(super) async fn hold(&self, process: Process, server: Part, lasts: Duration) {
        let wires = self.wires_to(server).filter(|(led, _)| *led == process);
        join_all(wires.map(|(_, wire)| wire.hold(lasts))).await;
    }

    /// The site's processes that have connections to a server.
    pub(super) fn clients(&self, server: Part) -> impl Iterator<Item = Process> {
        self.stack.services().filter(move |process| self.wires.contains_key(&(*process, server)))
    }

    /// Waits until one of the workers sends or gets this, and tells which.
    ///
    /// # Errors
    /// When there is no worker.
    pub(super) async fn worker_stopped_at(&self, server: Part, passing: Passing) -> anyhow::Result<Process> {
        let wires = || self.wires_to(server).filter(|(process, _)| process.part == Part::Workers);
        let stopped = Wire::stopped_at(wires().map(|(_, wire)| wire), passing).await?;
        let worker = wires().find(|(_, wire)| wire.address == stopped);
        Ok(worker.context("there is no worker")?.0)
    }

    fn wires_to(&self, server: Part) -> impl Iterator<Item = (Process, &Wire)> {
        let wires = self.wires.iter().filter(move |((_, to), _)| *to == server);
        wires.flat_map(|((process, _), wires)| wires.iter().map(|wire| (*process, wire)))
    }
}

/// Where each of the processes finds its servers.
const SERVERS: [(Part, &str); 3] = [
    (Part::Postgres, "GUILDHALL_DATABASE_URL"),
    (Part::Redis, "GUILDHALL_REDIS_URL"),
    (Part::Rabbitmq, "GUILDHALL_AMQP_URL"),
];

/// Where the workers find theirs.
const BANK: [(Part, &str); 2] =
    [(Part::Sandbox, "GUILDHALL_PIX_URL"), (Part::Sandbox, "GUILDHALL_PIX_TOKEN_URL")];

/// Starts the apis and workers again, with wires of their own to each server.
async fn wire(stack: &mut Stack) -> anyhow::Result<HashMap<(Process, Part), Vec<Wire>>> {
    let mut wires = HashMap::new();
    let processes: Vec<Process> = stack.services().collect();
    for process in processes {
        let mut settings = Vec::new();
        let bank = if process.part == Part::Workers { &BANK[..] } else { &[] };
        for (server, setting) in SERVERS.iter().chain(bank) {
            let (urls, led) = lead(&Stack::setting(setting)?).await.context(*setting)?;
            settings.push(format!("{setting}={urls}"));
            wires.entry((process, *server)).or_insert_with(Vec::new).extend(led);
        }
        stack.set(process, settings);
        // Of a cluster, some have not been started yet.
        if stack.runs(process) {
            stack.restart(process).await?;
        } else {
            stack.start(process).await?;
        }
    }
    Ok(wires)
}

/// A wire to each address, with the addresses of the wires.
async fn lead(addresses: &str) -> anyhow::Result<(String, Vec<Wire>)> {
    let (mut urls, mut wires) = (Vec::new(), Vec::new());
    for address in addresses.split(',') {
        let mut url: Url = address.parse()?;
        let server = format!("{}:{}", url.host_str().context("no host")?, url.port().context("no port")?);
        let wire = Wire::to(server.parse::<SocketAddr>()?).await?;
        url.set_port(Some(wire.address.port())).ok().context("no port")?;
        urls.push(url.to_string());
        wires.push(wire);
    }
    Ok((urls.join(","), wires))
}
