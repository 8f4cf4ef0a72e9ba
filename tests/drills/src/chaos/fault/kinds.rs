//! The faults of a drill.

use guildhall_testkit::{
    proxy::Pattern,
    worker_steps::{ACKNOWLEDGEMENT, COMMIT_OF_BATCH, RESPONSE_TO_COMMIT_OF_BATCH, RESPONSE_TO_INVALIDATION},
};

use super::rabbitmq;
use crate::{chaos::site::ChaosSite, process::Part};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::chaos) enum Fault {
    /// SIGKILL, and a start a moment later.
    Kill(Part),
    /// SIGSTOP, and SIGCONT later.
    Freeze(Part),
    /// All connections of apis and workers to this server are cut in the middle of a message. For the api: the connections
    /// of all clients.
    Cut(Part),
    /// The server closes all connections.
    Close(Part),
    /// One api or worker cannot reach this server. The others can.
    Partition(Part),
    /// A worker is killed at this step.
    KillAt(Step),
    /// An additional worker joins, and stops later.
    WorkerJoins,
    /// A worker is stopped with SIGTERM, and started a moment later.
    WorkerLeaves,
    /// A worker is frozen for so long that another one takes its partitions.
    FreezePastLease,
    /// The number of partitions changes.
    Repartition,
    /// An api restarts with a wrong clock, and restarts again with the right one.
    Skew,
    /// Redis loses all data.
    Flush,
    /// Redis has too little memory, or nearly none: it evicts data, or refuses writes.
    Evict,
    /// RabbitMQ accepts no messages because of too little memory.
    MemoryAlarm,
    /// RabbitMQ accepts no messages because it requires more free disk space than there is.
    DiskAlarm,
    /// The disk of RabbitMQ is full for a while.
    FullDisk,
    /// Another client takes all connections of Postgres that the site does not take first.
    NoConnections,
    /// Another client locks a table for longer than a statement may wait.
    Locks,
    /// Every statement is cancelled, as by its time limit.
    Timeouts,
    /// A message that is not a command.
    Poison,
    /// Each api and worker in turn is stopped with SIGTERM and started again. For a cluster, whose clients may not notice it.
    RollingRestart,
}

/// A step of a worker, recognized by its messages to and from a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::chaos) enum Step {
    BeforeCommit,
    AfterCommit,
    AfterInvalidation,
    BeforeAck,
}

impl Step {
    const ALL: [Self; 4] = [Self::BeforeCommit, Self::AfterCommit, Self::AfterInvalidation, Self::BeforeAck];

    /// The server and the message of this step.
    pub(super) fn pattern(self) -> (Part, Pattern) {
        match self {
            Self::BeforeCommit => (Part::Postgres, COMMIT_OF_BATCH),
            Self::AfterCommit => (Part::Postgres, RESPONSE_TO_COMMIT_OF_BATCH),
            Self::AfterInvalidation => (Part::Redis, RESPONSE_TO_INVALIDATION),
            Self::BeforeAck => (Part::Rabbitmq, ACKNOWLEDGEMENT),
        }
    }
}

impl Fault {
    /// All faults that are possible on this site.
    #[must_use]
    pub(in crate::chaos) fn all(site: &ChaosSite) -> Vec<Self> {
        let mut all = Vec::new();
        for part in Part::ALL {
            all.extend([Self::Kill(part), Self::Freeze(part)]);
        }
        for server in [Part::Postgres, Part::Redis, Part::Rabbitmq, Part::Sandbox] {
            all.extend([Self::Cut(server), Self::Partition(server)]);
        }
        all.push(Self::Cut(Part::Api));
        all.extend([Part::Postgres, Part::Redis, Part::Rabbitmq].map(Self::Close));
        all.extend(Step::ALL.map(Self::KillAt));
        all.extend([Self::WorkerJoins, Self::WorkerLeaves, Self::FreezePastLease, Self::Repartition]);
        all.extend([Self::Skew, Self::Flush, Self::Evict, Self::MemoryAlarm, Self::DiskAlarm]);
        all.extend([Self::NoConnections, Self::Locks, Self::Timeouts, Self::Poison]);
        if rabbitmq::small_disk().is_some() {
            all.push(Self::FullDisk);
        }
        if site.stack.processes(Part::Api).count() > 1 {
            all.push(Self::RollingRestart);
        }
        all
    }

    #[must_use]
    pub(in crate::chaos) fn name(self) -> String {
        match self {
            Self::Kill(part) => format!("kill {}", part.name()),
            Self::Freeze(part) => format!("freeze {}", part.name()),
            Self::Cut(part) => format!("cut {}", part.name()),
            Self::Close(part) => format!("close {}", part.name()),
            Self::Partition(part) => format!("partition {}", part.name()),
            Self::KillAt(Step::BeforeCommit) => "kill workers before commit".to_owned(),
            Self::KillAt(Step::AfterCommit) => "kill workers after commit".to_owned(),
            Self::KillAt(Step::AfterInvalidation) => "kill workers after invalidation".to_owned(),
            Self::KillAt(Step::BeforeAck) => "kill workers before ack".to_owned(),
            Self::WorkerJoins => "worker joins".to_owned(),
            Self::WorkerLeaves => "worker leaves".to_owned(),
            Self::FreezePastLease => "freeze workers past the lease".to_owned(),
            Self::Repartition => "repartition".to_owned(),
            Self::Skew => "skew api".to_owned(),
            Self::Flush => "flush redis".to_owned(),
            Self::Evict => "evict redis".to_owned(),
            Self::MemoryAlarm => "memory alarm".to_owned(),
            Self::DiskAlarm => "disk alarm".to_owned(),
            Self::FullDisk => "full disk".to_owned(),
            Self::NoConnections => "no connections".to_owned(),
            Self::Locks => "locks".to_owned(),
            Self::Timeouts => "timeouts".to_owned(),
            Self::Poison => "poison".to_owned(),
            Self::RollingRestart => "rolling restart".to_owned(),
        }
    }

    /// Whether both faults may be active at the same time: each must end independently of the other.
    #[must_use]
    pub(in crate::chaos) fn is_compatible_with(self, other: Self) -> bool {
        let is_alone = |fault| matches!(fault, Self::RollingRestart | Self::Repartition);
        self.part() != other.part() && !is_alone(self) && !is_alone(other)
    }

    /// The part that the fault affects.
    #[must_use]
    pub(in crate::chaos) fn part(self) -> Part {
        match self {
            Self::Kill(part)
            | Self::Freeze(part)
            | Self::Cut(part)
            | Self::Close(part)
            | Self::Partition(part) => part,
            Self::KillAt(_)
            | Self::WorkerJoins
            | Self::WorkerLeaves
            | Self::FreezePastLease
            | Self::Repartition => Part::Workers,
            Self::Skew | Self::RollingRestart => Part::Api,
            Self::Flush | Self::Evict => Part::Redis,
            Self::MemoryAlarm | Self::DiskAlarm | Self::FullDisk | Self::Poison => Part::Rabbitmq,
            Self::NoConnections | Self::Locks | Self::Timeouts => Part::Postgres,
        }
    }

    /// Whether it ends the process of an api or a worker.
    #[must_use]
    pub(in crate::chaos) fn ends_service(self) -> bool {
        use Fault::{Kill, KillAt, RollingRestart, Skew, WorkerLeaves};
        matches!(self, Kill(Part::Api | Part::Workers) | KillAt(_) | WorkerLeaves | Skew | RollingRestart)
    }
}
