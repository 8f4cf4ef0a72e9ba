//! The settings of the object store.

use clap::Args;
use secrecy::SecretString;

/// How to reach the object store.
#[derive(Debug, Clone, Default, Args)]
pub struct ObjectStoreSettings {
    /// The address of an S3-compatible object store for the pictures of logos. Without it they are in Postgres
    #[arg(long, env = "GUILDHALL_S3_URL", requires_all = ["s3_bucket", "s3_access_key", "s3_secret_key"])]
    pub s3_url: Option<String>,

    /// The bucket. It must exist and need not be public
    #[arg(long, env = "GUILDHALL_S3_BUCKET")]
    pub s3_bucket: Option<String>,

    /// The region of the bucket
    #[arg(long, env = "GUILDHALL_S3_REGION", default_value = "us-east-1")]
    pub s3_region: String,

    /// The id of the access key. The key must be able to read, write and delete objects of the bucket
    #[arg(long, env = "GUILDHALL_S3_ACCESS_KEY")]
    pub s3_access_key: Option<String>,

    /// The secret of the access key
    #[arg(long, env = "GUILDHALL_S3_SECRET_KEY", hide_env_values = true)]
    pub s3_secret_key: Option<SecretString>,
}
