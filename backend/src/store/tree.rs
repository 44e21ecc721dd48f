//! Which messages of a chat are shown: one version at each place, from the first message to the last.

use std::collections::{HashMap, HashSet};

/// What the place of a message depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) id: i64,
    /// The message it answers; `None` for the first of a chat.
    pub(super) parent: Option<i64>,
    /// Of the versions at one place the highest is shown, the newest of equal ones.
    pub(super) choice: i64,
    /// A deleted message hides what stands below it too.
    pub(super) deleted: bool,
}

/// A message that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    /// Its index among the nodes.
    pub(super) index: usize,
    /// Which of its versions this is, from 0 and oldest first, and how many there are.
    pub(super) version: (u32, u32),
}

/// The messages that are shown, first to last. A message whose parent is lost stands as a version of the first one,
/// so that it can still be reached.
pub(super) fn shown(nodes: &[Node]) -> Vec<Shown> {
    let ids: HashSet<i64> = nodes.iter().map(|node| node.id).collect();
    let mut places: HashMap<Option<i64>, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| !node.deleted) {
        let place = node.parent.filter(|parent| ids.contains(parent));
        places.entry(place).or_default().push(index);
    }
    let mut path = Vec::new();
    // Each message has one parent, so that no message is met twice on the way down from the top.
    let mut place = None;
    while let Some(mut versions) = places.remove(&place) {
        versions.sort_by_key(|index| nodes[*index].id);
        let chosen = versions
            .iter()
            .enumerate()
            .max_by_key(|(_, index)| nodes[**index].choice);
        let Some((number, index)) = chosen else {
            break;
        };
        path.push(Shown {
            index: *index,
            version: (count(number), count(versions.len())),
        });
        place = Some(nodes[*index].id);
    }
    path
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes as `(id, parent, choice)`; a negative choice marks a deleted one. The path as `id version/versions`.
    fn check(nodes: &[(i64, i64, i64)], expected: &str) {
        let nodes: Vec<Node> = nodes
            .iter()
            .map(|(id, parent, choice)| Node {
                id: *id,
                parent: Some(*parent).filter(|parent| *parent != 0),
                choice: *choice,
                deleted: *choice < 0,
            })
            .collect();
        let path: Vec<String> = shown(&nodes)
            .iter()
            .map(|shown| {
                format!(
                    "{} {}/{}",
                    nodes[shown.index].id, shown.version.0, shown.version.1
                )
            })
            .collect();
        assert_eq!(path.join(", "), expected, "{nodes:?}");
    }

    #[test]
    fn the_shown_path() {
        check(&[], "");
        check(&[(1, 0, 1), (2, 1, 1)], "1 0/1, 2 0/1");
        // The highest choice, and of equal ones the newest, in whatever order the rows come.
        check(&[(1, 0, 1), (2, 1, 3), (3, 1, 2)], "1 0/1, 2 0/2");
        check(&[(3, 1, 1), (2, 1, 1), (1, 0, 1)], "1 0/1, 3 1/2");
        // A version brings what stands below it.
        check(&[(1, 0, 1), (2, 1, 1), (3, 2, 1), (4, 1, 2)], "1 0/1, 4 1/2");
        check(
            &[(1, 0, 1), (2, 1, 3), (3, 2, 1), (4, 1, 2)],
            "1 0/1, 2 0/2, 3 0/1",
        );
        // The first message has versions too.
        check(&[(1, 0, 1), (2, 1, 1), (5, 0, 2), (6, 5, 1)], "5 1/2, 6 0/1");
        // Deleted ones are not counted and hide what is below them.
        check(&[(1, 0, 1), (2, 1, -1), (3, 2, 1), (4, 1, 1)], "1 0/1, 4 0/1");
        check(&[(1, 0, -1), (2, 1, 1)], "");
    }

    #[test]
    fn a_broken_tree_still_shows_something() {
        // A lost parent, a message that is its own parent, and a ring.
        check(&[(2, 1, 1), (3, 2, 1)], "2 0/1, 3 0/1");
        check(&[(1, 0, 1), (2, 2, 1)], "1 0/1");
        check(&[(1, 0, 1), (2, 3, 1), (3, 2, 1), (4, 1, 1)], "1 0/1, 4 0/1");
    }
}
