//! Sets of commands: the same statements apply several commands of one kind, because each statement is a round trip.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use guildhall_common::contract::{
    actor::Actor,
    command::{Command, Domain, Envelope, Failure, OperationId},
};
use sqlx::PgConnection;

use crate::{
    app::ExternalServices,
    config::Settings,
    engine::{
        context::Context,
        rule::{Applied, Applier, Rule, applied},
    },
};

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
    pub(crate) services: &'a ExternalServices,
}

impl<'a> SetContext<'a> {
    /// The part of a command's context that all commands of its set share.
    fn of(cx: &'a mut Context<'_>) -> Self {
        Self { db: cx.db, now: cx.now, settings: cx.settings, services: cx.services }
    }
}

/// The rule of a command that is sent often.
pub(crate) trait SetRule: Command {
    /// The result of a command, before its effects.
    type Row: Send;

    /// Applies the commands, of which no two have the same partition key. It returns a row for each, in their order. For a command that
    /// is refused, it changes nothing.
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
        Box::pin(apply_set::<Self>(applier, commands))
    }
}

/// Applies the commands of kind `C` with which the list begins, up to the second one with the same key. It returns their results.
///
/// # Errors
/// Those of the database.
async fn apply_set<C: SetRule>(
    applier: &mut Applier<'_>,
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
        return applier.apply_alone::<C>(commands[0]).await;
    }
    let mut cx = applier.context(commands[0]);
    let rows = C::apply_all(&mut SetContext::of(&mut cx), &set).await?;
    let results = commands.iter().zip(rows).map(|(envelope, row)| {
        let mut cx = applier.context(envelope);
        let result = C::complete(&mut cx, row);
        applied::<C>(result, cx.effects)
    });
    results.collect()
}
