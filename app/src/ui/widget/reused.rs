//! Rows of long lists. Those that have gone out of view come back for others, since making one anew takes longer than a
//! frame has.

use makepad_widgets::*;

use super::row::Row;

/// The widget of a row that has `parts` which take the keyboard. One that showed another row before is left by the keyboard
/// and the pointer.
pub(crate) fn item_at(
    cx: &mut Cx,
    list: &mut PortalList,
    index: usize,
    template: LiveId,
    parts: &[&[LiveId; 1]],
) -> WidgetRef {
    let (item, existed) = list.item_with_existed(cx, index, template);
    if !existed {
        if has_keys(cx, &item, parts) {
            cx.set_key_focus(Area::Empty);
        }
        for part in with_parts(&item, parts) {
            if let Some(mut row) = part.borrow_mut::<Row>() {
                row.leave(cx);
            }
        }
    }
    item
}

/// Whether a row or one of its parts has the keyboard.
pub(crate) fn has_keys(cx: &Cx, item: &WidgetRef, parts: &[&[LiveId; 1]]) -> bool {
    // Where nothing has the keyboard, the place that has it is as empty as that of what was never drawn.
    with_parts(item, parts)
        .map(|part| part.area())
        .any(|area| !area.is_empty() && cx.has_key_focus(area))
}

fn with_parts(item: &WidgetRef, parts: &[&[LiveId; 1]]) -> impl Iterator<Item = WidgetRef> {
    let parts = parts.iter().map(|part| item.widget(*part));
    std::iter::once(item.clone()).chain(parts)
}
