use super::*;

/// A text that ends with this does not come back by itself.
const STAYS: &str = "!";

/// A memory that checks what is asked of it: each sequence's tokens, as numbers of cells.
#[derive(Debug)]
struct Cells {
    counts: Vec<usize>,
    can_cut: bool,
    copies: Vec<(i32, i32, usize)>,
}

impl Memory for Cells {
    fn copy(&mut self, from: Sequence, to: Sequence, tokens: usize) {
        assert!(
            self.counts[from.0 as usize] >= tokens,
            "there is so much to share"
        );
        assert_eq!(self.counts[to.0 as usize], 0, "the other is empty");
        self.counts[to.0 as usize] = tokens;
        self.copies.push((from.0, to.0, tokens));
    }

    fn cut(&mut self, sequence: Sequence, keep: usize) {
        assert!(self.can_cut);
        let count = &mut self.counts[sequence.0 as usize];
        *count = (*count).min(keep);
    }

    fn clear(&mut self, sequence: Sequence) {
        self.counts[sequence.0 as usize] = 0;
    }

    fn evict(&mut self, sequence: Sequence, tokens: &[LlamaToken], _: Option<Chat>) {
        assert_eq!(self.counts[sequence.0 as usize], tokens.len(), "it is whole");
        self.clear(sequence);
    }

    fn count(&self, sequence: Sequence) -> usize {
        self.counts[sequence.0 as usize]
    }

    fn comes_back(&self, _: Sequence, text: &[LlamaToken]) -> bool {
        !text.ends_with(&tokens(STAYS))
    }
}

/// A cache and its memory.
struct Desk {
    cache: Cache,
    cells: Cells,
}

impl Desk {
    fn new(sequences: u32, can_cut: bool) -> Self {
        Self {
            cache: Cache::new(sequences, can_cut),
            cells: Cells {
                counts: vec![0; sequences as usize],
                can_cut,
                copies: Vec::new(),
            },
        }
    }

    /// Takes a sequence for a text of one token per character, computes what lacks and gives it back; how much was
    /// known.
    fn answer(&mut self, text: &str) -> usize {
        let (sequence, known) = self.begin(text);
        self.cache.give_back(sequence, None);
        known
    }

    /// The same without giving back.
    fn begin(&mut self, text: &str) -> (Sequence, usize) {
        let prompt = tokens(text);
        let sequence = self.cache.take(&prompt, &mut self.cells).expect("one is free");
        let known = self.cache.count(sequence);
        self.compute(sequence, &prompt[known..]);
        (sequence, known)
    }

    fn compute(&mut self, sequence: Sequence, rest: &[LlamaToken]) {
        self.cache.add(sequence, rest);
        self.cells.counts[sequence.0 as usize] += rest.len();
        self.check();
    }

    /// What the cache notes is what the memory holds.
    fn check(&self) {
        let noted: Vec<_> = self.cache.lines.iter().map(|line| line.tokens.len()).collect();
        assert_eq!(noted, self.cells.counts);
    }
}

fn tokens(text: &str) -> Vec<LlamaToken> {
    text.bytes().map(|byte| LlamaToken(i32::from(byte))).collect()
}

#[test]
fn the_next_turn_of_a_chat_goes_on_with_its_sequence() {
    let mut desk = Desk::new(3, true);
    assert_eq!(desk.answer("a question and its answer"), 0);
    assert_eq!(desk.answer("a question and its answer, a second question"), 25);
    assert_eq!(desk.cells.copies, [], "nothing is shared");
}

#[test]
fn the_last_token_of_a_prompt_is_always_computed() {
    let mut desk = Desk::new(3, true);
    desk.answer("again");
    assert_eq!(desk.answer("again"), 4);
    assert_eq!(desk.answer("a"), 0);
}

#[test]
fn a_common_beginning_is_shared_and_both_stay() {
    let mut desk = Desk::new(4, true);
    let system = "you are a kind and very thorough assistant. ";
    desk.answer(&format!("{system}tell me something long about the sea"));
    let known = desk.answer(&format!("{system}what is a lighthouse, and who keeps it"));
    assert_eq!(known, system.len());
    assert_eq!(desk.cells.copies.len(), 1);
    // Both can be gone on with.
    let first = format!("{system}tell me something long about the sea. It is deep.");
    assert_eq!(desk.answer(&first), first.len() - " It is deep.".len() - 1);
}

#[test]
fn a_beginning_in_use_is_shared_too() {
    let mut desk = Desk::new(2, true);
    let (first, _) = desk.begin("same words, one");
    let (second, known) = desk.begin("same words, two");
    assert_ne!(first, second);
    assert_eq!(known, "same words, ".len());
    assert_eq!(
        desk.cache.take(&tokens("x"), &mut desk.cells),
        None,
        "all are in use"
    );
}

