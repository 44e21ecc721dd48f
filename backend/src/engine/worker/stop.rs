//! Finds stop strings in text that comes in pieces.
//!
//! The answer ends at the first moment at which it holds a stop string. Where two end there together, the longer
//! one counts. What could become a stop string is held back, so that no part of it is ever shown, and it comes out
//! as soon as it cannot, or with the flush at the end of the text.

/// The stop strings of one answer and the text they may begin in.
#[derive(Debug)]
pub(super) struct StopStrings {
    /// Longest first; none is empty.
    stops: Vec<String>,
    /// The end of the text so far, as far as a stop string may begin with it.
    held: String,
}

/// What a piece of text led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StopStep {
    /// Text that can be shown; empty where all of it is held back.
    Text(String),
    /// The answer ends here.
    Hit {
        /// The last text of the answer, up to the stop string.
        text: String,
        /// The stop string that came; it is no part of the answer.
        stop: String,
    },
}

impl StopStrings {
    /// Strings that end an answer; empty ones are left out, for they would end every answer before it began.
    pub(super) fn new(mut stops: Vec<String>) -> Self {
        stops.retain(|stop| !stop.is_empty());
        stops.sort_by_key(|stop| std::cmp::Reverse(stop.len()));
        Self {
            stops,
            held: String::new(),
        }
    }

    /// Takes the next text of the answer. After a hit the answer is over.
    pub(super) fn push(&mut self, text: &str) -> StopStep {
        self.held.push_str(text);
        if let Some((start, stop)) = self.hit() {
            let stop = stop.to_owned();
            let mut text = std::mem::take(&mut self.held);
            text.truncate(start);
            return StopStep::Hit { text, stop };
        }
        let held = self.held.split_off(self.free());
        StopStep::Text(std::mem::replace(&mut self.held, held))
    }

    /// What is held back.
    pub(super) fn held(&self) -> &str {
        &self.held
    }

    /// Gives what was held back, at the end of an answer that no stop string ended.
    pub(super) fn flush(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Where the stop string that is complete first begins.
    fn hit(&self) -> Option<(usize, &str)> {
        let found = self.stops.iter().filter_map(|stop| {
            let start = self.held.find(stop.as_str())?;
            Some((start + stop.len(), start, stop.as_str()))
        });
        found.min().map(|(_, start, stop)| (start, stop))
    }

    /// How many bytes from the start can be shown, because no stop string can begin in them.
    fn free(&self) -> usize {
        let begins = |tail: &str| self.stops.iter().any(|stop| stop.starts_with(tail));
        let longest = self.stops.first().map_or(0, String::len);
        let first = self.held.len().saturating_sub(longest);
        (first..self.held.len())
            .find(|&start| self.held.get(start..).is_some_and(begins))
            .unwrap_or(self.held.len())
    }
}

#[cfg(test)]
mod tests;
