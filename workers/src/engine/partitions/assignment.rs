//! The assignment of partitions to workers.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::engine::lease::Partition;

/// Assigns each partition to a worker.
///
/// A worker keeps its partitions up to an equal share. A group of partitions is spread evenly: all partitions with number 0, and
/// the others of each domain. If a group cannot be divided evenly, the workers with the fewest partitions get one more.
pub(super) fn assign(
    owners: &BTreeMap<Partition, Option<Uuid>>,
    workers: &[Uuid],
) -> BTreeMap<Partition, Uuid> {
    let mut groups: BTreeMap<&str, Vec<(&Partition, Option<Uuid>)>> = BTreeMap::new();
    for (partition, owner) in owners {
        let group = if partition.number == 0 { "" } else { &partition.domain };
        groups.entry(group).or_default().push((partition, *owner));
    }
    let (mut assigned, mut totals) = (BTreeMap::new(), BTreeMap::new());
    for group in groups.into_values() {
        assign_group(&group, workers, &mut totals, &mut assigned);
    }
    assigned
}

fn assign_group(
    group: &[(&Partition, Option<Uuid>)],
    workers: &[Uuid],
    totals: &mut BTreeMap<Uuid, usize>,
    assigned: &mut BTreeMap<Partition, Uuid>,
) {
    let share = group.len() / workers.len().max(1);
    let mut counts: BTreeMap<Uuid, usize> = workers.iter().map(|worker| (*worker, 0)).collect();
    let mut rest = vec![];
    for (partition, owner) in group {
        match owner.and_then(|owner| Some((owner, counts.get_mut(&owner)?))) {
            Some((owner, count)) if *count < share => {
                *count += 1;
                *totals.entry(owner).or_default() += 1;
                assigned.insert((*partition).clone(), owner);
            }
            _ => rest.push((*partition, *owner)),
        }
    }
    // Free ones first: a worker that lacks some takes none that another one has.
    rest.sort_by_key(|(_, owner)| owner.is_some());
    for (partition, owner) in rest {
        let key = |worker: &Uuid, count: usize| {
            (count, totals.get(worker).copied().unwrap_or(0), owner != Some(*worker))
        };
        let fewest = counts.iter_mut().min_by_key(|(worker, count)| key(worker, **count));
        let Some((worker, count)) = fewest else { return };
        *count += 1;
        *totals.entry(*worker).or_default() += 1;
        assigned.insert(partition.clone(), *worker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partitions(domains: &[(&str, u16)]) -> BTreeMap<Partition, Option<Uuid>> {
        let of = |(domain, last): &(&str, u16)| {
            let domain = (*domain).to_owned();
            (0..=*last).map(move |number| (Partition { domain: domain.clone(), number }, None))
        };
        domains.iter().flat_map(of).collect()
    }

    /// The number of partitions of each worker, in total and of the domain "guild" without its first one.
    fn counts(assigned: &BTreeMap<Partition, Uuid>, workers: &[Uuid]) -> (Vec<usize>, Vec<usize>) {
        let count = |worker: &Uuid, only_guild: bool| {
            let is_counted =
                |partition: &Partition| !only_guild || (partition.domain == "guild" && partition.number > 0);
            assigned.iter().filter(|(partition, owner)| *owner == worker && is_counted(partition)).count()
        };
        (
            workers.iter().map(|worker| count(worker, false)).collect(),
            workers.iter().map(|worker| count(worker, true)).collect(),
        )
    }

    fn owned(assigned: &BTreeMap<Partition, Uuid>) -> BTreeMap<Partition, Option<Uuid>> {
        assigned.iter().map(|(partition, worker)| (partition.clone(), Some(*worker))).collect()
    }

    const DOMAINS: [(&str, u16); 3] = [("game", 0), ("guild", 8), ("shop", 8)];

    #[test]
    fn partitions_are_spread_evenly_and_stay() {
        let workers: Vec<_> = (0..4).map(|_| Uuid::new_v4()).collect();
        for count in 1..=4 {
            let assigned = assign(&partitions(&DOMAINS), &workers[..count]);
            let (totals, guilds) = counts(&assigned, &workers[..count]);
            assert_eq!(assigned.len(), 19);
            assert!(totals.iter().max() <= totals.iter().min().map(|least| least + 2).as_ref(), "{totals:?}");
            assert!(guilds.iter().max() <= guilds.iter().min().map(|least| least + 1).as_ref(), "{guilds:?}");
            assert_eq!(assign(&owned(&assigned), &workers[..count]), assigned);
        }
    }

    #[test]
    fn another_worker_gets_its_share_and_the_rest_stays() {
        let workers: Vec<_> = (0..2).map(|_| Uuid::new_v4()).collect();
        let alone = assign(&partitions(&DOMAINS), &workers[..1]);
        let both = assign(&owned(&alone), &workers);
        let (totals, guilds) = counts(&both, &workers);
        assert_eq!(guilds, [4, 4]);
        assert!(totals[0].abs_diff(totals[1]) <= 1, "{totals:?}");
        // The first one leaves.
        let left = assign(&owned(&both), &workers[1..]);
        assert!(left.values().all(|worker| *worker == workers[1]));
    }

    #[test]
    fn nothing_is_assigned_without_workers() {
        assert!(assign(&partitions(&DOMAINS), &[]).is_empty());
    }
}
