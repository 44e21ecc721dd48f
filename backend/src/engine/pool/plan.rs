//! Whether a model may be loaded now, what goes for it, and for whom it waits. Pure.

use std::fmt;

use hearth_protocol::ByteSize;
use hearth_protocol::settings::MemoryGuard;

use crate::engine::memory::Memory;

/// A worker that holds memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    /// Its number.
    pub(super) id: u64,
    /// Bytes it takes; `None` where unknown.
    pub(super) need: Option<u64>,
    pub(super) state: HeldState,
}

/// What a worker that holds memory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeldState {
    /// Nothing: its model may go.
    Idle,
    /// It answers.
    Busy,
    /// It takes its memory just now, so that what is free does not show it yet.
    Loading,
    /// It ends.
    Going,
}

/// What models may take. `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Budget {
    /// Bytes for all models together.
    pub(super) limit: Option<u64>,
    /// Bytes that are free on the computer now.
    pub(super) free: Option<u64>,
}

/// What to do about a model that shall be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    /// There is room.
    LoadNow,
    /// There is once these have gone; all of them do nothing.
    UnloadFirst(Vec<u64>),
    /// There will be: this one has to end, or to do nothing, first.
    WaitFor(u64),
    /// There will be none.
    Refuse(Shortage),
}

/// Why there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortage {
    /// All models together may take no more than this.
    Limit { need: u64, limit: u64 },
    /// No more than this can be had beside what other programs use.
    Free { need: u64, room: u64 },
}

/// Decides about a model that needs this many bytes. `held` stands with the least recently used first.
///
/// What is unknown never hinders: a need of `None` is loaded at once, and a held model of unknown size counts nothing.
pub(super) fn plan(held: &[Held], need: Option<u64>, budget: Budget) -> Decision {
    let Some(need) = need else {
        return Decision::LoadNow;
    };
    let fits_without = |gone: &dyn Fn(&Held) -> bool| budget.room(held, gone) >= need;
    if fits_without(&|_| false) {
        return Decision::LoadNow;
    }
    let is_going = |held: &Held| held.state == HeldState::Going;
    if let Some(going) = held.iter().find(|held| is_going(held))
        && fits_without(&is_going)
    {
        return Decision::WaitFor(going.id);
    }
    if let Some(unloaded) = to_unload(held, |unloaded| {
        fits_without(&|held| is_going(held) || unloaded.contains(&held.id))
    }) {
        return Decision::UnloadFirst(unloaded);
    }
    let is_at_work = |held: &&Held| matches!(held.state, HeldState::Busy | HeldState::Loading);
    match held.iter().find(is_at_work) {
        Some(at_work) if fits_without(&|_| true) => Decision::WaitFor(at_work.id),
        _ => Decision::Refuse(budget.shortage(held, need)),
    }
}

/// The idle ones that have to go: the least recently used first, and none that need not.
fn to_unload(held: &[Held], fits_without: impl Fn(&[u64]) -> bool) -> Option<Vec<u64>> {
    let mut unloaded = Vec::new();
    let mut idle = held.iter().filter(|held| held.state == HeldState::Idle);
    while !fits_without(&unloaded) {
        unloaded.push(idle.next()?.id);
    }
    // A small one that went first may not be needed beside the larger one that made the room.
    for place in (0..unloaded.len()).rev() {
        let spared = unloaded.remove(place);
        if !fits_without(&unloaded) {
            unloaded.insert(place, spared);
        }
    }
    Some(unloaded)
}

impl Budget {
    /// What this guard leaves of the memory there is.
    pub(super) fn of(memory: Memory, guard: MemoryGuard) -> Self {
        Self {
            limit: guard.limit(memory.total.map(ByteSize)).map(|limit| limit.0),
            free: memory.free.filter(|_| guard.heeds_free_memory()),
        }
    }

    /// Bytes there would be for one more model, were these gone.
    fn room(self, held: &[Held], gone: &dyn Fn(&Held) -> bool) -> u64 {
        let sum = |counts: &dyn Fn(&Held) -> bool| {
            let needs = held.iter().filter(|held| counts(held));
            needs.fold(0, |sum: u64, held| sum.saturating_add(held.need.unwrap_or(0)))
        };
        let is_loading = |held: &Held| held.state == HeldState::Loading;
        let by_limit = self
            .limit
            .map(|limit| limit.saturating_sub(sum(&|held| !gone(held))));
        let by_free = self.free.map(|free| {
            let freed = sum(&|held| gone(held) && !is_loading(held));
            let promised = sum(&|held| !gone(held) && is_loading(held));
            free.saturating_add(freed).saturating_sub(promised)
        });
        by_limit.unwrap_or(u64::MAX).min(by_free.unwrap_or(u64::MAX))
    }

    fn shortage(self, held: &[Held], need: u64) -> Shortage {
        match self.limit {
            Some(limit) if need > limit => Shortage::Limit { need, limit },
            _ => Shortage::Free {
                need,
                room: self.room(held, &|_| true),
            },
        }
    }
}

impl fmt::Display for Shortage {
    /// The rest of a sentence about the model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit { need, limit } => write!(
                f,
                "it needs about {} and the memory guard leaves {} to all models; choose a smaller model or context, \
                 change the guard in the settings, or load it anyway",
                ByteSize(*need),
                ByteSize(*limit)
            ),
            Self::Free { need, room } => write!(
                f,
                "it needs about {} and other programs leave {}; close some of them, choose a smaller model or \
                 context, or load it anyway",
                ByteSize(*need),
                ByteSize(*room)
            ),
        }
    }
}

#[cfg(test)]
mod tests;
