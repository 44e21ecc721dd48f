//! Figures of several rounds: median, spread, percentile, and the ratio of two sides round by round.

use serde::{Deserialize, Serialize};

/// What the two sides of one round gave. `theirs` is `None` where there is no peer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair {
    /// Hearth's figure.
    pub(crate) ours: f64,
    /// The figure it is held against.
    pub(crate) theirs: Option<f64>,
}

/// The middle of some figures and their ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// The wanted figure: the median, or a percentile.
    pub(crate) figure: f64,
    /// The lowest.
    pub(crate) low: f64,
    /// The highest.
    pub(crate) high: f64,
}

/// Which figure of several rounds counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Summary {
    /// The median.
    Median,
    /// The 95th percentile.
    P95,
}

impl Summary {
    /// The figure of these rounds; `None` where there are none.
    pub(crate) fn of(self, values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (low, high) = (*values.first()?, *values.last()?);
        let figure = match self {
            Self::Median => {
                let half = values.len() / 2;
                if values.len() % 2 == 1 {
                    values[half]
                } else {
                    (values[half - 1] + values[half]) / 2.0
                }
            }
            // The nearest rank: the lowest figure that 95 % of them do not exceed.
            Self::P95 => values[(values.len() * 95).div_ceil(100).max(1) - 1],
        };
        Some(Spread { figure, low, high })
    }
}

/// Ours through theirs, round by round, so that a machine that becomes slower or faster meanwhile changes little.
pub(crate) fn ratios(pairs: &[Pair]) -> impl Iterator<Item = f64> {
    pairs
        .iter()
        .filter_map(|pair| pair.theirs.map(|theirs| pair.ours / theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two_middles() {
        let cases: [(&[f64], f64, f64, f64); 3] = [
            (&[3.0], 3.0, 3.0, 3.0),
            (&[5.0, 1.0, 2.0], 2.0, 1.0, 5.0),
            (&[4.0, 1.0, 2.0, 9.0], 3.0, 1.0, 9.0),
        ];
        for (values, figure, low, high) in cases {
            let spread = Summary::Median.of(values.iter().copied());
            assert_eq!(spread, Some(Spread { figure, low, high }));
        }
        assert_eq!(Summary::Median.of([]), None);
    }

    #[test]
    fn the_95th_percentile_of_twenty_is_the_second_highest() {
        let p95 = |count: u32| {
            let spread = Summary::P95.of((1..=count).map(f64::from));
            spread.map(|spread| spread.figure)
        };
        assert_eq!(p95(20), Some(19.0));
        assert_eq!(p95(1), Some(1.0));
        assert_eq!(p95(100), Some(95.0));
    }

    #[test]
    fn a_ratio_is_made_within_a_round() {
        let pair = |ours, theirs| Pair { ours, theirs };
        let pairs = [pair(1.0, Some(2.0)), pair(8.0, Some(4.0)), pair(1.0, None)];
        assert_eq!(ratios(&pairs).collect::<Vec<_>>(), [0.5, 2.0]);
    }
}
