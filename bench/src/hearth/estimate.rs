//! What a load would take, as Hearth tells it.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use hearth_protocol::engine::{EstimateEvent, LoadOptions, ModelRef};

use super::{Hearth, LIMIT};

impl Hearth {
    /// How long it takes until something is known of what a load with these options would take.
    ///
    /// # Errors
    /// Where nothing is told by then.
    pub(crate) fn first_estimate(&self, options: LoadOptions) -> anyhow::Result<Duration> {
        let asked_at = Instant::now();
        let model = ModelRef::Path(self.path.clone());
        let events = self.client.estimate_memory(model, options);
        match events.next_timeout(LIMIT)? {
            Some(EstimateEvent::Rough(_)) => Ok(asked_at.elapsed()),
            other => bail!("the formula does not come first: {other:?}"),
        }
    }

    /// What a load would take, as the engine estimates it: weights, KV cache and compute buffers in main memory.
    ///
    /// # Errors
    /// Where the engine cannot tell.
    pub(crate) fn estimated_bytes(&self) -> anyhow::Result<u64> {
        let model = ModelRef::Path(self.path.clone());
        let events = self.client.estimate_memory(model, self.options.clone());
        let estimate = loop {
            let event = events.next_timeout(LIMIT)?;
            match event.context("the engine does not tell what the load takes")? {
                EstimateEvent::Exact(estimate) => break estimate,
                EstimateEvent::Failed(error) => return Err(error.into()),
                EstimateEvent::Rough(_) => (),
            }
        };
        let mut sum = 0;
        for device in estimate.devices {
            for part in [device.weights, device.kv_cache, device.compute] {
                sum += part
                    .context("the engine does not know all parts of the memory")?
                    .0;
            }
        }
        Ok(sum)
    }
}
