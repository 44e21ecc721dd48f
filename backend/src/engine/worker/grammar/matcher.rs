//! Follows a text through a grammar, byte by byte.
//!
//! Where the text may stand is a set of stacks: each holds what is still to come. Stacks are shared lists, so that a
//! set is a list of numbers, and what a byte makes of a set is remembered: most steps are one look into a table.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use super::rules::{Op, Place, ROOT, Rules};

/// Most stacks that a text may be in at once. A grammar that comes to more is ambiguous beyond use: each byte would
/// make more of them.
const MOST_STACKS: usize = 20_000;

/// Sets that are remembered, 1 KiB each, before all are forgotten.
const MOST_SETS: usize = 4096;

/// Stacks that are remembered, 24 bytes each, before all are forgotten.
const MOST_NODES: usize = 1 << 20;

/// What no text leads to.
const NOWHERE: u32 = 0;

/// Not looked at yet.
const UNKNOWN: u32 = u32::MAX;

/// The empty stack: nothing is to come, and the text is whole.
const WHOLE: u32 = 0;

/// A set of stacks, by its number.
type Position = u32;

/// What a text may go on with.
pub(super) struct Matcher {
    rules: Arc<Rules>,
    /// Each stack as its top and the stack below; the first stands for the empty one.
    nodes: Vec<(Place, u32)>,
    node_ids: HashMap<(Place, u32), u32>,
    /// The stacks of each position, sorted. The first position is `NOWHERE`.
    positions: Vec<Box<[u32]>>,
    position_ids: HashMap<Box<[u32]>, Position>,
    steps: Vec<[u32; 256]>,
    now: Position,
}

impl Matcher {
    /// Whether nothing can come any more.
    #[cfg(test)]
    pub(super) fn is_over(&self) -> bool {
        *self.positions[self.now as usize] == [WHOLE]
    }

    /// Before the first byte.
    ///
    /// # Errors
    /// Where the grammar is too ambiguous to begin with.
    pub(super) fn new(rules: Arc<Rules>) -> Result<Self, String> {
        let mut matcher = Self {
            rules,
            nodes: vec![(Place::MAX, WHOLE)],
            node_ids: HashMap::new(),
            positions: Vec::new(),
            position_ids: HashMap::new(),
            steps: Vec::new(),
            now: NOWHERE,
        };
        matcher.position(Box::default());
        let starts: Vec<u32> = matcher.rules.alternatives(ROOT).to_vec();
        let starts = starts
            .into_iter()
            .map(|start| matcher.stack(start, WHOLE))
            .collect();
        let stacks = matcher.expand(starts).ok_or("it is too ambiguous")?;
        matcher.now = matcher.position(stacks);
        Ok(matcher)
    }

    /// Whether these bytes can come next.
    pub(super) fn fits(&mut self, bytes: &[u8]) -> bool {
        self.forget();
        self.after(bytes).is_some()
    }

    /// Takes bytes; gives whether they can come. Where they cannot, nothing changes.
    pub(super) fn accept(&mut self, bytes: &[u8]) -> bool {
        self.forget();
        let after = self.after(bytes);
        self.now = after.unwrap_or(self.now);
        after.is_some()
    }

    /// Where the text stands after these bytes too; `None` where they cannot come.
    fn after(&mut self, bytes: &[u8]) -> Option<Position> {
        let mut position = self.now;
        for &byte in bytes {
            let known = self.steps[position as usize][usize::from(byte)];
            position = match known {
                UNKNOWN => self.step(position, byte),
                known => known,
            };
            if position == NOWHERE {
                return None;
            }
        }
        Some(position)
    }

    /// Whether the text may end here.
    pub(super) fn is_whole(&self) -> bool {
        self.positions[self.now as usize].first() == Some(&WHOLE)
    }

    /// A short text that makes this one whole: places with little to come are looked at first.
    #[cfg(test)]
    pub(super) fn some_end(&mut self) -> Vec<u8> {
        use std::cmp::Reverse;
        let mut came = HashMap::from([(self.now, None)]);
        let mut queue = std::collections::BinaryHeap::from([(Reverse(0), self.now, 0)]);
        while let Some((_, mut position, length)) = queue.pop() {
            if self.positions[position as usize].first() == Some(&WHOLE) {
                let mut text = Vec::new();
                while let Some((before, byte)) = came[&position] {
                    text.push(byte);
                    position = before;
                }
                text.reverse();
                return text;
            }
            for byte in 0..=255 {
                let next = self.step(position, byte);
                if next != NOWHERE && !came.contains_key(&next) {
                    came.insert(next, Some((position, byte)));
                    queue.push((Reverse(length + 8 * self.least_to_come(next)), next, length + 1));
                }
            }
        }
        panic!("no text is whole");
    }

