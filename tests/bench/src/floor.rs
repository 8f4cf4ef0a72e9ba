//! The floors and the keys of their measures. `floors/` measures them.

/// A floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Floor {
    /// (a) A route of poem with a fixed body, on poem's own server.
    Http,
    /// (b) The same route with the body from Redis.
    Redis,
    /// (c) Transactions with one update and one insert, on eight connections.
    Postgres,
    /// (c1) The same transaction on one connection.
    Transaction,
    /// (d) A confirmed publish to a quorum queue, its consumer, and the reply.
    Queue,
    /// (e) The messages of 64 clients through quorum queues and transactions, with replies.
    Pipeline64,
    /// (e16) The same with 16 clients.
    Pipeline16,
}

impl Floor {
    /// The floors that measures are compared with. No ratio depends on the pipelines, so they may vary between rounds.
    pub(crate) const COMPARED: &[Self] =
        &[Self::Http, Self::Redis, Self::Postgres, Self::Transaction, Self::Queue];

    /// The key of its measure.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Http => "floor-http",
            Self::Redis => "floor-redis",
            Self::Postgres => "floor-postgres",
            Self::Transaction => "floor-transaction",
            Self::Queue => "floor-queue",
            Self::Pipeline64 => "floor-pipeline-64",
            Self::Pipeline16 => "floor-pipeline-16",
        }
    }
}
