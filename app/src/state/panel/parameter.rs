//! The numbers of the panel: what each is called, what it does, how far it goes, and where its value stands.

use hearth_protocol::generate::{Dry, Xtc};

use super::effective::Effective;
use crate::state::number::{Shape, Slider};
use crate::text::{Key, key};

/// Threshold of XTC where only its probability was set (llama.cpp).
const XTC_THRESHOLD: f32 = 0.1;
/// DRY where only its strength was set (llama.cpp).
const DRY_BASE: f32 = 1.75;
const DRY_ALLOWED: u32 = 2;
const DRY_BREAKERS: [&str; 4] = ["\n", ":", "\"", "*"];

/// Most tokens that a penalty looks back, which is more than any context.
const MOST_LAST: f64 = 10_000_000.0;

/// A number of the panel. [`Parameter::shape`] says of each what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Parameter {
    Temperature,
    TopP,
    TopK,
    MinP,
    RepeatPenalty,
    RepeatLast,
    Presence,
    Frequency,
    Typical,
    TopNSigma,
    XtcProbability,
    XtcThreshold,
    DryMultiplier,
    DryBase,
    DryAllowed,
    DryLast,
    DynamicRange,
    DynamicExponent,
    MirostatTau,
    MirostatEta,
    Seed,
    MaxTokens,
    ThinkingBudget,
}

/// Those that most people change.
pub(crate) const MAIN: [Parameter; 5] = [
    Parameter::Temperature,
    Parameter::TopP,
    Parameter::TopK,
    Parameter::MinP,
    Parameter::RepeatPenalty,
];

const fn slid(label: Key, help: Key, most: f64, (from, to): (f64, f64)) -> Shape {
    Shape {
        label,
        help,
        range: (0.0, most),
        slider: Some(Slider {
            from,
            to,
            rooted: false,
        }),
        step: 0.01,
        whole: false,
        grouped: false,
        empty: None,
    }
}

