//! Which load options this engine honours. What it does not honour it refuses: an option that is silently
//! passed over would be a lie.

use hearth_protocol::engine::{LoadOptions, SplitMode};
use hearth_protocol::{Error, Result};

/// Refuses options that the engine does not honour yet.
///
/// # Errors
/// `NotYet` names the first one, as `load option …`; `Invalid` names a number that is none.
pub(super) fn refuse_unsupported(options: &LoadOptions) -> Result<()> {
    let unsupported = [
        ("devices", !options.devices.is_empty()),
        ("split_mode", options.split_mode != SplitMode::Layer),
        ("tensor_split", !options.tensor_split.is_empty()),
        ("moe_layers_on_cpu", options.moe_layers_on_cpu > 0),
        ("lora", !options.lora.is_empty()),
    ];
    if let Some((name, _)) = unsupported.into_iter().find(|(_, wanted)| *wanted) {
        return Err(Error::not_yet(&format!("load option {name}")));
    }
    let finite = options
        .rope
        .is_none_or(|rope| rope.freq_base.is_finite() && rope.freq_scale.is_finite());
    if finite {
        Ok(())
    } else {
        Err(Error::invalid("rope", "must have finite frequencies"))
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::{LoraAdapter, RopeOptions, RopeScaling};

    use super::*;

    fn refused(change: impl FnOnce(&mut LoadOptions)) -> Option<String> {
        let mut options = LoadOptions::default();
        change(&mut options);
        match refuse_unsupported(&options) {
            Ok(()) => None,
            Err(Error::NotYet { command }) => Some(command),
            Err(error) => Some(error.to_string()),
        }
    }

    #[test]
    fn each_option_that_is_not_honoured_is_refused_by_name() {
        let lora = LoraAdapter {
            path: "a.gguf".into(),
            scale: 1.0,
        };
        let cases = [
            (refused(|_| ()), None),
            (refused(|options| options.mlock = true), None),
            (
                refused(|options| options.devices = vec!["CPU".into()]),
                Some("load option devices"),
            ),
            (
                refused(|options| options.split_mode = SplitMode::Row),
                Some("load option split_mode"),
            ),
            (
                refused(|options| options.tensor_split = vec![1.0]),
                Some("load option tensor_split"),
            ),
            (
                refused(|options| options.moe_layers_on_cpu = 1),
                Some("load option moe_layers_on_cpu"),
            ),
            (
                refused(|options| options.lora = vec![lora]),
                Some("load option lora"),
            ),
        ];
        for (refusal, expected) in cases {
            assert_eq!(refusal.as_deref(), expected);
        }
    }

    #[test]
    fn a_frequency_that_is_no_number_is_refused() {
        let rope = RopeOptions {
            scaling: RopeScaling::Linear,
            freq_base: f32::NAN,
            freq_scale: 0.0,
            yarn_original_context: 0,
        };
        assert!(refused(|options| options.rope = Some(rope)).is_some());
    }
}
