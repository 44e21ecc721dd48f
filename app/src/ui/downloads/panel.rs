//! The panel as a whole: its head, its rows, of which only those in view are drawn, and its foot.

mod keys;

use hearth_protocol::DownloadId;
use makepad_widgets::*;

use super::rows::{self, KEYED};
use crate::msg::Msg;
use crate::msg::downloads::DownloadsMsg;
use crate::state::downloads::view::DownloadRow;
use crate::state::downloads::{Group, group_of};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::{AppState, Page};
use crate::ui::overlay::scrim::pressed_beside;
use crate::ui::widget::button::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::reused::{has_keys, item_at};
use crate::ui::widget::reveal::reveal_within;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::notice::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::overlay::scrim::*;
    use crate::ui::downloads::rows::*;

    HeadButton = <SmallQuietButton> {
        draw_bg: { color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED) }
    }
    HeadTool = <LargeIconButton> {
        draw_bg: { color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED) }
    }
    pub DownloadsPanel = {{DownloadsPanel}} {
        width: Fill, height: Fill, flow: Overlay
        visible: false
        scrim = <Scrim> {}
        card = <Card> {
            width: 480, height: Fill
            draw_bg: { border_radius: 0.5 }
            <Flat> {
                width: Fill, height: Fill, flow: Right
                draw_bg: { color: (COLOR_OVERLAY) }
                <View> {
                    width: Fill, height: Fill, flow: Down
                    <View> {
                        width: Fill, height: 52, flow: Right
                        align: { y: 0.5 }, padding: { left: 20, right: 12 }, spacing: 4
                        clip_x: false, clip_y: false
                        title = <Heading> { text: (TEXT_DOWNLOADS), margin: { right: 8 } }
                        caption = <Caption> { width: Fill }
                        pause_all = <HeadButton> { visible: false, text: (TEXT_PAUSE_ALL) }
                        resume_all = <HeadButton> { visible: false, text: (TEXT_RESUME_ALL) }
                        limits = <HeadTool> { tip: (TEXT_DOWNLOAD_LIMITS), draw_icon: { svg_path: (ICON_SLIDERS) } }
                        close = <HeadTool> { tip: (TIP_CLOSE_DOWNLOADS), draw_icon: { svg_path: (ICON_CLOSE) } }
                    }
                    <View> {
                        width: Fill, height: Fill, flow: Overlay
                        list = <PortalList> {
                            width: Fill, height: Fill, flow: Down
                            drag_scrolling: false
                            reuse_items: true
                            scroll_bar: { bar_size: 0.0 }
                            Active = <ActiveDownload> {}
                            Paused = <PausedDownload> {}
                            Hindered = <HinderedDownload> {}
                            Done = <DoneDownload> {}
                            Blank = <View> {}
                        }
                        nothing = <View> {
                            visible: false
                            width: Fill, height: Fill, align: { x: 0.5, y: 0.45 }
                            notice = <Notice> {
                                tile = {
                                    draw_bg: { color: (COLOR_OVERLAY_TAG) }
                                    glyph = { draw_icon: { svg_path: (ICON_DOWNLOAD) } }
                                }
                                buttons = {
                                    find = <OverlayButton> { text: (TEXT_FIND_MODELS) }
                                    again = <OverlayButton> { text: (TEXT_TRY_AGAIN) }
                                }
                            }
                        }
                    }
                    <LineH> { draw_bg: { color: (COLOR_OVERLAY_LINE_SUBTLE) } }
                    <View> {
                        width: Fill, height: 47, flow: Right
                        align: { y: 0.5 }, padding: { left: 20, right: 12 }, spacing: 6
                        clip_x: false, clip_y: false
                        disk = <View> {
                            width: Fit, height: Fit
                            <Glyph> { draw_icon: { svg_path: (ICON_DISK) } }
                        }
                        free = <Caption> { width: Fill }
                        clear = <HeadButton> { text: (TEXT_CLEAR_DONE) }
                    }
                }
                <LineV> { draw_bg: { color: (COLOR_OVERLAY_LINE) } }
            }
        }
    }
}

