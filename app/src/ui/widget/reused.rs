//! Rows of long lists. Those that have gone out of view come back for others, since making one anew takes longer than a
//! frame has.

use makepad_widgets::*;

use super::button::PushButton;
use super::row::Row;

/// How often all designs were applied anew. A row that lay aside meanwhile has the look from before.
#[derive(Debug, Default)]
struct Looks(u64);

/// All designs are about to be applied anew.
pub(crate) fn note_look(cx: &mut Cx) {
    cx.global::<Looks>().0 += 1;
}

/// Which look what is made now has.
pub(super) fn look(cx: &mut Cx) -> u64 {
    cx.global::<Looks>().0
}

/// The widget of a row that has `parts` which take the keyboard. One that showed another row before is left by the keyboard
/// and the pointer; it comes back only where it, or one of its parts, is a [`Row`], which knows what look it has. The list
/// has an empty template `Blank`.
pub(crate) fn item_at(
    cx: &mut Cx,
    list: &mut PortalList,
    index: usize,
    template: LiveId,
    parts: &[&[LiveId; 1]],
) -> WidgetRef {
    let look = look(cx);
    loop {
        let (item, existed) = list.item_with_existed(cx, index, template);
        if existed {
            return item;
        }
        if has_keys(cx, &item, parts) {
            cx.set_key_focus(Area::Empty);
        }
        // What was never drawn is new.
        let mut is_fit = item.area().is_empty();
        for part in with_parts(&item, parts) {
            if let Some(mut button) = part.borrow_mut::<PushButton>() {
                button.leave(cx);
            }
            if let Some(mut row) = part.borrow_mut::<Row>() {
                row.leave(cx);
                is_fit |= row.look() == look;
            }
        }
        if is_fit {
            return item;
        }
        // The list forgets it for another, and gives the next one that lies aside, or a new one.
        list.item(cx, index, live_id!(Blank));
    }
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
