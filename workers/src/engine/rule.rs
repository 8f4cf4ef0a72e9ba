//! The rules of commands, and how the commands of a batch are applied.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use guildhall_common::contract::command::{
    Command, Declaration, Dispatch, Domain, Envelope, Failure, Outcome, Refusal, Refused, Visit, Visitor,
};
use serde_json::value;
use sqlx::PgConnection;

use crate::{
    app::App,
    engine::{
        context::{Context, Effects},
        savepoint,
        trail::Trail,
    },
};

/// The rules and the SQL of one command.
pub(crate) trait Rule: Command {
    /// Whether the rule refuses the command only before it changes the database. Then it needs no savepoint, which costs two
    /// round trips. A refusal by [`on_constraint`](guildhall_common::contract::command::OnConstraint) comes too late.
    const REFUSES_BEFORE_WRITING: bool = false;

    /// Applies the command. A command that waits for another system, such as a bank, schedules the job that completes it, and fails
    /// with [`Failure::Deferred`]. A redelivered message applies it again, so it must change nothing the second time.
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Self::Output, Failure>> + Send;

    /// Applies the first of these commands, which is of this kind, and returns its result. A [`SetRule`](super::throughput::SetRule)
    /// applies also those after it that are of the same kind.
    fn apply_first<'a>(
        applier: &'a mut Applier<'_>,
        commands: &'a [&'a Envelope<Self::Domain>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<Applied>>> {
        Box::pin(applier.apply_alone::<Self>(commands[0]))
    }
}

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
        // The domain has chosen the rule by the type of the command, so it is found.
        let command = envelope.command.find::<C>().ok_or(sqlx::Error::RowNotFound)?;
        let mut cx = self.context(envelope);
        let result = Trail::of(envelope).follow(run(command, &mut cx)).await;
        Ok(vec![applied::<C>(result, cx.effects)?])
    }

    pub(super) fn context<D>(&mut self, envelope: &Envelope<D>) -> Context<'_> {
        Context::new(self.app, self.database, envelope.operation_id, envelope.actor, self.now)
    }
}

/// Applies a command, and rolls its changes back if it is refused.
async fn run<C: Rule>(command: &C, cx: &mut Context<'_>) -> Result<C::Output, Failure> {
    if C::REFUSES_BEFORE_WRITING {
        return run_without_savepoint(command, cx).await;
    }
    savepoint::begin(cx.db).await?;
    let result = command.apply(cx).await;
    end_savepoint(cx.db, result).await
}

/// Rolls a refused command back. After a failure of the database, the caller rolls back the whole transaction.
async fn end_savepoint<T>(database: &mut PgConnection, result: Result<T, Failure>) -> Result<T, Failure> {
    match &result {
        Ok(_) | Err(Failure::Deferred) => savepoint::release(database).await?,
        Err(Failure::Refused(_)) => savepoint::roll_back(database).await?,
        Err(Failure::Broken(_)) => {}
    }
    result
}

/// Runs a rule that refuses only before it writes. A development build checks this.
async fn run_without_savepoint<C: Rule>(command: &C, cx: &mut Context<'_>) -> Result<C::Output, Failure> {
    let before = if cfg!(debug_assertions) { savepoint::written_rows(cx.db).await? } else { 0 };
    let result = command.apply(cx).await;
    if let (true, Err(Failure::Refused(refused))) = (cfg!(debug_assertions), &result) {
        let after = savepoint::written_rows(cx.db).await?;
        assert_eq!(after, before, "refused with {} after a change", refused.code);
    }
    result
}

/// The outcome of a command with its effects.
pub(super) fn applied<C: Declaration>(
    result: Result<C::Output, Failure>,
    effects: Effects,
) -> sqlx::Result<Applied> {
    match result {
        Ok(output) => {
            let output = value::to_raw_value(&output).map_err(|error| sqlx::Error::Encode(error.into()))?;
            Ok(Applied { outcome: Some(Outcome::Applied(output)), effects })
        }
        Err(Failure::Deferred) => Ok(Applied { outcome: None, effects }),
        Err(Failure::Refused(refused)) => {
            check_declared::<C>(&refused);
            Ok(Applied { outcome: Some(Outcome::Refused(refused)), effects: Effects::default() })
        }
        Err(Failure::Broken(error)) => Err(error),
    }
}

/// Reports a refusal that the command does not declare: clients do not know it. A development build panics.
fn check_declared<C: Declaration>(refused: &Refused) {
    if C::REFUSALS.iter().any(|declared| declared.refused().code == refused.code) {
        return;
    }
    metrics::counter!("guildhall_undeclared_refusals_total", "command" => C::NAME).increment(1);
    tracing::error!(command.name = C::NAME, refusal.code = refused.code, "undeclared refusal");
    debug_assert!(false, "{} was refused with {}, which it does not declare", C::NAME, refused.code);
}