/// Width of the panel where the window has room for it, and height of its head and foot together, in pixels.
const WIDTH: f64 = 480.0;
const AROUND: f64 = 100.0;

/// The panel of downloads.
#[derive(Live, LiveHook, Widget)]
pub struct DownloadsPanel {
    #[deref]
    view: View,
    /// Rows in view.
    #[rust]
    drawn: Vec<(DownloadRow, WidgetRef)>,
    /// The row under the pointer, which shows the button of its menu.
    #[rust]
    hovered: Option<DownloadId>,
    /// The row that had the keyboard last.
    #[rust]
    last: Option<DownloadId>,
    /// Whether it has it still.
    #[rust]
    keyed: bool,
    /// Where it stood when it was drawn last.
    #[rust]
    stood: Option<(usize, Group)>,
    /// The row that shall get it.
    #[rust]
    wanted: Option<DownloadId>,
    /// Comes when that has been drawn, if it is in view.
    #[rust]
    drawn_by_now: NextFrame,
}

impl Widget for DownloadsPanel {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        if self.drawn_by_now.is_event(event).is_some() && state.downloads.is_open {
            self.try_focus(cx);
        }
        // A button that had the keyboard is told that it has it no longer, though it is hidden by then.
        if !self.view.visible() && !matches!(event, Event::KeyFocus(_)) {
            return;
        }
        self.view.handle_event(cx, event, &mut Scope::empty());
        match event {
            Event::Actions(actions) => self.handle_actions(cx, actions),
            Event::MouseMove(mouse) => self.hover(cx, mouse.abs),
            Event::MouseDown(mouse) if !mouse.button.is_primary() && state.overlay.is_none() => {
                self.open_menu_at(cx, mouse.abs);
            }
            Event::KeyFocus(_) => self.note_keys(cx),
            Event::KeyDown(key) if state.overlay.is_none() => self.take_key(cx, key, state),
            _ => (),
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            tell(cx, DownloadsMsg::Close);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let page = cx.peek_walk_turtle(walk).size;
        let width = page.x.min(WIDTH);
        self.view
            .widget(id!(card))
            .apply_over(cx, live! { width: (width) });
        self.fill(cx, state);
        let list = self.view.portal_list(id!(list));
        let count = state.downloads.len();
        let find = |id| state.downloads.shown().position(|download| download.id == id);
        self.wanted = self.wanted.filter(|id| find(*id).is_some());
        if let Some(row) = self.wanted.and_then(find) {
            let height = |row| {
                let download = state.downloads.row(row);
                download.map_or(0.0, |download| rows::height_of(group_of(download)))
            };
            reveal_within(&list, page.y - AROUND, row, height);
        }
        // The toolkit shows nothing where the list has become shorter than its place in it.
        if list.first_id() >= count {
            list.set_first_id_and_scroll(count.saturating_sub(1), 0.0);
        }
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, count);
            while let Some(index) = list.next_visible_item(cx) {
                let Some(download) = state.downloads.row(index) else {
                    continue;
                };
                let row = state.download_row(download);
                let item = item_at(cx, &mut list, index, rows::template_of(row.group), &KEYED);
                let more = self.hovered == Some(row.id) || has_keys(cx, &item, &KEYED);
                rows::fill(cx, &item, &row, more);
                item.draw_all(cx, &mut Scope::empty());
                self.drawn.push((row, item));
            }
        }
        if state.overlay.is_none() {
            self.follow_row(&state.downloads);
        }
        if self.wanted.is_some() {
            self.drawn_by_now = cx.new_next_frame();
        }
        DrawStep::done()
    }
}

impl DownloadsPanel {
    /// Rows in view.
    #[cfg(feature = "probe")]
    pub(super) fn drawn(&self) -> &[(DownloadRow, WidgetRef)] {
        &self.drawn
    }