impl Parameter {
    /// What it is like.
    pub(crate) const fn shape(self) -> Shape {
        const UNIT: (f64, f64) = (0.0, 1.0);
        match self {
            Self::Temperature => Shape {
                step: 0.05,
                ..slid(
                    key!("number-temperature"),
                    key!("number-temperature-help"),
                    5.0,
                    (0.0, 2.0),
                )
            },
            Self::TopP => slid(key!("number-top-p"), key!("number-top-p-help"), 1.0, UNIT),
            Self::TopK => Shape {
                slider: Some(Slider {
                    from: 0.0,
                    to: 100.0,
                    rooted: false,
                }),
                ..Shape::counted(
                    key!("number-top-k"),
                    key!("number-top-k-help"),
                    (0.0, 1_000_000.0),
                )
            },
            Self::MinP => slid(key!("number-min-p"), key!("number-min-p-help"), 1.0, UNIT),
            Self::RepeatPenalty => Shape {
                range: (0.01, 10.0),
                ..slid(
                    key!("number-repeat-penalty"),
                    key!("number-repeat-penalty-help"),
                    10.0,
                    (1.0, 2.0),
                )
            },
            Self::RepeatLast => Shape::counted(
                key!("number-repeat-last"),
                key!("number-repeat-last-help"),
                (0.0, MOST_LAST),
            ),
            Self::Presence => Shape {
                range: (-2.0, 2.0),
                ..slid(
                    key!("number-presence"),
                    key!("number-presence-help"),
                    2.0,
                    (-2.0, 2.0),
                )
            },
            Self::Frequency => Shape {
                range: (-2.0, 2.0),
                ..slid(
                    key!("number-frequency"),
                    key!("number-frequency-help"),
                    2.0,
                    (-2.0, 2.0),
                )
            },
            Self::Typical => slid(key!("number-typical"), key!("number-typical-help"), 1.0, UNIT),
            Self::TopNSigma => slid(
                key!("number-top-n-sigma"),
                key!("number-top-n-sigma-help"),
                100.0,
                (0.0, 5.0),
            ),
            Self::XtcProbability => slid(
                key!("number-xtc-probability"),
                key!("number-xtc-probability-help"),
                1.0,
                UNIT,
            ),
            Self::XtcThreshold => slid(
                key!("number-xtc-threshold"),
                key!("number-xtc-threshold-help"),
                1.0,
                (0.0, 0.5),
            ),
            Self::DryMultiplier => slid(
                key!("number-dry-multiplier"),
                key!("number-dry-multiplier-help"),
                100.0,
                (0.0, 2.0),
            ),
            Self::DryBase => Shape {
                range: (1.0, 100.0),
                ..slid(
                    key!("number-dry-base"),
                    key!("number-dry-base-help"),
                    100.0,
                    (1.0, 4.0),
                )
            },
            Self::DryAllowed => Shape::counted(
                key!("number-dry-allowed"),
                key!("number-dry-allowed-help"),
                (0.0, 10_000.0),
            ),
            Self::DryLast => Shape {
                empty: Some(key!("number-empty-all")),
                ..Shape::counted(
                    key!("number-dry-last"),
                    key!("number-dry-last-help"),
                    (1.0, MOST_LAST),
                )
            },
            Self::DynamicRange => slid(
                key!("number-dynamic-range"),
                key!("number-dynamic-range-help"),
                5.0,
                (0.0, 2.0),
            ),
            Self::DynamicExponent => slid(
                key!("number-dynamic-exponent"),
                key!("number-dynamic-exponent-help"),
                10.0,
                (0.0, 5.0),
            ),
            Self::MirostatTau => Shape {
                step: 0.1,
                ..slid(
                    key!("number-mirostat-tau"),
                    key!("number-mirostat-tau-help"),
                    100.0,
                    (0.0, 10.0),
                )
            },
            Self::MirostatEta => slid(
                key!("number-mirostat-eta"),
                key!("number-mirostat-eta-help"),
                1.0,
                UNIT,
            ),
            Self::Seed => Shape {
                grouped: false,
                empty: Some(key!("number-empty-random")),
                ..Shape::counted(
                    key!("number-seed"),
                    key!("number-seed-help"),
                    (0.0, u32::MAX as f64),
                )
            },
            Self::MaxTokens => Shape {
                step: 64.0,
                empty: Some(key!("number-empty-no-limit")),
                ..Shape::counted(
                    key!("number-max-tokens"),
                    key!("number-max-tokens-help"),
                    (1.0, u32::MAX as f64),
                )
            },
            Self::ThinkingBudget => Shape {
                step: 64.0,
                empty: Some(key!("number-empty-no-limit")),
                ..Shape::counted(
                    key!("number-thinking-budget"),
                    key!("number-thinking-budget-help"),
                    (0.0, u32::MAX as f64),
                )
            },
        }
    }

