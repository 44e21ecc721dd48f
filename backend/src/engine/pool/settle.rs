//! Brings planned models into memory: which may begin, what goes for them, and which wait.

use std::path::Path;

use hearth_protocol::generate::StopReason;
use hearth_protocol::{Error, Result};
use tokio::time::Instant;

use super::plan::{Budget, Decision, Held, plan};
use super::slot::{Loading, Planned, Size, Slot};
use super::wish::Wish;
use super::{Message, Pool, QUEUE_LENGTH, busy};
use crate::engine::ipc::{KvStorePlace, Request};
use crate::engine::tell;

impl Pool {
    /// Notes a model that shall be loaded, and has its size estimated.
    pub(super) fn plan_load(&mut self, wish: Wish) {
        let is_planned = |slot: &&Slot| matches!(slot, Slot::Planned(_));
        if self.slots.values().filter(is_planned).count() >= QUEUE_LENGTH {
            return wish.fail(busy("too many models wait to be loaded; try again later".into()));
        }
        let number = self.next_number();
        let planned = Planned::new(wish);
        let (file, options) = (planned.file.clone(), planned.options.clone());
        self.slots.insert(number, Slot::Planned(planned));

        let (estimate, sender) = (self.setup.estimate.clone(), self.sender.clone());
        tokio::spawn(async move {
            let estimated = tokio::task::spawn_blocking(move || estimate(&file, &options)).await;
            let need = estimated.unwrap_or_else(|error| {
                tracing::error!(%error, "the estimate of a model's memory failed");
                None
            });
            let need = need.map(|need| need.0);
            tell(&sender, Message::Estimated { slot: number, need });
        });
    }

    pub(super) fn take_estimate(&mut self, slot: u64, need: Option<u64>) {
        if let Some(Slot::Planned(planned)) = self.slots.get_mut(&slot) {
            planned.size = Size::Estimated(need);
        }
        self.settle();
    }

    /// Begins the planned loads that may begin, the longest planned first. One that waits for memory holds up those
    /// behind it, so that it is not passed by for ever.
    pub(super) fn settle(&mut self) {
        let mut held_up = false;
        let planned: Vec<u64> = self
            .slots
            .iter()
            .filter_map(|(number, slot)| matches!(slot, Slot::Planned(_)).then_some(*number))
            .collect();
        for number in planned {
            held_up |= self.settle_one(number, held_up);
        }
    }

    /// Gives whether this load waits for memory.
    fn settle_one(&mut self, number: u64, held_up: bool) -> bool {
        let Some(Slot::Planned(planned)) = self.slots.get(&number) else {
            return false;
        };
        let (Size::Estimated(need), forced) = (planned.size, planned.is_forced()) else {
            return false;
        };
        let path = &planned.file.path;
        if self.slots.values().any(|slot| slot.gives_up(path)) {
            // A file is in memory once; its end is waited for whatever else there is.
            return false;
        }
        if held_up && !forced {
            return true;
        }
        let mut budget = Budget::of((self.setup.memory)(), self.limits.guard);
        if planned.room_made {
            budget.free = None;
        }
        let decision = plan(&self.held(), need, budget);
        tracing::debug!(number, need, ?budget, ?decision, "a model shall be loaded");
        match decision {
            Decision::LoadNow => self.begin_loading(number),
            Decision::UnloadFirst(idle) => {
                if let Some(Slot::Planned(planned)) = self.slots.get_mut(&number) {
                    planned.room_made = true;
                }
                for idle in idle {
                    tracing::info!(number = idle, "a model that does nothing makes room");
                    self.end_model(idle, StopReason::ModelEjected);
                }
                return true;
            }
            Decision::WaitFor(going) if self.is_going(going) => return true,
            Decision::WaitFor(_) | Decision::Refuse(_) if forced => {
                tracing::warn!(number, ?decision, "a model is loaded although memory is short");
                self.begin_loading(number);
            }
            Decision::WaitFor(at_work) => return self.wait_for(number, at_work),
            Decision::Refuse(shortage) => {
                if let Some(Slot::Planned(planned)) = self.slots.remove(&number) {
                    let error = Error::MemoryShort {
                        model: planned.file.name.clone(),
                        reason: shortage.to_string(),
                    };
                    planned.fail(&error);
                }
            }
        }
        false
    }

    /// Lets the answers wait that need this model. Who loads it by hand is told at once what is in the way.
    fn wait_for(&mut self, number: u64, at_work: u64) -> bool {
        let in_the_way = match self.slots.get(&at_work) {
            Some(Slot::Ready(ready)) => Some(ready.file.name.clone()),
            // One that loads will soon do nothing.
            _ => None,
        };
        let (Some(Slot::Planned(planned)), Some(name)) = (self.slots.get_mut(&number), in_the_way) else {
            return true;
        };
        for wish in planned.take_loads() {
            wish.fail(busy(format!(
                "{name} is at work and there is no memory for both; wait for its end, stop it, or load \
                 anyway"
            )));
        }
        if planned.wishes.is_empty() {
            self.slots.remove(&number);
            return false;
        }
        true
    }

    fn is_going(&self, number: u64) -> bool {
        self.slots.get(&number).is_some_and(Slot::is_going)
    }

    /// What takes memory, the least recently used first.
    fn held(&self) -> Vec<Held> {
        let last_used = |slot: &Slot| match slot {
            Slot::Ready(ready) => Some(ready.since()),
            _ => None::<Instant>,
        };
        let mut held: Vec<_> = self
            .slots
            .iter()
            .filter_map(|(number, slot)| Some((last_used(slot), slot.held(*number)?)))
            .collect();
        // Stable: what was used at the same moment stays in the order of loading.
        held.sort_by_key(|(last_used, _)| *last_used);
        held.into_iter().map(|(_, held)| held).collect()
    }

    fn kv_store(&self) -> Option<KvStorePlace> {
        let limit = self.limits.kv_store;
        let folder = self.setup.kv_folder.clone().filter(|_| limit.0 > 0)?;
        Some(KvStorePlace { folder, limit })
    }

    fn begin_loading(&mut self, number: u64) {
        let Some(Slot::Planned(planned)) = self.slots.remove(&number) else {
            return;
        };
        let path = match text_of(&planned.file.path) {
            Ok(path) => path,
            Err(error) => return planned.fail(&error),
        };
        match self.start_worker(number) {
            Ok(worker) => {
                worker.ask(Request::Load {
                    path,
                    options: Box::new(planned.options.clone()),
                    kv_store: self.kv_store(),
                });
                let loading = Loading::new(planned, worker);
                self.slots.insert(number, Slot::Loading(loading));
            }
            Err(error) => planned.fail(&error),
        }
    }
}

/// A path as the text that workers are told.
///
/// # Errors
/// `BadModelFile` where it is none.
pub(super) fn text_of(path: &Path) -> Result<String> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| Error::BadModelFile {
            file: path.display().to_string(),
            reason: "its path is not Unicode text; rename or move it".into(),
        })
}
