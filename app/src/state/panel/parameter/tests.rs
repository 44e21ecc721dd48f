//! The numbers against the limits of the protocol, which says what an answer takes.

use hearth_protocol::generate::{Mirostat, MirostatVersion};
use hearth_protocol::settings::Language;

use super::Parameter::*;
use super::*;
use crate::text::Texts;

const ALL: [Parameter; 23] = [
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
];

/// Everything is on that can be.
fn full() -> Effective {
    let mut full = Effective::default();
    XtcProbability.write(&mut full, Some(0.5));
    DryMultiplier.write(&mut full, Some(0.8));
    full.sampling.mirostat = Some(Mirostat {
        version: MirostatVersion::V2,
        tau: 5.0,
        eta: 0.1,
    });
    full
}

#[test]
fn every_number_goes_as_far_as_an_answer_takes_it() {
    for parameter in ALL {
        let shape = parameter.shape();
        let (least, most) = shape.range;
        for value in [least, most] {
            let mut set = full();
            parameter.write(&mut set, Some(value));
            assert_eq!(set.sampling.validate(), Ok(()), "{parameter:?} {value}");
            assert_eq!(set.answer.validate(), Ok(()), "{parameter:?} {value}");
            let off = parameter
                .read(&set)
                .is_none_or(|read| read as f32 == value as f32);
            assert!(off, "{parameter:?} {value} is {:?}", parameter.read(&set));
        }
        if let Some(Slider { from, to, .. }) = shape.slider {
            assert!(least <= from && from < to && to <= most, "{parameter:?}");
        }
        for texts in [Texts::default(), Texts::of(Language::German)] {
            let help = texts.say(shape.help, &[]);
            assert!(help.chars().count() < 90, "{parameter:?}: {help}");
        }
    }
}

#[test]
fn what_lies_beyond_is_refused_before_an_answer_would() {
    // Whole numbers end where no context does; all others where the protocol ends them.
    for parameter in ALL.into_iter().filter(|parameter| !parameter.shape().whole) {
        let (least, most) = parameter.shape().range;
        for beyond in [least - 0.02, most + 0.02] {
            let typed = beyond.to_string();
            assert!(parameter.shape().read(&typed).is_err(), "{parameter:?} {typed}");
            let mut set = full();
            parameter.write(&mut set, Some(beyond));
            let off = matches!(parameter, TopNSigma | XtcProbability | DryMultiplier) && beyond < 0.0;
            assert!(off || set.sampling.validate().is_err(), "{parameter:?} {typed}");
        }
    }
}

#[test]
fn a_number_is_shown_and_read_as_a_person_writes_it() {
    let shown = [
        (Temperature, Some(f64::from(0.8_f32)), "0.80"),
        (Temperature, Some(1.0), "1.00"),
        (TopP, Some(f64::from(0.123_f32)), "0.123"),
        (Presence, Some(-0.5), "-0.50"),
        (MaxTokens, Some(2048.0), "2\u{a0}048"),
        (MaxTokens, None, ""),
        (Seed, Some(4_294_967_295.0), "4294967295"),
    ];
    for (parameter, value, text) in shown {
        assert_eq!(parameter.shape().text(value), text);
    }
    let read = [
        (Temperature, " 0,5 ", Ok(Some(0.5))),
        (Temperature, "5", Ok(Some(5.0))),
        (Temperature, "5.1", Err("It goes from 0 to 5.")),
        (Temperature, "warm", Err("Type a number from 0 to 5.")),
        (Temperature, "", Err("Type a number from 0 to 5.")),
        (Temperature, "inf", Err("Type a number from 0 to 5.")),
        (Presence, "-2", Ok(Some(-2.0))),
        (Presence, "\u{2212}2", Ok(Some(-2.0))),
        (Presence, "-3", Err("It goes from -2 to 2.")),
        (RepeatPenalty, "0", Err("It goes from 0.01 to 10.")),
        (
            TopK,
            "40.5",
            Err("Type a whole number from 0 to 1\u{a0}000\u{a0}000."),
        ),
        (MaxTokens, "2\u{a0}048", Ok(Some(2048.0))),
        (
            MaxTokens,
            "0",
            Err("It goes from 1 to 4\u{a0}294\u{a0}967\u{a0}295."),
        ),
        (MaxTokens, " ", Ok(None)),
        (Seed, "4294967296", Err("It goes from 0 to 4294967295.")),
    ];
    for (parameter, typed, expected) in read {
        let read = parameter.shape().read(typed);
        let read = read.map_err(|problem| problem.words(&Texts::default()));
        assert_eq!(read, expected.map_err(str::to_owned), "{parameter:?} {typed:?}");
    }
}

#[test]
fn what_means_nothing_now_is_not_offered() {
    let plain = fine(&Effective::default());
    let all = fine(&full());
    for parameter in [XtcThreshold, DryBase, DryAllowed, DryLast] {
        assert!(
            !plain.contains(&parameter) && all.contains(&parameter),
            "{parameter:?}"
        );
    }
    let mut off = full();
    DryMultiplier.write(&mut off, Some(0.0));
    XtcProbability.write(&mut off, Some(0.0));
    assert_eq!((off.sampling.dry, off.sampling.xtc), (None, None));
}
