//! Which load options are refused before a worker is started: combinations that no machine can do. What depends on the
//! machine, such as the names of its devices, the worker refuses.

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::{Error, Result};

/// Refuses options that are not possible together.
///
/// # Errors
/// `Invalid` names the first one and the reason.
pub(super) fn refuse_unsupported(options: &LoadOptions) -> Result<()> {
    options.validate()?;
    if !options.devices.is_empty() && options.tensor_split.len() > options.devices.len() {
        return Err(Error::invalid(
            "tensor_split",
            format!(
                "has {} shares for {} devices",
                options.tensor_split.len(),
                options.devices.len()
            ),
        ));
    }
    if !options.tensor_split.is_empty() && options.tensor_split.iter().all(|share| *share == 0.0) {
        return Err(Error::invalid(
            "tensor_split",
            "must give at least one device a share",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::{FlashAttention, KvType, RopeOptions, RopeScaling};

    use super::*;

    fn refused(change: impl FnOnce(&mut LoadOptions)) -> Option<String> {
        let mut options = LoadOptions::default();
        change(&mut options);
        refuse_unsupported(&options).err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_not_possible_together_is_refused_with_the_reason() {
        let rope = |freq_base, freq_scale| RopeOptions {
            scaling: RopeScaling::Linear,
            freq_base,
            freq_scale,
            yarn_original_context: 0,
        };
        let devices = || vec!["Vulkan0".to_owned(), "Vulkan1".to_owned()];
        let cases = [
            (refused(|_| ()), None),
            (
                refused(|options| {
                    options.kv_type_v = KvType::Q8_0;
                    options.flash_attention = FlashAttention::Off;
                }),
                Some("kv_type_v is quantised, which needs flash attention."),
            ),
            (
                refused(|options| options.micro_batch_size = options.batch_size + 1),
                Some("micro_batch_size must be from 1 to batch_size."),
            ),
            (
                refused(|options| {
                    options.devices = devices();
                    options.tensor_split = vec![1.0, 1.0];
                }),
                None,
            ),
            (
                refused(|options| {
                    options.devices = devices();
                    options.tensor_split = vec![1.0, 1.0, 1.0];
                }),
                Some("tensor_split has 3 shares for 2 devices."),
            ),
            (
                refused(|options| options.tensor_split = vec![0.0]),
                Some("tensor_split must give at least one device a share."),
            ),
            (
                refused(|options| options.rope = Some(rope(f32::NAN, 0.0))),
                Some("rope must have frequencies of 0 or more."),
            ),
            (
                refused(|options| options.rope = Some(rope(0.0, -1.0))),
                Some("rope must have frequencies of 0 or more."),
            ),
            (refused(|options| options.rope = Some(rope(0.0, 0.0))), None),
        ];
        for (refusal, expected) in cases {
            assert_eq!(refusal.as_deref(), expected);
        }
    }
}
