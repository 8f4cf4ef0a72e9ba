use clap::Subcommand;
use guildhall_common::contract::account::AccountName;
use guildhall_workers::operator::audit_texts;

use crate::cli::app_args::AppArgs;

#[derive(Subcommand)]
pub(crate) enum AuditCommand {
    /// Erase the texts of audit entries: names, descriptions, bodies of posts, reasons. The entries stay
    EraseEntries {
        #[arg(required = true)]
        ids: Vec<i64>,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Erase the texts of all audit entries by an account or about it, and the reasons in the timelines of its deliveries
    EraseAccount {
        name: AccountName,
        #[command(flatten)]
        app: AppArgs,
    },
}

impl AuditCommand {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        let erased = match self {
            Self::EraseEntries { ids, app } => audit_texts::erase_entries(&app.start()?, &ids).await?,
            Self::EraseAccount { name, app } => audit_texts::erase_account(&app.start()?, &name).await?,
        };
        println!("erased {erased} texts of audit entries");
        Ok(())
    }
}
