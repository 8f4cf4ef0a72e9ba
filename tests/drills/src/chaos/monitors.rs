//! All that is watched during the drill: the site's processes, its servers, and the clock.

use serde_json::{Value, json};

use super::{
    clock_monitor::ClockMonitor, resource_monitor::ResourceMonitor, server_monitor::ServerMonitor,
    site::ChaosSite,
};

#[derive(Default)]
pub(super) struct Monitors {
    processes: ResourceMonitor,
    servers: ServerMonitor,
    clock: ClockMonitor,
}

impl Monitors {
    /// Takes samples until it is dropped.
    pub(super) async fn run(&mut self, site: &ChaosSite) {
        tokio::join!(self.processes.run(site), self.servers.run(site), self.clock.run(site));
    }

    /// The figures of the servers that exceed a fixed limit.
    pub(super) fn exceeded(&self) -> Vec<String> {
        self.servers.exceeded()
    }

    /// What changed during the drill. Jumps of the clock come first: they may explain the rest.
    pub(super) fn changed(&self) -> Vec<String> {
        let clock = self.clock.violations().to_vec();
        [clock, self.processes.violations(), self.servers.grown()].concat()
    }

    /// What was never measured for long enough to show growth.
    pub(super) fn unjudged(&self, site: &ChaosSite) -> Vec<String> {
        let processes = self.processes.unjudged(site);
        let processes = processes.map(|name| format!("grown: unknown, {name} never lived for four minutes"));
        let servers =
            self.servers.unjudged().map(|name| format!("grown: unknown, {name} was measured too rarely"));
        processes.chain(servers).collect()
    }

    pub(super) fn figures(&self) -> Value {
        json!({
            "resource_usage": self.processes.figures(),
            "server_usage": self.servers.figures(),
            "clock": self.clock.figures(),
        })
    }
}
