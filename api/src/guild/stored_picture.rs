//! Reads a picture of a logo from Postgres, or from the object store.

use bytes::Bytes;
use guildhall_common::contract::{
    command::Refusal,
    guild::{GuildRefusal, LogoId, LogoSize},
};

use crate::{http::problem::Problem, state::State};

/// A picture as Postgres has it.
pub(super) struct StoredPicture {
    pub(super) logo_id: LogoId,
    pub(super) size: LogoSize,
    /// None if the object store has them.
    pub(super) bytes: Option<Vec<u8>>,
}

impl StoredPicture {
    /// The bytes of the picture.
    ///
    /// # Errors
    /// 404 if the logo is purged at the same time; 503 if the object store does not respond.
    pub(super) async fn read(self, state: &State) -> Result<Bytes, Problem> {
        if let Some(bytes) = self.bytes {
            return Ok(bytes.into());
        }
        let Some(objects) = &state.objects else {
            return Err(Problem::internal("the object store of a logo is not configured", &self.logo_id));
        };
        match objects.get(self.logo_id, self.size).await {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(GuildRefusal::LogoNotFound.refused().into()),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "object store failed");
                let detail = "The store of the pictures is not available. Try again.";
                Err(Problem::unavailable("object_store_unavailable", detail))
            }
        }
    }
}
