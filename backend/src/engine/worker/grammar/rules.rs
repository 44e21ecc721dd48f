//! A grammar compiled to bytes: what matches tokens, whose texts may end within a character.

use std::collections::HashMap;
use std::fmt;

use regex_syntax::utf8::Utf8Sequences;

use super::tree::{Class, Tree};

/// Most instructions of a grammar; each takes 8 bytes, and real ones take some thousands.
const MOST_OPS: usize = 500_000;

/// Deepest nesting of a rule, for the stack's sake.
const DEEPEST: usize = 512;

/// Where a matcher goes on, as an index into the instructions.
pub(super) type Place = u32;

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A byte of this set comes.
    Byte(u32),
    /// What this rule matches comes.
    Rule(u32),
    /// The alternative is over.
    End,
}

/// A set of bytes, as 256 bits.
pub(super) type Bytes = [u64; 4];

/// A grammar's rules.
#[derive(PartialEq, Eq)]
pub(super) struct Rules {
    ops: Vec<Op>,
    /// Where each alternative of each rule begins.
    rules: Vec<Vec<Place>>,
    sets: Vec<Bytes>,
}

/// The rule that a text begins with.
pub(super) const ROOT: u32 = 0;

impl Rules {
    /// Compiles rules, `root` among them.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub(super) fn compile(trees: &[(String, Tree)]) -> Result<Self, String> {
        let mut compiler = Compiler {
            rules: Self {
                ops: Vec::new(),
                rules: Vec::new(),
                sets: Vec::new(),
            },
            names: HashMap::new(),
            sets: HashMap::new(),
            classes: HashMap::new(),
        };
        // The root is rule 0; where a name comes twice, the last counts, as in llama.cpp.
        compiler.names.insert("root", compiler.rules.new_rule());
        for (name, _) in trees {
            if !compiler.names.contains_key(name.as_str()) {
                let rule = compiler.rules.new_rule();
                compiler.names.insert(name, rule);
            }
        }
        if !trees.iter().any(|(name, _)| name == "root") {
            return Err("there is no rule “root”".into());
        }
        for (name, tree) in trees {
            let rule = compiler.names[name.as_str()];
            compiler.rule(rule, tree, 0)?;
        }
        compiler.rules.refuse_left_recursion(&compiler.names)?;
        Ok(compiler.rules)
    }

    pub(super) fn op(&self, place: Place) -> Op {
        self.ops[place as usize]
    }

    pub(super) fn alternatives(&self, rule: u32) -> &[Place] {
        &self.rules[rule as usize]
    }

    pub(super) fn has(&self, set: u32, byte: u8) -> bool {
        self.sets[set as usize][usize::from(byte) / 64] >> (byte % 64) & 1 == 1
    }

    fn new_rule(&mut self) -> u32 {
        self.rules.push(Vec::new());
        self.rules.len() as u32 - 1
    }

    /// A rule that can begin with itself would never come to a byte.
    fn refuse_left_recursion(&self, names: &HashMap<&str, u32>) -> Result<(), String> {
        let nullable = self.nullable();
        // Depth first, with the rules on the way marked.
        let mut seen = vec![0_u8; self.rules.len()];
        for first in 0..self.rules.len() as u32 {
            let mut way = vec![(first, self.leftmost(first, &nullable))];
            if seen[first as usize] != 0 {
                continue;
            }
            seen[first as usize] = 1;
            while let Some((rule, next)) = way.last_mut() {
                let Some(child) = next.pop() else {
                    seen[*rule as usize] = 2;
                    way.pop();
                    continue;
                };
                match seen[child as usize] {
                    0 => {
                        seen[child as usize] = 1;
                        way.push((child, self.leftmost(child, &nullable)));
                    }
                    1 => {
                        let on_way = way.iter().rev().map(|(rule, _)| *rule);
                        let named = std::iter::once(child)
                            .chain(on_way)
                            .find_map(|rule| names.iter().find(|(_, known)| **known == rule));
                        let name = named.map_or("root", |(name, _)| name);
                        return Err(format!("the rule “{name}” begins with itself (left recursion)"));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Which rules can match nothing.
    fn nullable(&self) -> Vec<bool> {
        let mut nullable = vec![false; self.rules.len()];
        // Rules wait for those that they name; each is looked at again only when one of these changed.
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.rules.len()];
        for (rule, alternatives) in self.rules.iter().enumerate() {
            for &start in alternatives {
                for op in self.ops[start as usize..].iter().take_while(|op| **op != Op::End) {
                    if let Op::Rule(used) = op {
                        users[*used as usize].push(rule as u32);
                    }
                }
            }
        }
        let mut todo: Vec<u32> = (0..self.rules.len() as u32).collect();
        while let Some(rule) = todo.pop() {
            let empty = |start: &Place| {
                let mut ops = self.ops[*start as usize..]
                    .iter()
                    .take_while(|op| **op != Op::End);
                ops.all(|op| matches!(op, Op::Rule(used) if nullable[*used as usize]))
            };
            if !nullable[rule as usize] && self.rules[rule as usize].iter().any(empty) {
                nullable[rule as usize] = true;
                todo.extend(&users[rule as usize]);
            }
        }
        nullable
    }

    /// The rules that a rule can begin with.
    fn leftmost(&self, rule: u32, nullable: &[bool]) -> Vec<u32> {
        let mut leftmost = Vec::new();
        for &start in self.alternatives(rule) {
            for op in &self.ops[start as usize..] {
                let Op::Rule(used) = op else {
                    break;
                };
                leftmost.push(*used);
                if !nullable[*used as usize] {
                    break;
                }
            }
        }
        leftmost.sort_unstable();
        leftmost.dedup();
        leftmost
    }
}

impl fmt::Debug for Rules {
    /// Without the instructions, which are many.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rules = formatter.debug_struct("Rules");
        rules
            .field("rules", &self.rules.len())
            .field("ops", &self.ops.len());
        rules.finish_non_exhaustive()
    }
}

struct Compiler<'text> {
    rules: Rules,
    names: HashMap<&'text str, u32>,
    sets: HashMap<Bytes, u32>,
    classes: HashMap<Class, Op>,
}

impl Compiler<'_> {
    /// Compiles what a rule matches.
    fn rule(&mut self, rule: u32, tree: &Tree, depth: usize) -> Result<(), String> {
        let alternatives = match tree {
            Tree::Any(alternatives) => alternatives.as_slice(),
            tree => std::slice::from_ref(tree),
        };
        let mut starts = Vec::new();
        for alternative in alternatives {
            let mut ops = Vec::new();
            self.ops(alternative, &mut ops, depth)?;
            starts.push(self.place(ops)?);
        }
        self.rules.rules[rule as usize] = starts;
        Ok(())
    }

    fn place(&mut self, ops: Vec<Op>) -> Result<Place, String> {
        let start = self.rules.ops.len();
        if start + ops.len() >= MOST_OPS {
            return Err("it is too large; repeat less".into());
        }
        self.rules.ops.extend(ops);
        self.rules.ops.push(Op::End);
        Ok(start as Place)
    }

    fn ops(&mut self, tree: &Tree, ops: &mut Vec<Op>, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        if ops.len() > MOST_OPS {
            return Err("it is too large; repeat less".into());
        }
        match tree {
            Tree::Text(text) => {
                for byte in text.bytes() {
                    ops.push(self.byte(u32::from(byte), u32::from(byte)));
                }
            }
            Tree::Class(class) => {
                let op = self.class(class)?;
                ops.push(op);
            }
            Tree::Rule(name) => match self.names.get(name.as_str()) {
                Some(rule) => ops.push(Op::Rule(*rule)),
                None => return Err(format!("there is no rule “{name}”")),
            },
            Tree::All(parts) => {
                for part in parts {
                    self.ops(part, ops, depth + 1)?;
                }
            }
            Tree::Any(_) => {
                let rule = self.rules.new_rule();
                self.rule(rule, tree, depth + 1)?;
                ops.push(Op::Rule(rule));
            }
            Tree::Repeat(part, least, most) => self.repeat(part, *least, *most, ops, depth)?,
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        part: &Tree,
        least: u32,
        most: Option<u32>,
        ops: &mut Vec<Op>,
        depth: usize,
    ) -> Result<(), String> {
        let mut once = Vec::new();
        self.ops(part, &mut once, depth + 1)?;
        // What is long is a rule of its own.
        if once.len() > 1 && (least > 1 || most.is_some_and(|most| most > 1)) {
            let rule = self.rules.new_rule();
            let start = self.place(once)?;
            self.rules.rules[rule as usize] = vec![start];
            once = vec![Op::Rule(rule)];
        }
        if ops.len() + once.len() * least as usize > MOST_OPS {
            return Err("it is too large; repeat less".into());
        }
        for _ in 0..least {
            ops.extend(&once);
        }
        let Some(most) = most else {
            // more ::= once more |
            let more = self.rules.new_rule();
            let start = self.place([once.as_slice(), &[Op::Rule(more)]].concat())?;
            let empty = self.place(Vec::new())?;
            self.rules.rules[more as usize] = vec![start, empty];
            ops.push(Op::Rule(more));
            return Ok(());
        };
        let mut rest = Vec::new();
        for _ in least..most {
            // up-to-n ::= once up-to-(n-1) |
            let rule = self.rules.new_rule();
            let start = self.place([once.as_slice(), &rest].concat())?;
            let empty = self.place(Vec::new())?;
            self.rules.rules[rule as usize] = vec![start, empty];
            rest = vec![Op::Rule(rule)];
        }
        ops.extend(rest);
        Ok(())
    }

    /// One byte from `first` to `last`.
    fn byte(&mut self, first: u32, last: u32) -> Op {
        let mut set = Bytes::default();
        for byte in first..=last {
            set[byte as usize / 64] |= 1 << (byte % 64);
        }
        Op::Byte(self.set(set))
    }

    fn set(&mut self, set: Bytes) -> u32 {
        *self.sets.entry(set).or_insert_with(|| {
            self.rules.sets.push(set);
            self.rules.sets.len() as u32 - 1
        })
    }

    /// One character of a class: a byte where all are ASCII, else a rule.
    fn class(&mut self, class: &Class) -> Result<Op, String> {
        if let Some(op) = self.classes.get(class) {
            return Ok(*op);
        }
        let mut ascii = Bytes::default();
        let mut alternatives = Vec::new();
        for &(first, last) in class.ranges() {
            for sequence in Utf8Sequences::new(first, last) {
                let ranges = sequence.as_slice();
                if let [range] = ranges {
                    for byte in range.start..=range.end {
                        ascii[usize::from(byte) / 64] |= 1 << (byte % 64);
                    }
                    continue;
                }
                let bytes = ranges
                    .iter()
                    .map(|range| self.byte(range.start.into(), range.end.into()));
                alternatives.push(bytes.collect::<Vec<_>>());
            }
        }
        let ascii = (ascii != Bytes::default()).then(|| Op::Byte(self.set(ascii)));
        let op = match ascii {
            Some(ascii) if alternatives.is_empty() => ascii,
            ascii => {
                // A class without characters is a rule without alternatives: it matches nothing, ever.
                let rule = self.rules.new_rule();
                let mut starts = Vec::new();
                for ops in ascii.map(|ascii| vec![ascii]).into_iter().chain(alternatives) {
                    starts.push(self.place(ops)?);
                }
                self.rules.rules[rule as usize] = starts;
                Op::Rule(rule)
            }
        };
        self.classes.insert(class.clone(), op);
        Ok(op)
    }
}
