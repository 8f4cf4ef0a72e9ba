//! Erases the outcomes of operations that name a deleted person: a job, because the table may have millions of rows.
//!
//! The job searches for the name in the fields of each outcome, because other ways cost more. Outcomes with ids instead of names would
//! no longer be the sent responses. An index of the named people would slow down each command, and lack the outcomes of 0.3.0.

use chrono::TimeDelta;
use guildhall_common::{
    contract::account::{AccountId, PERSONAL_FIELDS},
    platform::db,
};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::{
        context::Context,
        jobs::{Job, NextRun},
    },
};

/// The maximum number of operations that one attempt reads. The outcome of a report of a game server may have 50 KB.
const MAX_ROWS: i64 = 500;

/// The path to the names and addresses of `$names` in an outcome. A word such as "conflict" may be the name of an account, so only the
/// values of fields such as `name` or `new_email` count.
fn path_to_names() -> String {
    let ends = PERSONAL_FIELDS.join("|");
    format!(
        r#"$.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "({ends})$" && @.value == $names[*])"#
    )
}

/// Schedules the erasure of the outcomes that name the owner of the account.
pub(super) async fn schedule(
    cx: &mut Context<'_>,
    account_id: AccountId,
    names: &[String],
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into erasures (account_id, names) values ($1, $2) on conflict do nothing",
        account_id.get(),
        names,
    )
    .execute(&mut *cx.db)
    .await?;
    cx.schedule(&EraseOutcomes { account_id }, cx.now).await
}

/// Erases the outcomes of the account's operations, and those of others that name it, in the next rows of the table.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EraseOutcomes {
    pub(crate) account_id: AccountId,
}

impl Job for EraseOutcomes {
    const NAME: &'static str = "erase_outcomes";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let account_id = self.account_id;
        let mut transaction = db::begin(&app.database).await?;
        let last = sqlx::query_scalar!(
            r#"with erasure as (
                   select names, erased_up_to from erasures where account_id = $1 for update
               ), read as (
                   select operations.operation_id, account_id, outcome, names from erasure
                   cross join lateral (select * from operations where operation_id > erased_up_to
                                       order by operation_id limit $2) as operations
               ), erased as (
                   update operations set outcome = '{"applied": null}', stale_keys = '{}' from read
                   where operations.operation_id = read.operation_id
                     and (read.account_id = $1
                          or jsonb_path_exists(lower(read.outcome::text)::jsonb, $3::text::jsonpath,
                                               jsonb_build_object('names', names)))
               )
               select operation_id from read order by operation_id desc limit 1"#,
            account_id.get(),
            MAX_ROWS,
            path_to_names(),
        )
        .fetch_optional(&mut *transaction)
        .await?;
        let next = match last {
            Some(last) => {
                sqlx::query!(
                    "update erasures set erased_up_to = $2 where account_id = $1",
                    account_id.get(),
                    last
                )
                .execute(&mut *transaction)
                .await?;
                NextRun::After(TimeDelta::zero())
            }
            None => {
                sqlx::query!("delete from erasures where account_id = $1", account_id.get())
                    .execute(&mut *transaction)
                    .await?;
                NextRun::Done
            }
        };
        transaction.commit().await?;
        Ok(next)
    }
}