#[test]
fn a_chat_that_is_deleted_is_forgotten() {
    let mut desk = Desk::new(3, true);
    for (text, chat) in [("one", 1), ("two", 2)] {
        let (sequence, _) = desk.begin(text);
        desk.cache.give_back(sequence, Some(chat));
    }
    desk.cache.forget_chat(1, &mut desk.cells);
    desk.check();
    assert_eq!(desk.answer("one!"), 0);
    assert_eq!(desk.answer("two!"), 3);
}

#[test]
fn what_was_unused_longest_makes_room() {
    let mut desk = Desk::new(3, true);
    for text in ["first", "second", "third"] {
        desk.answer(text);
    }
    desk.answer("first again");
    assert_eq!(desk.answer("zzz"), 0, "takes the place of the second");
    assert_eq!(desk.answer("third!"), 5);
    assert_eq!(desk.answer("first again!"), 11);
    assert!(desk.cache.make_room(&mut desk.cells));
    desk.check();
    assert_eq!(desk.answer("zzz and more"), 0, "it was the one unused longest");
}

#[test]
fn nothing_in_use_makes_room() {
    let mut desk = Desk::new(2, true);
    desk.begin("one");
    desk.begin("two");
    assert!(!desk.cache.make_room(&mut desk.cells));
}

#[test]
fn the_only_free_sequence_is_cut_where_it_cannot_be_kept_beside() {
    let mut desk = Desk::new(2, true);
    desk.begin("busy");
    desk.answer("a long text whose end another version does not want");
    assert_eq!(desk.answer("a long text whose beginning is the same"), 18);
    assert_eq!(desk.cells.copies, []);
}

#[test]
fn a_memory_that_cannot_be_cut_serves_only_whole_beginnings() {
    let mut desk = Desk::new(2, false);
    desk.answer("turn one.");
    assert_eq!(desk.answer("turn one. turn two."), 9);
    assert_eq!(desk.answer("turn one. turn 2"), 0, "it would have to be cut");
}

#[test]
fn what_broke_off_is_counted_by_the_memory() {
    let mut desk = Desk::new(2, true);
    let (sequence, _) = desk.begin("half");
    desk.cells.counts[sequence.0 as usize] += 3;
    desk.cache.recount(sequence, &tokens(" of it"), &mut desk.cells);
    desk.check();
    assert_eq!(desk.cache.count(sequence), 7);

    let mut desk = Desk::new(2, false);
    let (sequence, _) = desk.begin("half");
    desk.cache.recount(sequence, &tokens(" of it"), &mut desk.cells);
    desk.check();
    assert_eq!(
        desk.cache.count(sequence),
        0,
        "where it cannot be cut, nothing is left"
    );
}

/// Any order of uses keeps the books right and never gives one sequence to two.
#[test]
fn the_books_are_right_after_any_order_of_uses() {
    let mut random = 7_u32;
    let mut next = |below: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) as usize % below
    };
    for can_cut in [true, false] {
        let mut desk = Desk::new(4, can_cut);
        let mut used: Vec<Sequence> = Vec::new();
        for _ in 0..2_000 {
            match next(5) {
                0 | 1 if used.len() < 4 => {
                    let length = 1 + next(40);
                    let text: String = (0..length)
                        .map(|_| if next(6) == 0 { 'b' } else { 'a' })
                        .collect();
                    let (sequence, known) = desk.begin(&text);
                    assert!(known < length);
                    assert!(!used.contains(&sequence));
                    used.push(sequence);
                }
                2 if !used.is_empty() => {
                    let sequence = used.swap_remove(next(used.len()));
                    desk.cache.give_back(sequence, None);
                }
                3 if !used.is_empty() => {
                    let sequence = used.swap_remove(next(used.len()));
                    desk.cache.forget(sequence, &mut desk.cells);
                }
                _ => {
                    desk.cache.make_room(&mut desk.cells);
                }
            }
            desk.check();
        }
    }
}

#[test]
fn what_nobody_uses_and_what_comes_back_takes_no_more_cells_than_it_may() {
    let mut desk = Desk::new(8, true);
    let (oldest, stays) = ("once upon a time", "something that would be lost!");
    let (first, second) = ("hello, a word about the sea", "hello, one word of lighthouses");
    for text in [oldest, stays, first, second] {
        desk.answer(text);
    }
    let (used, _) = desk.begin("in use, and long");
    let mut left = |cells| {
        desk.cache.trim(cells, &[], &mut desk.cells);
        desk.check();
        let left = desk.cache.unused().map(|(_, tokens, _)| tokens.len());
        let mut left: Vec<_> = left.collect();
        left.sort_unstable();
        left
    };
    let [oldest, stays, first, second] = [oldest, stays, first, second].map(str::len);
    // What both begin with stands there once.
    let all = oldest + stays + first + second - "hello, ".len();
    assert_eq!(left(all), [oldest, first, stays, second]);
    assert_eq!(
        left(all - 1),
        [first, stays, second],
        "the oldest that comes back goes first"
    );
    assert_eq!(left(second), [stays, second]);
    assert_eq!(left(0), [stays]);
    assert_eq!(desk.cache.count(used), "in use, and long".len());
}
