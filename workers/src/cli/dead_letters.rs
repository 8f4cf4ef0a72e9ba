use anyhow::Context;
use clap::Subcommand;
use guildhall_common::contract::site::DeadLetterId;
use guildhall_workers::operator::dead_letters;

use crate::cli::app_args::AppArgs;

#[derive(Subcommand)]
pub(crate) enum DeadLettersCommand {
    /// List all dead letters, oldest first
    List {
        #[command(flatten)]
        app: AppArgs,
    },
    /// Show a dead letter with its message, without texts of people and without secrets
    Show {
        id: DeadLetterId,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Publish dead letters to their queues again
    Replay {
        #[arg(required = true)]
        ids: Vec<DeadLetterId>,
        #[command(flatten)]
        app: AppArgs,
    },
    /// Delete dead letters
    Discard {
        #[arg(required = true)]
        ids: Vec<DeadLetterId>,
        #[command(flatten)]
        app: AppArgs,
    },
}

impl DeadLettersCommand {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { app } => {
                for letter in dead_letters::list(&app.start()?.database).await? {
                    println!(
                        "{}\t{}\t{}\t{}",
                        letter.dead_letter_id, letter.died_at, letter.queue, letter.reason
                    );
                }
            }
            Self::Show { id, app } => {
                let letter = dead_letters::find(&app.start()?.database, id).await?;
                println!("queue:  {}\ndied:   {}\nreason: {}\n", letter.queue, letter.died_at, letter.reason);
                println!(
                    "{}",
                    letter.message.as_deref().unwrap_or("version 0.2.0 has stored no message for people")
                );
            }
            Self::Replay { ids, app } => {
                let app = app.start()?;
                tokio::time::timeout(std::time::Duration::from_secs(10), app.publisher.wait_until_ready())
                    .await
                    .context("cannot connect to RabbitMQ")?;
                for id in ids {
                    dead_letters::replay(&app, id).await?;
                    println!("replayed {id}");
                }
            }
            Self::Discard { ids, app } => {
                let app = app.start()?;
                for id in ids {
                    dead_letters::discard(&app.database, id).await?;
                    println!("discarded {id}");
                }
            }
        }
        Ok(())
    }
}
