//! The report of a run: a Markdown document for people, and JSON for programs.

mod json;
mod markdown;

use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::{
    environment::Environment,
    rounds::{Conclusion, MAX_FLOOR_VARIATION, ROUNDS_FOR_A_CONCLUSION, Rounds},
};

/// The files that a report is written to, besides the standard output.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Files {
    /// Write the figures of all rounds to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the tables to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Prints and writes the report.
///
/// # Errors
/// When a file cannot be written, or a floor varied too much for a conclusion.
pub(crate) fn finish(rounds: &Rounds, environment: &Environment, files: &Files) -> anyhow::Result<()> {
    let conclusion = rounds.conclusion();
    let text = markdown::render(rounds, environment, &sentence(&conclusion));
    println!("\n{text}");
    if let Some(file) = &files.markdown {
        std::fs::write(file, &text).with_context(|| file.display().to_string())?;
    }
    if let Some(file) = &files.json {
        let report = json::render(rounds, environment, &sentence(&conclusion));
        std::fs::write(file, format!("{report:#}\n")).with_context(|| file.display().to_string())?;
    }
    match conclusion {
        Conclusion::UnsteadyFloors(_) => bail!("{}", sentence(&conclusion)),
        Conclusion::Possible | Conclusion::TooFewRounds => Ok(()),
    }
}

/// Whether something can be concluded, for people.
fn sentence(conclusion: &Conclusion) -> String {
    match conclusion {
        Conclusion::Possible => {
            "The floors were steady: the ratios can be compared with other runs.".to_owned()
        }
        Conclusion::TooFewRounds => {
            format!("Nothing is concluded: a conclusion needs {ROUNDS_FOR_A_CONCLUSION} rounds.")
        }
        Conclusion::UnsteadyFloors(floors) => {
            let name = |(key, variation): &(&str, f64)| format!("{key} by {:.0} %", variation * 100.0);
            format!(
                "Nothing is concluded: between rounds, floors varied by more than {:.0} % ({}). Run it again on a machine \
                 that does nothing else.",
                MAX_FLOOR_VARIATION * 100.0,
                floors.iter().map(name).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_names_the_floors() {
        let text = sentence(&Conclusion::UnsteadyFloors(vec![("floor-redis", 0.314)]));
        assert!(text.contains("floor-redis by 31 %"), "{text}");
    }
}
