//! The rules of a domain. They apply the commands of a batch: each alone, or several of one kind in the same statements.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use guildhall_common::contract::{
    actor::Actor,
    command::{Command, Dispatch, Domain, Envelope, Failure, OperationId, Outcome, Visit, Visitor},
};
use sqlx::PgConnection;

use crate::{
    app::App,
    config::Settings,
    engine::rule::{Context, Effects, Progress, Rule},
    mailer::Mailer,
    trail::Trail,
};

/// A domain whose commands all have rules.
pub(crate) trait Rules: Domain + for<'a, 'b> Dispatch<ApplyFirst<'a, 'b, Self>> {}

impl<D> Rules for D where D: Domain + for<'a, 'b> Dispatch<ApplyFirst<'a, 'b, D>> {}

/// Applies the first of these commands by its rule. The domain chooses the rule by the type of the command.
pub(crate) struct ApplyFirst<'a, 'b, D> {
    pub(super) applier: &'a mut Applier<'b>,
    pub(super) commands: &'a [&'a Envelope<D>],
}

impl<'a, D> Visitor for ApplyFirst<'a, '_, D> {
    type Output = BoxFuture<'a, sqlx::Result<Vec<Applied>>>;
}

impl<C: Rule> Visit<C> for ApplyFirst<'_, '_, C::Domain> {
    fn visit(self) -> Self::Output {
        C::apply_first(self.applier, self.commands)
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

    /// Applies the commands, of which no two have the same [key](guildhall_common::contract::command::Declaration::partition_key). It returns a row for each, in their order. For a command
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

    fn apply_first<'a>(
        applier: &'a mut Applier<'_>,
        commands: &'a [&'a Envelope<Self::Domain>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<Applied>>> {
        Box::pin(applier.apply_set::<Self>(commands))
    }
}

/// Applies commands in the transaction of their batch.
pub(crate) struct Applier<'a> {
    pub(super) app: &'a App,
    pub(super) database: &'a mut PgConnection,
    pub(super) now: DateTime<Utc>,
}

impl Applier<'_> {
    /// Applies one command, which is of kind `C`, and returns its result alone.
    ///
    /// # Errors
    /// Those of the database.
    pub(super) async fn apply_alone<C: Rule>(
        &mut self,
        envelope: &Envelope<C::Domain>,
    ) -> sqlx::Result<Vec<Applied>> {
        let command = envelope.command.find::<C>().ok_or(sqlx::Error::RowNotFound)?;
        let mut cx = self.context(envelope);
        let result = Trail::of(envelope).follow(cx.run(command)).await;
        Ok(vec![applied(result, cx.effects)?])
    }

    /// Applies the commands of kind `C` with which the list begins, up to the second one with the same key. It returns their results.
    ///
    /// # Errors
    /// Those of the database.
    async fn apply_set<C: SetRule>(
        &mut self,
        commands: &[&Envelope<C::Domain>],
    ) -> sqlx::Result<Vec<Applied>> {
        let mut keys = HashSet::new();
        let set = commands.iter().map_while(|Envelope { operation_id, actor, command, .. }| {
            let is_first = keys.insert(command.partition_key(*actor));
            let command = command.find::<C>().filter(|_| is_first)?;
            Some(Sent { operation_id: *operation_id, actor: *actor, command })
        });
        let set: Vec<_> = set.collect();
        if set.len() == 1 {
            return self.apply_alone::<C>(commands[0]).await;
        }
        let mut cx = self.context(commands[0]);
        let rows = C::apply_all(&mut SetContext::of(&mut cx), &set).await?;
        let results = commands.iter().zip(rows).map(|(envelope, row)| {
            let mut cx = self.context(envelope);
            let result = Progress::of::<C>(C::complete(&mut cx, row));
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
        Ok(Progress::Deferred) | Err(Failure::Deferred) => Ok(Applied { outcome: None, effects }),
        Err(Failure::Refused(refused)) => {
            Ok(Applied { outcome: Some(Outcome::Refused(refused)), effects: Effects::default() })
        }
        Err(Failure::Broken(error)) => Err(error),
    }
}
