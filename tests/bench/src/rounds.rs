//! The values of all measures in all rounds, and what follows from them.

use std::collections::BTreeMap;

use crate::{
    floor::Floor,
    measure::{MEASURES, Measure},
    statistics::Spread,
};

/// The largest variation of a floor between rounds. Above it the machine was not steady enough to compare with.
pub(crate) const MAX_FLOOR_VARIATION: f64 = 0.25;

/// The number of rounds that a conclusion needs.
pub(crate) const ROUNDS_FOR_A_CONCLUSION: usize = 5;

/// The values of one round by the key of their measure.
pub(crate) type Round = BTreeMap<String, f64>;

/// All finished rounds.
#[derive(Debug, Default)]
pub(crate) struct Rounds(Vec<Round>);

/// Whether the figures allow a conclusion.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Conclusion {
    Possible,
    /// There were fewer rounds than a conclusion needs.
    TooFewRounds,
    /// These floors varied too much: their keys and variations.
    UnsteadyFloors(Vec<(&'static str, f64)>),
}

impl Rounds {
    pub(crate) fn push(&mut self, round: Round) {
        self.0.push(round);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All keys in alphabetical order.
    pub(crate) fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = self.0.iter().flat_map(|round| round.keys().map(String::as_str)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The values of a measure in the rounds that have one.
    pub(crate) fn values(&self, key: &str) -> Vec<f64> {
        self.0.iter().filter_map(|round| round.get(key).copied()).collect()
    }

    /// The spread of a measure. None when no round has it.
    pub(crate) fn spread(&self, key: &str) -> Option<Spread> {
        Spread::of(&self.values(key))
    }

    /// The ratios of a measure to its baseline, each within one round, so that a slow minute of the machine changes both.
    pub(crate) fn ratios(&self, measure: &Measure) -> Option<Spread> {
        let ratio = |round: &Round| {
            let parts = measure.baseline.iter().map(|key| round.get(*key).copied());
            let baseline = parts.sum::<Option<f64>>().filter(|baseline| *baseline > 0.0)?;
            Some(round.get(measure.key)? / baseline)
        };
        let ratios: Vec<f64> = self.0.iter().filter_map(ratio).collect();
        Spread::of(&ratios)
    }

    pub(crate) fn conclusion(&self) -> Conclusion {
        let variation = |floor: &Floor| {
            let variation = self.spread(floor.key())?.variation();
            (variation > MAX_FLOOR_VARIATION).then_some((floor.key(), variation))
        };
        let unsteady: Vec<_> = Floor::COMPARED.iter().filter_map(variation).collect();
        if !unsteady.is_empty() {
            Conclusion::UnsteadyFloors(unsteady)
        } else if self.len() < ROUNDS_FOR_A_CONCLUSION {
            Conclusion::TooFewRounds
        } else {
            Conclusion::Possible
        }
    }

    /// The measures that have values, in the order of the report.
    pub(crate) fn measures(&self) -> impl Iterator<Item = (&'static Measure, Spread)> {
        MEASURES.iter().filter_map(|measure| Some((measure, self.spread(measure.key)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Unit;

    fn rounds(key: &str, values: &[f64]) -> Rounds {
        Rounds(values.iter().map(|value| Round::from([(key.to_owned(), *value)])).collect())
    }

    #[test]
    fn ratio_is_taken_within_each_round_and_sums_the_baseline() {
        let round = |floors: [f64; 2], value: f64| {
            Round::from([
                ("a".to_owned(), floors[0]),
                ("b".to_owned(), floors[1]),
                ("measured".to_owned(), value),
            ])
        };
        // The machine was twice as slow in the second round.
        let rounds = Rounds(vec![round([1.0, 3.0], 8.0), round([2.0, 6.0], 16.0)]);
        let measure = Measure {
            key: "measured",
            title: "",
            unit: Unit::Milliseconds,
            baseline: &["a", "b"],
            goals: None,
        };
        assert_eq!(rounds.ratios(&measure), Some(Spread { median: 2.0, min: 2.0, max: 2.0 }));
    }

    #[test]
    fn measure_without_its_floor_has_no_ratio() {
        let measure =
            Measure { key: "a", title: "", unit: Unit::PerSecond, baseline: &["missing"], goals: None };
        assert_eq!(rounds("a", &[1.0]).ratios(&measure), None);
    }

    #[test]
    fn floor_that_varies_refuses_the_conclusion() {
        let key = Floor::Redis.key();
        assert_eq!(rounds(key, &[100.0, 100.0, 90.0, 110.0, 100.0]).conclusion(), Conclusion::Possible);
        let Conclusion::UnsteadyFloors(unsteady) =
            rounds(key, &[100.0, 100.0, 80.0, 110.0, 100.0]).conclusion()
        else {
            panic!("a variation of 30 % was accepted")
        };
        assert_eq!(unsteady[0].0, key);
    }

    #[test]
    fn short_run_concludes_nothing() {
        assert_eq!(rounds(Floor::Http.key(), &[100.0; 4]).conclusion(), Conclusion::TooFewRounds);
    }
}
