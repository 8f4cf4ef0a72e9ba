//! Runs the example scenario on the site of the environment variables.

use std::process::ExitCode;

use guildhall_client::Error;
use guildhall_client::types::Problem;
use guildhall_story::{Settings, run_scenario};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let result = async { run_scenario(&Settings::from_env()?).await };
    match result.await {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", explain(&error));
            ExitCode::FAILURE
        }
    }
}

/// Describes an error for people. The client's errors print all headers, for logs.
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
            format!("{url} does not respond: {}; `./dev up` starts a site", error.root_cause())
        }
        _ => format!("{error:#}"),
    }
}
