//! The object store: S3, or another server with its protocol. A site without one has its pictures in Postgres.

use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, header::CONTENT_TYPE, redirect::Policy};
use rusty_s3::{
    Bucket, Credentials, S3Action, UrlStyle,
    actions::{DeleteObject, GetObject, PutObject},
};
use secrecy::ExposeSecret;

use crate::{
    contract::guild::{LogoId, LogoSize, PictureData},
    platform::config::ObjectStoreSettings,
};

/// The time limit of a request.
const TIMEOUT: Duration = Duration::from_secs(5);

/// For how long the signature of a request is valid. The clocks of both machines may differ.
const SIGNATURE_LIFETIME: Duration = Duration::from_secs(300);

/// The objects of a site.
#[derive(Debug, Clone)]
pub struct ObjectStore {
    http: Client,
    bucket: Bucket,
    credentials: Credentials,
    namespace: String,
}

impl ObjectStore {
    /// None if the site has no object store.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn new(settings: &ObjectStoreSettings, namespace: &str) -> anyhow::Result<Option<Self>> {
        let ObjectStoreSettings {
            s3_url: Some(url),
            s3_bucket: Some(bucket),
            s3_region,
            s3_access_key: Some(access_key),
            s3_secret_key: Some(secret_key),
        } = settings
        else {
            return Ok(None);
        };
        let url: Url = url.parse().context("GUILDHALL_S3_URL is not an address")?;
        // All servers know the style with the bucket in the path.
        let bucket = Bucket::new(url, UrlStyle::Path, bucket.clone(), s3_region.clone());
        let http = Client::builder().timeout(TIMEOUT).redirect(Policy::none());
        Ok(Some(Self {
            http: http.build().context("the HTTP client for the object store cannot be built")?,
            bucket: bucket.context("GUILDHALL_S3_URL or GUILDHALL_S3_BUCKET is invalid")?,
            credentials: Credentials::new(access_key, secret_key.expose_secret()),
            namespace: namespace.to_owned(),
        }))
    }

    /// Stores a picture of a logo.
    ///
    /// # Errors
    /// The store does not respond, or it refuses the request.
    pub async fn put(
        &self,
        logo_id: LogoId,
        size: LogoSize,
        media_type: &'static str,
        bytes: Vec<u8>,
    ) -> anyhow::Result<()> {
        let key = self.key(logo_id, size);
        let mut action = PutObject::new(&self.bucket, Some(&self.credentials), &key);
        action.headers_mut().insert("content-type", media_type);
        let request = self.http.put(action.sign(SIGNATURE_LIFETIME)).header(CONTENT_TYPE, media_type);
        let response = send(request.body(bytes)).await?;
        ensure_success(&response)
    }

    /// Reads a picture of a logo. None if it is not there.
    ///
    /// # Errors
    /// The store does not respond, or it refuses the request.
    pub async fn get(&self, logo_id: LogoId, size: LogoSize) -> anyhow::Result<Option<Bytes>> {
        let key = self.key(logo_id, size);
        let action = GetObject::new(&self.bucket, Some(&self.credentials), &key);
        let mut response = send(self.http.get(action.sign(SIGNATURE_LIFETIME))).await?;
        if response.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        ensure_success(&response)?;
        let mut bytes = vec![];
        while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
            ensure!(bytes.len() + chunk.len() <= PictureData::MAX_BYTES, "the object is too large");
            bytes.extend_from_slice(&chunk);
        }
        Ok(Some(bytes.into()))
    }

    /// Deletes the pictures of a logo. It is no error if they are not there.
    ///
    /// # Errors
    /// The store does not respond, or it refuses the request.
    pub async fn delete(&self, logo_id: LogoId) -> anyhow::Result<()> {
        for size in LogoSize::ALL {
            let key = self.key(logo_id, size);
            let action = DeleteObject::new(&self.bucket, Some(&self.credentials), &key);
            let response = send(self.http.delete(action.sign(SIGNATURE_LIFETIME))).await?;
            if response.status() != StatusCode::NOT_FOUND {
                ensure_success(&response)?;
            }
        }
        Ok(())
    }

    /// An id is never used again, so a delayed deletion never hits the pictures of a later logo.
    fn key(&self, logo_id: LogoId, size: LogoSize) -> String {
        format!("{}/logos/{logo_id}/{}", self.namespace, size.pixels())
    }
}

/// The signature is part of the address, so errors have none.
async fn send(request: RequestBuilder) -> anyhow::Result<Response> {
    request.send().await.map_err(reqwest::Error::without_url).context("the object store does not respond")
}

fn ensure_success(response: &Response) -> anyhow::Result<()> {
    let status = response.status();
    ensure!(status.is_success(), "the object store responds with the status {status}");
    Ok(())
}