    /// Places in the shortest stack of a set.
    #[cfg(test)]
    fn least_to_come(&self, position: Position) -> usize {
        let length = |stack: &u32| {
            let below = |stack: &u32| Some(self.nodes[*stack as usize].1);
            std::iter::successors(Some(*stack), below)
                .take_while(|stack| *stack != WHOLE)
                .count()
        };
        self.positions[position as usize]
            .iter()
            .map(length)
            .min()
            .unwrap_or_default()
    }

    fn step(&mut self, position: Position, byte: u8) -> Position {
        let mut next = Vec::new();
        for index in 0..self.positions[position as usize].len() {
            let stack = self.positions[position as usize][index];
            if stack == WHOLE {
                continue;
            }
            let (top, below) = self.nodes[stack as usize];
            if let Op::Byte(set) = self.rules.op(top)
                && self.rules.has(set, byte)
            {
                next.push(self.stack(top + 1, below));
            }
        }
        // What is too ambiguous cannot go on.
        let next = self.expand(next).unwrap_or_default();
        let next = self.position(next);
        self.steps[position as usize][usize::from(byte)] = next;
        next
    }

    /// The stack with this place on top; where nothing comes at the place, the one below.
    fn stack(&mut self, top: Place, below: u32) -> u32 {
        if self.rules.op(top) == Op::End {
            return below;
        }
        *self.node_ids.entry((top, below)).or_insert_with(|| {
            self.nodes.push((top, below));
            self.nodes.len() as u32 - 1
        })
    }

    /// The stacks that begin with a byte, of those that begin with rules; `None` where they are too many.
    fn expand(&mut self, mut todo: Vec<u32>) -> Option<Box<[u32]>> {
        let rules = Arc::clone(&self.rules);
        let mut seen = HashSet::new();
        let mut stacks = Vec::new();
        while let Some(stack) = todo.pop() {
            if !seen.insert(stack) {
                continue;
            }
            if seen.len() > MOST_STACKS {
                return None;
            }
            let (top, below) = self.nodes[stack as usize];
            let rule = match stack {
                WHOLE => None,
                _ => match rules.op(top) {
                    Op::Rule(rule) => Some(rule),
                    _ => None,
                },
            };
            let Some(rule) = rule else {
                stacks.push(stack);
                continue;
            };
            let rest = self.stack(top + 1, below);
            for &start in rules.alternatives(rule) {
                todo.push(self.stack(start, rest));
            }
        }
        stacks.sort_unstable();
        Some(stacks.into())
    }

    fn position(&mut self, stacks: Box<[u32]>) -> Position {
        if let Some(position) = self.position_ids.get(&stacks) {
            return *position;
        }
        let position = self.positions.len() as Position;
        self.positions.push(stacks.clone());
        self.position_ids.insert(stacks, position);
        self.steps.push([UNKNOWN; 256]);
        if position == NOWHERE {
            self.steps[0] = [NOWHERE; 256];
        }
        position
    }

    /// Forgets all but where the text stands, where much is remembered.
    fn forget(&mut self) {
        if self.positions.len() <= MOST_SETS && self.nodes.len() <= MOST_NODES {
            return;
        }
        let now = std::mem::take(&mut self.positions[self.now as usize]);
        let nodes = std::mem::replace(&mut self.nodes, vec![(Place::MAX, WHOLE)]);
        self.node_ids.clear();
        self.positions.clear();
        self.position_ids.clear();
        self.steps.clear();
        self.position(Box::default());
        let mut stacks: Vec<u32> = now.iter().map(|stack| self.copy(&nodes, *stack)).collect();
        stacks.sort_unstable();
        self.now = self.position(stacks.into());
    }

    /// A stack of other nodes, in these.
    fn copy(&mut self, nodes: &[(Place, u32)], mut stack: u32) -> u32 {
        let mut places = Vec::new();
        while stack != WHOLE {
            let (top, below) = nodes[stack as usize];
            places.push(top);
            stack = below;
        }
        places
            .into_iter()
            .rev()
            .fold(WHOLE, |below, top| self.stack(top, below))
    }
}

impl fmt::Debug for Matcher {
    /// Without what is remembered, which is much.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut matcher = formatter.debug_struct("Matcher");
        matcher
            .field("rules", &self.rules)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
