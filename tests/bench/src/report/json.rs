//! The JSON report.

use serde_json::{Value, json};

use crate::{environment::Environment, rounds::Rounds};

pub(super) fn render(rounds: &Rounds, environment: &Environment, conclusion: &str) -> Value {
    let measures: Vec<Value> = rounds
        .measures()
        .map(|(measure, spread)| {
            json!({
                "key": measure.key,
                "title": measure.title,
                "unit": measure.unit.name(),
                "values": rounds.values(measure.key),
                "spread": spread,
                "baseline": measure.baseline,
                "ratio": rounds.ratios(measure),
                "goal": measure.goals.map(|goals| goals.goal),
                "stretch_goal": measure.goals.and_then(|goals| goals.stretch),
            })
        })
        .collect();
    let others = rounds.keys().into_iter().filter(|key| key.contains('/'));
    let others = others
        .map(|key| (key.to_owned(), json!({ "values": rounds.values(key), "spread": rounds.spread(key) })));
    json!({
        "environment": environment,
        "rounds": rounds.len(),
        "conclusion": conclusion,
        "measures": measures,
        "others": others.collect::<serde_json::Map<_, _>>(),
    })
}