    /// Its name among the elements of the window.
    pub(crate) fn name(self) -> &'static str {
        let key = self.shape().label.0;
        key.strip_prefix("number-").unwrap_or(key)
    }

    /// Whether it is a part of how tokens are chosen; else of what the answer shall be like.
    pub(crate) const fn is_sampling(self) -> bool {
        !matches!(self, Self::ThinkingBudget)
    }

    /// Its value; `None` where there is none.
    pub(crate) fn read(self, from: &Effective) -> Option<f64> {
        let sampling = &from.sampling;
        let dry = sampling.dry.as_ref();
        let mirostat = sampling.mirostat.as_ref();
        Some(match self {
            Self::Temperature => sampling.temperature.into(),
            Self::TopP => sampling.top_p.into(),
            Self::TopK => sampling.top_k.into(),
            Self::MinP => sampling.min_p.into(),
            Self::RepeatPenalty => sampling.repeat_penalty.into(),
            Self::RepeatLast => sampling.repeat_last_n.into(),
            Self::Presence => sampling.presence_penalty.into(),
            Self::Frequency => sampling.frequency_penalty.into(),
            Self::Typical => sampling.typical_p.into(),
            Self::TopNSigma => sampling.top_n_sigma.unwrap_or(0.0).into(),
            Self::XtcProbability => sampling.xtc.map_or(0.0, |xtc| xtc.probability).into(),
            Self::XtcThreshold => sampling.xtc.map_or(XTC_THRESHOLD, |xtc| xtc.threshold).into(),
            Self::DryMultiplier => dry.map_or(0.0, |dry| dry.multiplier).into(),
            Self::DryBase => dry.map_or(DRY_BASE, |dry| dry.base).into(),
            Self::DryAllowed => dry.map_or(DRY_ALLOWED, |dry| dry.allowed_length).into(),
            Self::DryLast => dry?.last_n?.into(),
            Self::DynamicRange => sampling.dynamic_temperature_range.into(),
            Self::DynamicExponent => sampling.dynamic_temperature_exponent.into(),
            Self::MirostatTau => mirostat?.tau.into(),
            Self::MirostatEta => mirostat?.eta.into(),
            Self::Seed => sampling.seed?.into(),
            Self::MaxTokens => sampling.max_tokens?.into(),
            Self::ThinkingBudget => from.answer.reasoning.budget?.into(),
        })
    }

    /// Sets its value, which is within its range.
    pub(crate) fn write(self, to: &mut Effective, value: Option<f64>) {
        let number = value.unwrap_or_default();
        let real = number as f32;
        // Within the range, which ends before these numbers do.
        let whole = number.round() as u32;
        let optional = value.map(|_| whole);
        let sampling = &mut to.sampling;
        match self {
            Self::Temperature => sampling.temperature = real,
            Self::TopP => sampling.top_p = real,
            Self::TopK => sampling.top_k = whole,
            Self::MinP => sampling.min_p = real,
            Self::RepeatPenalty => sampling.repeat_penalty = real,
            Self::RepeatLast => sampling.repeat_last_n = whole,
            Self::Presence => sampling.presence_penalty = real,
            Self::Frequency => sampling.frequency_penalty = real,
            Self::Typical => sampling.typical_p = real,
            Self::TopNSigma => sampling.top_n_sigma = (real > 0.0).then_some(real),
            Self::XtcProbability => {
                let threshold = sampling.xtc.map_or(XTC_THRESHOLD, |xtc| xtc.threshold);
                let probability = real;
                sampling.xtc = (real > 0.0).then_some(Xtc {
                    probability,
                    threshold,
                });
            }
            Self::XtcThreshold => {
                if let Some(xtc) = &mut sampling.xtc {
                    xtc.threshold = real;
                }
            }
            Self::DryMultiplier if real > 0.0 => sampling.dry.get_or_insert_with(usual_dry).multiplier = real,
            Self::DryMultiplier => sampling.dry = None,
            Self::DryBase | Self::DryAllowed | Self::DryLast => {
                if let Some(dry) = &mut sampling.dry {
                    match self {
                        Self::DryBase => dry.base = real,
                        Self::DryAllowed => dry.allowed_length = whole,
                        _ => dry.last_n = optional,
                    }
                }
            }
            Self::DynamicRange => sampling.dynamic_temperature_range = real,
            Self::DynamicExponent => sampling.dynamic_temperature_exponent = real,
            Self::MirostatTau | Self::MirostatEta => {
                if let Some(mirostat) = &mut sampling.mirostat {
                    match self {
                        Self::MirostatTau => mirostat.tau = real,
                        _ => mirostat.eta = real,
                    }
                }
            }
            Self::Seed => sampling.seed = optional,
            Self::MaxTokens => sampling.max_tokens = optional,
            Self::ThinkingBudget => to.answer.reasoning.budget = optional,
        }
    }
}

fn usual_dry() -> Dry {
    Dry {
        multiplier: 0.0,
        base: DRY_BASE,
        allowed_length: DRY_ALLOWED,
        last_n: None,
        sequence_breakers: DRY_BREAKERS.map(str::to_owned).to_vec(),
    }
}

/// The rest of how tokens are chosen: those that mean something as it is set now.
pub(crate) fn fine(now: &Effective) -> Vec<Parameter> {
    use Parameter::*;
    let mut all = vec![RepeatLast, Presence, Frequency, Typical, TopNSigma, DynamicRange];
    all.extend((now.sampling.dynamic_temperature_range > 0.0).then_some(DynamicExponent));
    all.push(XtcProbability);
    all.extend(now.sampling.xtc.map(|_| XtcThreshold));
    all.push(DryMultiplier);
    if now.sampling.dry.is_some() {
        all.extend([DryBase, DryAllowed, DryLast]);
    }
    all
}

#[cfg(test)]
mod tests;
