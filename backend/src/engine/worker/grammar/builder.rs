//! Puts a grammar together from parts.

use super::gbnf;
use super::tree::{Class, Tree};

/// Rules on their way to a grammar.
#[derive(Debug, Default)]
pub(super) struct Builder {
    rules: Vec<(String, Tree)>,
    /// Texts that the grammar is about, beside the literal ones.
    tags: Vec<String>,
}

impl Builder {
    /// The rules, and every text in them.
    pub(super) fn finish(mut self, root: Tree) -> (Vec<(String, Tree)>, Vec<String>) {
        self.rules.push(("root".into(), root));
        let mut texts = Vec::new();
        self.rules.iter().for_each(|(_, tree)| tree.texts(&mut texts));
        let texts = texts.into_iter().map(str::to_owned).chain(self.tags).collect();
        (self.rules, texts)
    }

    /// Adds a rule and gives what refers to it.
    pub(super) fn rule(&mut self, tree: Tree) -> Tree {
        let name = format!("part-{}", self.rules.len());
        self.rules.push((name.clone(), tree));
        Tree::Rule(name)
    }

    /// Adds a grammar in GBNF and gives what refers to its root. The names of its rules stay its own.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(super) fn gbnf(&mut self, text: &str) -> Result<Tree, String> {
        let rules = gbnf::read(text)?;
        if !rules.iter().any(|(name, _)| name == "root") {
            return Err("there is no rule “root”".into());
        }
        let prefix = format!("own-{}-", self.rules.len());
        let rename = |name: &str| format!("{prefix}{name}");
        for (name, tree) in rules {
            self.rules.push((rename(&name), tree.renamed(&rename)));
        }
        Ok(Tree::Rule(rename("root")))
    }

    /// Lets a rule be another.
    pub(super) fn redirect(&mut self, rule: &str, to: Tree) {
        for (_, tree) in self.rules.iter_mut().filter(|(name, _)| name == rule) {
            *tree = to.clone();
        }
    }

    /// Any text up to this one, and this one with it.
    pub(super) fn until(&mut self, tag: &str) -> Tree {
        self.tags.push(tag.to_owned());
        let letters: Vec<char> = tag.chars().collect();
        let distinct: Vec<char> = {
            let mut distinct = letters.clone();
            distinct.sort_unstable();
            distinct.dedup();
            distinct
        };
        let prefix = format!("until-{}-", self.rules.len());
        let name = |state: usize| format!("{prefix}{state}");
        let others: Vec<_> = distinct.iter().map(|letter| (*letter, *letter)).collect();
        let others = Class::new(&others, true);
        // One rule for each beginning of the tag that the text may just have come to.
        for state in 0..letters.len() {
            let mut ways = vec![Tree::All(vec![Tree::Class(others.clone()), Tree::Rule(name(0))])];
            for &letter in &distinct {
                let next = next_state(&letters, state, letter);
                let mut parts = vec![Tree::Class(Class::new(&[(letter, letter)], false))];
                if next < letters.len() {
                    parts.push(Tree::Rule(name(next)));
                }
                ways.push(Tree::All(parts));
            }
            self.rules.push((name(state), Tree::Any(ways)));
        }
        match letters.is_empty() {
            true => Tree::All(Vec::new()),
            false => Tree::Rule(name(0)),
        }
    }
}

/// How many letters of the tag a text ends with, when it ended with `state` of them and this letter comes.
fn next_state(letters: &[char], state: usize, letter: char) -> usize {
    let mut text = letters[..state].to_vec();
    text.push(letter);
    let longest = text.len().min(letters.len());
    (0..=longest)
        .rev()
        .find(|&length| text.ends_with(&letters[..length]))
        .unwrap_or(0)
}
