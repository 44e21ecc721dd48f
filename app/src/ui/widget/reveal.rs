//! Scrolls a list the least so that one of its rows is in view.

use makepad_widgets::{Cx, PortalListRef};

/// Brings a row wholly into view when the list is drawn next. `height` tells the height of each row in pixels.
pub(crate) fn reveal(cx: &Cx, list: &PortalListRef, row: usize, height: impl Fn(usize) -> f64) {
    reveal_within(list, list.area().rect(cx).size.y, row, height);
}

/// The same in a list of this height in pixels: while it is drawn, it is not known where it was.
pub(crate) fn reveal_within(list: &PortalListRef, view: f64, row: usize, height: impl Fn(usize) -> f64) {
    let now = (list.first_id(), list.scroll_position());
    if let Some((first, top)) = place(now, view, row, height).filter(|_| view > 0.0) {
        list.set_first_id_and_scroll(first, top);
    }
}

/// The row a list is to begin from and where its top is, in pixels from the top of the view, when it begins so `now`;
/// `None` where `row` is in view as it is.
fn place(
    (first, top): (usize, f64),
    view: f64,
    row: usize,
    height: impl Fn(usize) -> f64,
) -> Option<(usize, f64)> {
    if row < first || (row == first && top < 0.0) {
        return Some((row, 0.0));
    }
    let bottom = top + (first..=row).map(&height).sum::<f64>();
    (bottom > view).then(|| (row, view - height(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_out_of_view_comes_to_the_nearer_edge() {
        let cases = [
            // The first five rows are in view.
            ((0, 0.0), 0, None),
            ((0, 0.0), 4, None),
            ((0, 0.0), 5, Some((5, 80.0))),
            ((0, 0.0), 50, Some((50, 80.0))),
            // Half of row 3 is above the edge, half of row 8 below.
            ((3, -10.0), 2, Some((2, 0.0))),
            ((3, -10.0), 3, Some((3, 0.0))),
            ((3, -10.0), 7, None),
            ((3, -10.0), 8, Some((8, 80.0))),
        ];
        for (now, row, expected) in cases {
            assert_eq!(place(now, 100.0, row, |_| 20.0), expected, "{now:?}, row {row}");
        }
    }
}
