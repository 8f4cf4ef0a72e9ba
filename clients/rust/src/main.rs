//! Tells the story to the site that the environment names.

use std::process::ExitCode;

use guildhall_client::Error;
use guildhall_client::types::Problem;
use guildhall_story::{Settings, tell};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let told = async { tell(&Settings::from_env()?).await };
    match told.await {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", explain(&error));
            ExitCode::FAILURE
        }
    }
}

/// The client's errors print themselves with all headers, for a log. This is for people.
fn explain(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Error<Problem>>() {
        Some(Error::ErrorResponse(problem)) => {
            let fields =
                problem.errors.iter().map(|field| format!("\n  {}: {}", field.pointer, field.detail));
            format!(
                "refused: {}: {} (request {}){}",
                problem.code,
                problem.detail,
                problem.request_id,
                String::from_iter(fields)
            )
        }
        Some(Error::CommunicationError(cause)) => {
            let url = cause.url().map_or("the site", |url| url.as_str());
            format!("{url} does not answer: {}; `./dev up` starts a site", error.root_cause())
        }
        _ => format!("{error:#}"),
    }
}
