//! Rows of one kind below each other, as many as there are: for short lists within a page that scrolls as a whole.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;

    pub Stack = {{Stack}} {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
    }
}

/// Rows below each other.
#[derive(Live, Widget)]
pub struct Stack {
    #[walk]
    walk: Walk,
    #[layout]
    layout: Layout,
    #[live(true)]
    #[visible]
    visible: bool,
    /// What each row is made of.
    #[live]
    row: Option<LivePtr>,
    #[rust]
    rows: Vec<WidgetRef>,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
}

impl LiveHook for Stack {
    /// Another theme has other rows.
    fn after_apply(&mut self, _cx: &mut Cx, _apply: &mut Apply, _index: usize, _nodes: &[LiveNode]) {
        self.rows.clear();
    }
}

impl Widget for Stack {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        for row in &self.rows {
            row.handle_event(cx, event, scope);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        cx.begin_turtle(walk, self.layout);
        for row in &self.rows {
            row.draw_all(cx, scope);
        }
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }
}

impl StackRef {
    /// Exactly this many rows, to be filled.
    pub fn set_rows(&self, cx: &mut Cx, count: usize) -> Vec<WidgetRef> {
        let Some(mut stack) = self.borrow_mut() else {
            return Vec::new();
        };
        stack.rows.truncate(count);
        while stack.rows.len() < count {
            let row = WidgetRef::new_from_ptr(cx, stack.row);
            stack.rows.push(row);
        }
        stack.rows.clone()
    }

    /// The rows there are.
    pub fn rows(&self) -> Vec<WidgetRef> {
        self.borrow().map_or_else(Vec::new, |stack| stack.rows.clone())
    }
}
