//! The rules of a domain. They apply the commands of a batch: each alone, or several of one kind in the same statements.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    actor::Actor,
    command::{Command, Domain, Envelope, Failure, OperationId, Outcome},
    partition_key::Partitioned,
};
use sqlx::PgConnection;

use crate::{
    app::App,
    config::Settings,
    engine::{
        locks::Locks,
        rule::{Context, Effects, Progress, Rule},
        trail::Trail,
    },
    mailer::Mailer,
};

/// Runs the rule of any command of a domain. Each domain implements it by an exhaustive match.
pub(crate) trait Rules: Domain {
    /// Names the rows that the command changes and that commands of other partitions may change, too.
    fn locks(&self, _actor: Actor, _locks: &mut Locks) {}

    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Progress, Failure>> + Send;

    /// Applies the first of these commands, and those after it that the same statement applies. It returns their results.
    fn apply_first(
        applier: &mut Applier<'_>,
        commands: &[&Envelope<Self>],
    ) -> impl Future<Output = sqlx::Result<Vec<Applied>>> + Send {
        applier.apply_alone(commands[0])
    }
}

/// The result of one command. A refusal has no effects.
pub(crate) struct Applied {
    /// None if the command is deferred.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) effects: Effects,
}

/// A command of a set.
pub(crate) struct Sent<'a, C> {
    pub(crate) operation_id: OperationId,
    pub(crate) actor: Actor,
    pub(crate) command: &'a C,
}

/// The context of the commands of a set.
pub(crate) struct SetContext<'a> {
    pub(crate) db: &'a mut PgConnection,
    /// The time of the transaction, by the clock of the database.
    pub(crate) now: DateTime<Utc>,
    pub(crate) settings: &'a Settings,
    /// None if the site sends no mails.
    pub(crate) mailer: Option<&'a Mailer>,
}

impl<'a> SetContext<'a> {
    /// The part of a command's context that all commands of its set share.
    fn of(cx: &'a mut Context<'_>) -> Self {
        Self { db: cx.db, now: cx.now, settings: cx.settings, mailer: cx.mailer }
    }
}

/// The rule of a command that is sent often. The same statements apply several commands, because each statement is a round trip.
pub(crate) trait SetRule: Command {
    /// The result of a command, before its effects.
    type Row: Send;

    /// The command, if it is one of this kind.
    fn of(command: &Self::Domain) -> Option<&Self>;

    /// Applies the commands, of which no two have the same [key](Partitioned). It returns a row for each, in their order. For a command
    /// that is refused, it changes nothing.
    fn apply_all(
        cx: &mut SetContext<'_>,
        commands: &[Sent<'_, Self>],
    ) -> impl Future<Output = sqlx::Result<Vec<Self::Row>>> + Send;

    /// The output and the effects of one command.
    fn complete(cx: &mut Context<'_>, row: Self::Row) -> Result<Self::Output, Failure>;
}

impl<C: SetRule> Rule for C {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<Self::Output, Failure> {
        let sent = Sent { operation_id: cx.operation_id, actor: cx.actor, command: self };
        let row =
            C::apply_all(&mut SetContext::of(cx), &[sent]).await?.pop().ok_or(sqlx::Error::RowNotFound)?;
        C::complete(cx, row)
    }
}

/// Applies commands in the transaction of their batch.
pub(crate) struct Applier<'a> {
    pub(super) app: &'a App,
    pub(super) database: &'a mut PgConnection,
    pub(super) now: DateTime<Utc>,
}

impl Applier<'_> {
    /// Applies one command, and returns its result alone.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn apply_alone<D: Rules>(
        &mut self,
        envelope: &Envelope<D>,
    ) -> sqlx::Result<Vec<Applied>> {
        let mut cx = self.context(envelope);
        let result = Trail::of(envelope).follow(envelope.command.apply(&mut cx)).await;
        Ok(vec![applied(result, cx.effects)?])
    }

    /// Applies the commands of kind `C` with which the list begins, up to the second one with the same key. It returns their results.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn apply_set<C: SetRule>(
        &mut self,
        commands: &[&Envelope<C::Domain>],
    ) -> sqlx::Result<Vec<Applied>>
    where
        C::Domain: Rules,
    {
        let mut keys = HashSet::new();
        let set = commands.iter().map_while(|Envelope { operation_id, actor, command, .. }| {
            let is_first = keys.insert(command.partition_key(*actor));
            let command = C::of(command).filter(|_| is_first)?;
            Some(Sent { operation_id: *operation_id, actor: *actor, command })
        });
        let set: Vec<_> = set.collect();
        if set.len() == 1 {
            return self.apply_alone(commands[0]).await;
        }
        let mut cx = self.context(commands[0]);
        let rows = C::apply_all(&mut SetContext::of(&mut cx), &set).await?;
        let results = commands.iter().zip(rows).map(|(envelope, row)| {
            let mut cx = self.context(envelope);
            let result = C::complete(&mut cx, row).and_then(|output| Progress::completed(&output));
            applied(result, cx.effects)
        });
        results.collect()
    }

    fn context<D>(&mut self, envelope: &Envelope<D>) -> Context<'_> {
        Context::new(self.app, self.database, envelope.operation_id, envelope.actor, self.now)
    }
}

fn applied(result: Result<Progress, Failure>, effects: Effects) -> sqlx::Result<Applied> {
    match result {
        Ok(Progress::Completed(output)) => Ok(Applied { outcome: Some(Outcome::Applied(output)), effects }),
        Ok(Progress::Deferred) => Ok(Applied { outcome: None, effects }),
        Err(Failure::Refused(refused)) => {
            Ok(Applied { outcome: Some(Outcome::Refused(refused)), effects: Effects::default() })
        }
        Err(Failure::Broken(error)) => Err(error),
    }
}
