use clap::Subcommand;
use guildhall_common::platform::db;
use guildhall_workers::operator::accounts;

use crate::cli::With;

#[derive(Subcommand)]
pub(crate) enum ServiceToken {
    /// Make one and print it; it cannot be printed again
    Create {
        name: String,
        #[command(flatten)]
        with: With,
    },
    /// List them
    List {
        #[command(flatten)]
        with: With,
    },
    /// Make one good for nothing
    Revoke {
        name: String,
        #[command(flatten)]
        with: With,
    },
}

impl ServiceToken {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create { name, with } => {
                let mut transaction = db::begin(&with.site()?.database).await?;
                let token = accounts::create_service_token(&mut transaction, &name).await?;
                transaction.commit().await?;
                println!("{token}");
            }
            Self::List { with } => {
                for token in accounts::service_tokens(&with.site()?).await? {
                    let state = token.revoked_at.map_or("good".to_owned(), |at| format!("revoked {at}"));
                    println!("{}\tmade {}\t{state}", token.name, token.created_at);
                }
            }
            Self::Revoke { name, with } => accounts::revoke_service_token(&with.site()?, &name).await?,
        }
        Ok(())
    }
}
