//! The Markdown report: the measures with their ratios, and the processor time of each process.

use std::fmt::Write;

use clap::ValueEnum;

use crate::{
    case::{Case, cpu_key},
    environment::Environment,
    measure::Unit,
    processes,
    rounds::Rounds,
    statistics::Spread,
};

pub(super) fn render(rounds: &Rounds, environment: &Environment, conclusion: &str) -> String {
    let mut text = format!("{environment}\n\n{conclusion}\n");
    let tables = [
        ("", measures(rounds)),
        ("", small_and_large(rounds)),
        ("Seconds of processor time for 1,000 operations (median):\n\n", processor_times(rounds)),
    ];
    for (title, table) in tables.into_iter().filter(|(_, table)| !table.is_empty()) {
        // It cannot fail: a String grows.
        let _ = write!(text, "\n{title}{table}");
    }
    text
}

fn measures(rounds: &Rounds) -> String {
    let mut text = String::new();
    for (measure, spread) in rounds.measures() {
        if text.is_empty() {
            text += "| Measure | Median | Smallest to largest | Unit | Ratio | Smallest to largest | to | Goal | Stretch goal |\n";
            text += "|---|---|---|---|---|---|---|---|---|\n";
        }
        let ratio = rounds.ratios(measure);
        let (median, range) = ratio.map_or_else(Default::default, |ratio| {
            (format!("{:.2}", ratio.median), format!("{:.2} to {:.2}", ratio.min, ratio.max))
        });
        let baseline = if ratio.is_some() { measure.baseline.join(" + ") } else { String::new() };
        let goal = measure.goals.map_or_else(String::new, |goals| goals.goal.to_string());
        let stretch = measure.goals.and_then(|goals| goals.stretch);
        let stretch = stretch.map_or_else(String::new, |stretch| stretch.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {median} | {range} | {baseline} | {goal} | {stretch} |",
            measure.title,
            number(spread.median, measure.unit),
            range_of(&spread, measure.unit),
            measure.unit.name(),
        );
    }
    text
}

/// The figures of `--large`: each was measured with the small and with the large database.
fn small_and_large(rounds: &Rounds) -> String {
    let mut text = String::new();
    for key in rounds.keys() {
        let Some(name) = key.strip_prefix("large/") else { continue };
        let (large, small) = (rounds.spread(key), rounds.spread(&format!("small/{name}")));
        let (Some(large), Some(small)) = (large, small) else { continue };
        if text.is_empty() {
            text = "| Case | Small | Large | Unit | Ratio |\n|---|---|---|---|---|\n".to_owned();
        }
        let unit = if name.ends_with("per second") { Unit::PerSecond } else { Unit::Milliseconds };
        let ratio = if small.median > 0.0 { large.median / small.median } else { 0.0 };
        let (small, large) = (number(small.median, unit), number(large.median, unit));
        let _ = writeln!(text, "| {name} | {small} | {large} | {} | {ratio:.2} |", unit.name());
    }
    text
}

fn processor_times(rounds: &Rounds) -> String {
    let mut text = String::new();
    for case in Case::value_variants() {
        let time = |process| rounds.spread(&cpu_key(*case, process)).map(|time| time.median);
        let Some(load) = time(processes::LOAD) else { continue };
        if text.is_empty() {
            text = format!(
                "| Case | {} | sum | {} |\n|---|{}---|---|\n",
                processes::SITE.join(" | "),
                processes::LOAD,
                "---|".repeat(processes::SITE.len())
            );
        }
        let site = processes::SITE.map(|process| time(process).unwrap_or_default());
        let cells = site.map(|seconds| format!("{seconds:.3}")).join(" | ");
        let sum: f64 = site.iter().sum();
        let _ = writeln!(text, "| {} | {cells} | {sum:.3} | {load:.3} |", case.name());
    }
    text
}

fn range_of(spread: &Spread, unit: Unit) -> String {
    format!("{} to {}", number(spread.min, unit), number(spread.max, unit))
}

/// A number with as many digits as say something.
fn number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Milliseconds if value < 10.0 => format!("{value:.2}"),
        Unit::Milliseconds | Unit::Megabytes => format!("{value:.1}"),
        Unit::PerSecond | Unit::Count => with_thousands(value),
    }
}

fn with_thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    format!("{}{}", if value <= -0.5 { "-" } else { "" }, groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(with_thousands(0.4), "0");
        assert_eq!(with_thousands(999.6), "1,000");
        assert_eq!(with_thousands(1_234_567.0), "1,234,567");
        assert_eq!(with_thousands(-12_345.0), "-12,345");
    }
}
