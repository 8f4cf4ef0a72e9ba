use clap::Subcommand;
use guildhall_common::contract::site::ServiceTokenName;
use guildhall_workers::operator::accounts;

use crate::cli::app_args::AppArgs;

#[derive(Subcommand)]
pub(crate) enum ServiceTokenCommand {
    /// Create a token and print it. It cannot be printed again
    Create {
        name: ServiceTokenName,
        #[command(flatten)]
        app: AppArgs,
    },
    /// List all tokens, without their secrets
    List {
        #[command(flatten)]
        app: AppArgs,
    },
    /// Revoke a token
    Revoke {
        name: String,
        #[command(flatten)]
        app: AppArgs,
    },
}

impl ServiceTokenCommand {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create { name, app } => {
                println!("{}", accounts::create_service_token(&app.start()?, &name).await?);
            }
            Self::List { app } => {
                for token in accounts::list_service_tokens(&app.start()?).await? {
                    let state = token.revoked_at.map_or("valid".to_owned(), |at| format!("revoked {at}"));
                    println!("{}\tcreated {}\t{state}", token.name, token.created_at);
                }
            }
            Self::Revoke { name, app } => accounts::revoke_service_token(&app.start()?, &name).await?,
        }
        Ok(())
    }
}