    fn fill(&mut self, cx: &mut Cx2d, state: &AppState) {
        let text = state.downloads_text();
        self.view.text_line(id!(caption)).set_text(cx, &text.caption);
        self.view.text_line(id!(free)).set_text(cx, &text.free);
        self.view.widget(id!(disk)).set_visible(cx, !text.free.is_empty());
        self.view.widget(id!(pause_all)).set_visible(cx, text.can_pause);
        self.view.widget(id!(resume_all)).set_visible(cx, text.can_resume);
        self.view
            .push_button(id!(clear))
            .set_disabled(cx, !text.can_clear);
        let nothing = state.no_downloads();
        let notice = self.view.widget(id!(nothing));
        notice.set_visible(cx, nothing.is_some());
        if let Some(nothing) = nothing {
            notice.text_line(id!(title)).set_text(cx, &nothing.title);
            notice.label(id!(body)).set_text(cx, &nothing.text);
            notice.widget(id!(again)).set_visible(cx, nothing.has_failed);
            notice.widget(id!(find)).set_visible(cx, !nothing.has_failed);
        }
    }

    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions) {
        let pressed = |button: &[LiveId]| self.view.push_button(button).clicked(actions);
        for (button, msg) in [
            (id!(pause_all), DownloadsMsg::PauseAll),
            (id!(resume_all), DownloadsMsg::ResumeAll),
            (id!(close), DownloadsMsg::Close),
            (id!(clear), DownloadsMsg::ClearDone),
            (id!(again), DownloadsMsg::Watch),
        ] {
            if pressed(button) {
                tell(cx, msg);
            }
        }
        if pressed(id!(find)) {
            cx.action(Msg::ShowPage(Page::Discover));
        }
        if pressed(id!(limits)) {
            open_menu_below(cx, MenuOf::DownloadLimits, &self.view.widget(id!(limits)));
        }
        for (row, item) in &self.drawn {
            take_pressed(cx, actions, row, item);
        }
    }

    fn hover(&mut self, cx: &mut Cx, pointer: DVec2) {
        let over = |item: &WidgetRef| seen(cx, item.area()).contains(pointer);
        let row = self.drawn.iter().find(|(_, item)| over(item));
        let hovered = row.map(|(row, _)| row.id);
        if self.hovered != hovered {
            self.hovered = hovered;
            self.view.redraw(cx);
        }
    }

    fn open_menu_at(&self, cx: &mut Cx, pointer: DVec2) {
        let over = |item: &WidgetRef| seen(cx, item.area()).contains(pointer);
        if let Some((row, _)) = self.drawn.iter().find(|(_, item)| over(item)) {
            let at = Place {
                x: pointer.x,
                y: pointer.y,
            };
            cx.action(Msg::OpenMenu {
                of: MenuOf::Download(row.id),
                at,
            });
        }
    }
}

/// Tells which button of a row was pressed.
fn take_pressed(cx: &mut Cx, actions: &Actions, row: &DownloadRow, item: &WidgetRef) {
    let pressed = |button: &[LiveId]| item.push_button(button).clicked(actions);
    for (button, msg) in [
        (id!(pause), DownloadsMsg::Pause(row.id)),
        (id!(resume), DownloadsMsg::Resume(row.id)),
        (id!(retry), DownloadsMsg::Retry(row.id)),
        (id!(use_it), DownloadsMsg::UseInChat(row.id)),
        (id!(show), DownloadsMsg::ShowInFolder(row.id)),
        (id!(remove), DownloadsMsg::Remove(row.id)),
    ] {
        if pressed(button) {
            tell(cx, msg);
        }
    }
    if let Some(page) = row.page.as_ref().filter(|_| pressed(id!(page))) {
        cx.action(Msg::FollowLink(page.clone()));
    }
    if pressed(id!(more)) {
        open_menu_below(cx, MenuOf::Download(row.id), &item.widget(id!(more)));
    }
}

fn open_menu_below(cx: &mut Cx, of: MenuOf, widget: &WidgetRef) {
    let place = seen(cx, widget.area());
    let at = Place {
        x: place.pos.x,
        y: place.pos.y + place.size.y + 4.0,
    };
    cx.action(Msg::OpenMenu { of, at });
}

fn tell(cx: &mut Cx, msg: DownloadsMsg) {
    cx.action(Msg::Downloads(msg));
}
