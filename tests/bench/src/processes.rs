//! The processor time and the memory of the processes of the site, from `/proc`.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process,
};

use anyhow::Context;
use guildhall_testkit::{processes::read_pid, resource_usage::ResourceUsage};

/// The processes of a site whose processor time is reported.
pub(crate) const SITE: [&str; 6] = ["api", "workers", "postgres", "rabbitmq", "redis", "sandbox"];

/// This program, which sends commands, and wrk, which sends reads.
pub(crate) const LOAD: &str = "load";

/// The unit of times in `/proc`: Linux shows programs 100 ticks per second on all machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// The processes of a stack. `./dev` wrote a file with the pid of each one.
pub(crate) struct Processes {
    folder: PathBuf,
}

/// The processor time of each process since its start, in seconds. Those of a site are counted with their children.
pub(crate) struct CpuTimes(HashMap<&'static str, f64>);

/// A line of `/proc/PID/stat`.
#[derive(Debug, PartialEq)]
struct Stat {
    parent: u32,
    /// User and system time of the process and of its ended children.
    ticks: u64,
}

impl Processes {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The memory of a process now.
    ///
    /// # Errors
    /// When it does not run.
    pub(crate) fn memory(&self, name: &str) -> anyhow::Result<ResourceUsage> {
        let pid = self.pid(name).with_context(|| format!("{name} does not run"))?;
        ResourceUsage::of_process(&pid.to_string())
    }

    /// The processor times of all processes that run.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub(crate) fn cpu_times(&self) -> anyhow::Result<CpuTimes> {
        let stats = read_stats()?;
        let site = SITE.into_iter().filter_map(|name| Some((name, ticks_of_tree(self.pid(name)?, &stats))));
        let load = stats.get(&process::id()).map(|stat| (LOAD, stat.ticks));
        let times = site.chain(load).map(|(name, ticks)| (name, ticks as f64 / TICKS_PER_SECOND));
        Ok(CpuTimes(times.collect()))
    }

    fn pid(&self, name: &str) -> Option<u32> {
        read_pid(&self.folder, name).ok()?.parse().ok()
    }
}

impl CpuTimes {
    /// The seconds that each process has used since an earlier time.
    pub(crate) fn since<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = (&'static str, f64)> + 'a {
        self.0.iter().filter_map(|(name, seconds)| Some((*name, seconds - earlier.0.get(name)?)))
    }
}

fn read_stats() -> anyhow::Result<HashMap<u32, Stat>> {
    let mut stats = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let Ok(pid) = entry?.file_name().to_string_lossy().parse() else { continue };
        // The process may have ended meanwhile.
        if let Some(stat) = fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(|line| parse(&line))
        {
            stats.insert(pid, stat);
        }
    }
    Ok(stats)
}

fn parse(line: &str) -> Option<Stat> {
    // The fields come after the name, which may contain any character.
    let fields: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = fields.get(11..15)?.iter().map(|ticks| ticks.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Stat { parent: fields.get(1)?.parse().ok()?, ticks })
}

/// The ticks of a process and of everything that it has started.
fn ticks_of_tree(root: u32, stats: &HashMap<u32, Stat>) -> u64 {
    let children = stats.iter().filter(|(_, stat)| stat.parent == root);
    let own = stats.get(&root).map_or(0, |stat| stat.ticks);
    own + children.map(|(pid, _)| ticks_of_tree(*pid, stats)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_parsed_after_a_name_with_parentheses() {
        let line = "42 (a (b) c) S 7 42 42 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 99 0 0";
        assert_eq!(parse(line), Some(Stat { parent: 7, ticks: 100 }));
    }

    #[test]
    fn tree_has_the_children_of_children() {
        let stat = |parent, ticks| Stat { parent, ticks };
        let stats = HashMap::from([(1, stat(0, 1)), (2, stat(1, 10)), (3, stat(2, 100)), (4, stat(0, 1000))]);
        assert_eq!(ticks_of_tree(1, &stats), 111);
        assert_eq!(ticks_of_tree(5, &stats), 0);
    }
}
