//! The kinds of processes of a site, and their names in `./dev part`.

use clap::ValueEnum;

/// A kind of process. Faults stop, freeze or disconnect it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Part {
    Api,
    Workers,
    Rabbitmq,
    Postgres,
    Redis,
    Sandbox,
    /// The mail server of `./dev drill mails`.
    Postfix,
}

impl Part {
    /// The parts of every site.
    pub const ALL: [Self; 6] =
        [Self::Api, Self::Workers, Self::Rabbitmq, Self::Postgres, Self::Redis, Self::Sandbox];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Workers => "workers",
            Self::Rabbitmq => "rabbitmq",
            Self::Postgres => "postgres",
            Self::Redis => "redis",
            Self::Sandbox => "sandbox",
            Self::Postfix => "postfix",
        }
    }
}

/// One process of a part. A cluster has several: the first, the second, …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process {
    pub part: Part,
    pub number: usize,
}

impl Process {
    /// A worker that runs only while a fault needs one more.
    pub const ADDITIONAL_WORKER: Self = Self { part: Part::Workers, number: 3 };

    /// The name in `./dev part`: the first process has the name of its part, the second has a `2` after it.
    #[must_use]
    pub fn name(self) -> String {
        let name = self.part.name();
        if self.number == 1 { name.to_owned() } else { format!("{name}{}", self.number) }
    }
}

impl From<Part> for Process {
    fn from(part: Part) -> Self {
        Self { part, number: 1 }
    }
}
