//! The jobs of logos: purge, and the way of their pictures from Postgres to the object store.
//!
//! A command writes the pictures in its transaction, so a logo is there when its guild shows it. A job moves them afterwards: no
//! transaction waits for the object store.

use std::collections::BTreeSet;

use anyhow::Context;
use chrono::TimeDelta;
use guildhall_common::contract::guild::{LogoId, LogoSize, PictureType};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::{
        job_transaction::JobTransaction,
        jobs::{Job, NextRun},
    },
};

/// The maximum number of pictures that one attempt moves.
const MAX_PICTURES: i64 = 48;

/// The maximum number of logos that one attempt deletes.
const MAX_LOGOS: i64 = 500;

/// Moves pictures, if the site has an object store.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MoveLogos {}

impl Job for MoveLogos {
    const NAME: &'static str = "move_logos";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::minutes(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let Some(objects) = &app.objects else { return Ok(NextRun::Done) };
        let pictures = sqlx::query!(
            r#"select logo_id as "logo_id: LogoId", size as "size: LogoSize", media_type as "picture_type: PictureType",
                      bytes as "bytes!"
               from logo_pictures where bytes is not null order by logo_id, size limit $1"#,
            MAX_PICTURES
        )
        .fetch_all(&app.database)
        .await?;
        let count = pictures.len();
        for picture in pictures {
            objects
                .put(picture.logo_id, picture.size, picture.picture_type.media_type(), picture.bytes)
                .await?;
            let moved = sqlx::query!(
                "update logo_pictures set bytes = null where logo_id = $1 and size = $2",
                picture.logo_id.get(),
                picture.size as LogoSize,
            )
            .execute(&app.database)
            .await?;
            if moved.rows_affected() == 0 {
                // The logo was purged at the same time.
                objects.delete(picture.logo_id).await?;
            }
        }
        let is_last = count < MAX_PICTURES as usize;
        Ok(if is_last { NextRun::Done } else { NextRun::After(TimeDelta::zero()) })
    }
}

/// Deletes the pictures of a purged logo.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DeleteLogoObjects {
    pub(crate) logo_id: LogoId,
}

impl Job for DeleteLogoObjects {
    const NAME: &'static str = "delete_logo_objects";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let logo_id = self.logo_id;
        let objects =
            app.objects.as_ref().context("GUILDHALL_S3_URL is not set, but the object store has logos")?;
        objects.delete(logo_id).await?;
        Ok(NextRun::Done)
    }
}

/// Deletes the logos that no guild has any more, an hour after their last upload, and the pictures of blocked logos.
///
/// An upload of the same logo at the same time locks its row: if it comes first, the row is kept, because its time has changed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PurgeLogos {}

impl Job for PurgeLogos {
    const NAME: &'static str = "purge_logos";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::hours(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let mut transaction = JobTransaction::begin(app).await?;
        let mut cx = transaction.context();
        let unused = sqlx::query!(
            r#"with unused as (
                   select logo_id from logos
                   where uploaded_at < now() - interval '1 hour' and blocked_at is null
                     and not exists (select from guilds where guilds.logo_id = logos.logo_id)
                   order by uploaded_at limit $1 for update skip locked
               ),
               deleted as (delete from logos using unused where logos.logo_id = unused.logo_id)
               select logo_id as "logo_id: LogoId",
                      exists (select from logo_pictures where logo_pictures.logo_id = unused.logo_id and bytes is null)
                          as "has_objects!"
               from unused"#,
            MAX_LOGOS,
        )
        .fetch_all(&mut *cx.db)
        .await?;
        let blocked = sqlx::query!(
            r#"delete from logo_pictures using logos where logos.logo_id = logo_pictures.logo_id and blocked_at is not null
               returning logos.logo_id as "logo_id: LogoId", bytes is null as "has_objects!""#,
        )
        .fetch_all(&mut *cx.db)
        .await?;
        let is_last = unused.len() < MAX_LOGOS as usize;
        let unused = unused.into_iter().map(|row| (row.logo_id, row.has_objects));
        let blocked = blocked.into_iter().map(|row| (row.logo_id, row.has_objects));
        let with_objects: BTreeSet<LogoId> = unused
            .chain(blocked)
            .filter_map(|(logo_id, has_objects)| has_objects.then_some(logo_id))
            .collect();
        for logo_id in with_objects {
            cx.schedule(&DeleteLogoObjects { logo_id }, cx.now).await?;
        }
        let effects = cx.effects;
        transaction.commit(effects).await?;
        Ok(if is_last { NextRun::Done } else { NextRun::After(TimeDelta::zero()) })
    }
}
