//! What a load will take, reckoned from the file's header in a few milliseconds: for whoever moves a slider.

#[cfg(test)]
mod tests;

use hearth_protocol::ByteSize;
use hearth_protocol::engine::{Device, DeviceEstimate, DeviceKind, GpuLayers, LoadOptions, MemoryEstimate};

use super::CARD_MARGIN;
use crate::library::estimate::{Facts, context_room, quick_estimate};

/// Reckons a load on these devices of a file of so many bytes; `None` where the header does not tell all of it.
pub(super) fn rough(
    facts: &Facts,
    file_bytes: u64,
    options: &LoadOptions,
    known: &[Device],
) -> Option<MemoryEstimate> {
    let weights = facts.weights.unwrap_or(file_bytes);
    let processor = known.iter().find(|device| device.kind == DeviceKind::Cpu)?;
    let cards = cards(known, options);
    let free = match &cards[..] {
        [] => processor.memory_free.map(|free| context_room(free.0, weights)),
        cards => Some(
            cards
                .iter()
                .map(|card| card.room)
                .sum::<u64>()
                .saturating_sub(weights),
        ),
    };
    let whole = quick_estimate(facts, options, free);
    let layers = facts.layers()?.checked_add(1)?;
    let (kv, compute) = (whole.kv?, whole.compute?);
    let on_cards = layers_on(&cards, options, layers, weights.saturating_add(kv));
    let share = f64::from(on_cards) / f64::from(layers);
    let part = |bytes: u64, share: f64| (bytes as f64 * share) as u64;
    let kv_share = if options.kv_on_cpu { 0.0 } else { share };

    let mut devices: Vec<DeviceEstimate> = Vec::with_capacity(cards.len() + 1);
    if on_cards > 0 {
        devices.extend(cards.iter().map(|card| {
            let weights = part(weights, share * card.share);
            let kv = part(kv, kv_share * card.share);
            row(card.device, [weights, kv, compute])
        }));
    }
    // Where cards compute, the processor's buffers are small.
    let buffers = if on_cards == layers { 0 } else { compute };
    devices.push(row(
        processor,
        [part(weights, 1.0 - share), part(kv, 1.0 - kv_share), buffers],
    ));
    Some(MemoryEstimate {
        context_length: whole.context_length,
        gpu_layers: (on_cards, layers),
        fits: fit(&devices),
        devices,
    })
}

/// Whether what is wanted of each device is free on it; `None` where either is unknown.
pub(super) fn fit(devices: &[DeviceEstimate]) -> Option<bool> {
    let fits = |row: &DeviceEstimate| {
        let wanted = [row.weights?, row.kv_cache?, row.compute?];
        let wanted = wanted.iter().fold(0_u64, |sum, part| sum.saturating_add(part.0));
        Some(wanted <= row.free?.0)
    };
    devices
        .iter()
        .map(fits)
        .try_fold(true, |all, fits| Some(all && fits?))
}

/// A graphics card that takes part.
struct Card<'a> {
    device: &'a Device,
    /// Bytes it has for a model.
    room: u64,
    /// Its share of what the cards take, from 0.0 to 1.0.
    share: f64,
}

/// The cards that the options choose, with their shares: as they say, else by their room.
fn cards<'a>(known: &'a [Device], options: &LoadOptions) -> Vec<Card<'a>> {
    let is_chosen = |device: &&Device| {
        device.kind != DeviceKind::Cpu
            && (options.devices.is_empty() || options.devices.contains(&device.name))
    };
    let mut cards: Vec<Card<'a>> = known
        .iter()
        .filter(is_chosen)
        .map(|device| Card {
            device,
            room: device
                .memory_free
                .map_or(0, |free| free.0.saturating_sub(CARD_MARGIN)),
            share: 0.0,
        })
        .collect();
    let weight = |index: usize, card: &Card<'_>| match options.tensor_split.get(index) {
        Some(share) => f64::from(*share),
        None if options.tensor_split.is_empty() => card.room as f64,
        None => 0.0,
    };
    let weights: Vec<f64> = cards
        .iter()
        .enumerate()
        .map(|(index, card)| weight(index, card))
        .collect();
    let all: f64 = weights.iter().sum();
    for (card, weight) in cards.iter_mut().zip(weights) {
        card.share = if all > 0.0 { weight / all } else { 0.0 };
    }
    cards
}

/// Layers that go to the cards, of a model that takes so many bytes.
fn layers_on(cards: &[Card<'_>], options: &LoadOptions, layers: u32, bytes: u64) -> u32 {
    if cards.is_empty() {
        return 0;
    }
    match options.gpu_layers {
        GpuLayers::All => layers,
        GpuLayers::Count(count) => count.min(layers),
        GpuLayers::Auto => {
            let room: u64 = cards.iter().map(|card| card.room).sum();
            let each = (bytes / u64::from(layers)).max(1);
            u32::try_from(room / each).map_or(layers, |count| count.min(layers))
        }
    }
}

fn row(device: &Device, [weights, kv_cache, compute]: [u64; 3]) -> DeviceEstimate {
    DeviceEstimate {
        device: device.name.clone(),
        weights: Some(ByteSize(weights)),
        kv_cache: Some(ByteSize(kv_cache)),
        compute: Some(ByteSize(compute)),
        free: device.memory_free,
    }
}
