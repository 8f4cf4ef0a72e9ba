use anyhow::Context;
use clap::Subcommand;
use guildhall_workers::engine::dead_letters;

use crate::cli::With;

#[derive(Subcommand)]
pub(crate) enum DeadLetters {
    /// List them, oldest first
    List {
        #[command(flatten)]
        with: With,
    },
    /// Show one with its whole message
    Show {
        id: i64,
        #[command(flatten)]
        with: With,
    },
    /// Put some back into their queues
    Replay {
        #[arg(required = true)]
        ids: Vec<i64>,
        #[command(flatten)]
        with: With,
    },
    /// Forget some for good
    Discard {
        #[arg(required = true)]
        ids: Vec<i64>,
        #[command(flatten)]
        with: With,
    },
}

impl DeadLetters {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { with } => {
                for letter in dead_letters::list(&with.site()?.database).await? {
                    println!(
                        "{}\t{}\t{}\t{}",
                        letter.dead_letter_id, letter.died_at, letter.queue, letter.reason
                    );
                }
            }
            Self::Show { id, with } => {
                let letter = dead_letters::find(&with.site()?.database, id).await?;
                println!("queue:  {}\ndied:   {}\nreason: {}\n", letter.queue, letter.died_at, letter.reason);
                println!("{}", String::from_utf8_lossy(&letter.body));
            }
            Self::Replay { ids, with } => {
                let site = with.site()?;
                tokio::time::timeout(std::time::Duration::from_secs(10), site.publisher.wait_until_ready())
                    .await
                    .context("RabbitMQ cannot be reached")?;
                for id in ids {
                    dead_letters::replay(&site, id).await?;
                    println!("replayed {id}");
                }
            }
            Self::Discard { ids, with } => {
                let site = with.site()?;
                for id in ids {
                    dead_letters::discard(&site.database, id).await?;
                    println!("discarded {id}");
                }
            }
        }
        Ok(())
    }
}
