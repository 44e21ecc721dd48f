//! How the rows of a conversation look, and what each shows.

use makepad_widgets::*;

use super::actions;
use super::code_block::*;
use super::editor;
use super::files;
use super::frame::*;
use super::painter::{Key, Painter};
use super::paragraph::*;
use super::picture::*;
use super::rows::Row;
use super::table::*;
use crate::state::AppState;
use crate::state::blocks::{Block, Kind};
use crate::state::conversation::{Conversation, Entry};
use crate::state::turn::Turn;
use crate::text::{Texts, key, say};
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::progress::*;
    use crate::ui::chat::actions::*;
    use crate::ui::chat::bubble::*;
    use crate::ui::chat::files::*;
    use crate::ui::chat::frame::*;
    use crate::ui::chat::paragraph::*;
    use crate::ui::chat::table::*;
    use crate::ui::chat::picture::*;
    use crate::ui::chat::code_block::*;

    MessageRow = <View> { width: Fill, height: Fit }

    pub UserRow = <MessageRow> {
        flow: Down
        // A message may be no more than its files.
        said = <View> { width: Fill, height: Fit, bubble = <Bubble> {} }
        files = <SentFiles> { margin: { top: 6 } }
    }
    // As high as the space that an answer keeps from its question.
    pub UserActionsRow = <MessageRow> {
        height: 28
        buttons = <UserActions> {}
    }
    pub HeadRow = <MessageRow> {
        height: 24, flow: Right
        spacing: 8, align: { y: 0.5 }
        <Surface> {
            width: 24, height: 24, align: { x: 0.5, y: 0.5 }
            draw_bg: { color: (COLOR_ACCENT_SOFT), line: (COLOR_NONE), radius: 8.0 }
            <Glyph> {
                icon_walk: { width: 15, height: 15 }
                draw_icon: { color: (COLOR_ACCENT_TEXT), svg_path: (ICON_FLAME) }
            }
        }
        name = <Small> { max_width: 400.0, draw_text: { text_style: <FONT_SMALL_BOLD> {} } }
        time = <Caption> {}
    }
    AsideRow = <MessageRow> {
        padding: { top: 10 }
        fold = <SecondaryButton> {
            spacing: 8
            draw_bg: { color: (COLOR_NONE) }
            draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_SMALL> {} }
            draw_icon: { color: (COLOR_TEXT_3), color_hover: (COLOR_TEXT_3) }
            draw_end: { svg_path: (ICON_CHEVRON_RIGHT) }
        }
    }
    pub ThoughtRow = <AsideRow> { fold = { draw_icon: { svg_path: (ICON_THOUGHT) } } }
    pub OpenThoughtRow = <ThoughtRow> { fold = { draw_end: { svg_path: (ICON_CHEVRON_DOWN) } } }
    pub ToolRow = <AsideRow> { fold = { draw_icon: { svg_path: (ICON_WRENCH) } } }
    pub OpenToolRow = <ToolRow> { fold = { draw_end: { svg_path: (ICON_CHEVRON_DOWN) } } }
    pub AsideParagraphRow = <Framed> { body = <Paragraph> { ink: { color: (COLOR_TEXT_2) } } }
    pub TitleRow = <Framed> { body = <Title> {} }
    pub HeadingRow = <Framed> { body = <HeadingParagraph> {} }
    pub SmallHeadingRow = <Framed> { body = <SmallHeading> {} }
    pub ParagraphRow = <Framed> { body = <Paragraph> {} }
    pub CodeRow = <Framed> { body = <CodeBlock> {} }
    pub TableRow = <Framed> { body = <TableText> {} }
    pub PictureRow = <Framed> { body = <Picture> {} }
    pub RuleRow = <Framed> { body = <LineH> { margin: { bottom: 2 }, draw_bg: { color: (COLOR_LINE) } } }
    pub FormulaRow = <Framed> {
        body = <View> {
            width: Fill, height: Fit, flow: Right
            padding: { left: 12 }, align: { y: 0.5 }
            clip_x: false, clip_y: false
            formula = <Formula> {}
            copy = <IconButton> { tip: (TEXT_COPY_FORMULA), draw_icon: { svg_path: (ICON_COPY) } }
        }
    }
    pub WaitingRow = <MessageRow> {
        flow: Down
        padding: { top: 12 }, spacing: 8
        <View> {
            width: Fill, height: 20, flow: Right, align: { y: 0.5 }
            what = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
            how_far = <Small> {}
        }
        bar = <ProgressBar> {}
    }
    pub StatsRow = <MessageRow> { padding: { top: 10 }, body = <Caption> { width: Fill } }
    pub ActionsRow = <MessageRow> {
        height: 34, padding: { top: 6 }, margin: { left: -6 }
        buttons = <AnswerActions> {}
    }
    pub FailureRow = <MessageRow> {
        padding: { top: 12 }
        <Surface> {
            width: Fill, height: Fit, flow: Right
            padding: { left: 12, right: 12, top: 10, bottom: 12 }, spacing: 12
            draw_bg: { color: (COLOR_BAD_SOFT), line: (COLOR_NONE), radius: 10.0 }
            <View> {
                width: Fit, height: Fit, padding: { top: 1 }
                <Glyph18> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } }
            }
            <View> {
                width: Fill, height: Fit, flow: Down
                spacing: 4
                title = <Strong> { width: Fill }
                reason = <TextBlock> {}
                log = <View> {
                    width: Fill, height: Fit, margin: { top: 4 }
                    lines = <TextBlock> { draw_text: { text_style: <FONT_CODE_SMALL> {} } }
                }
                retry = <SmallButton> {
                    margin: { top: 6 }
                    text: (TEXT_TRY_AGAIN), draw_icon: { svg_path: (ICON_RETRY) }
                }
            }
        }
    }
}

/// Lines of the engine's log that a failure shows; the last ones say most.
const LOG_LINES: usize = 4;

/// What the rows of a conversation show beyond its state.
pub(super) struct Showing<'a> {
    /// The state.
    pub(super) state: &'a AppState,
    /// The message under the pointer, which shows its buttons.
    pub(super) hovered: Option<usize>,
    /// The row whose text was copied just now, which says so.
    pub(super) copied: Option<Row>,
    /// Code blocks whose lines wrap.
    pub(super) wrapped: &'a [Row],
    /// Who colours code.
    pub(super) painter: &'a mut Painter,
}

impl Showing<'_> {
    /// Puts what a row shows into its widget, which may have shown another row before.
    pub(super) fn fill(&mut self, cx: &mut Cx, row: Row, item: &WidgetRef) {
        let chat = self.state.open();
        let Some(index) = row.message() else { return };
        let Some(entry) = chat.entries.get(index) else {
            return;
        };
        match row {
            Row::User(_) => {
                item.widget(id!(said))
                    .set_visible(cx, !entry.body.text().is_empty());
                item.widget(id!(bubble)).set_text(cx, entry.body.text());
                files::fill(cx, self.state.texts(), &item.widget(id!(files)), &entry.files);
            }
            Row::Head(_) => self.fill_head(cx, entry, chat.is_written(index), item),
            Row::Aside(_, aside) => {
                let title = entry
                    .asides
                    .get(aside)
                    .map(|aside| aside.title(self.state.texts()));
                item.push_button(id!(fold))
                    .set_text(cx, &title.unwrap_or_default());
            }
            Row::Block(_, block) => {
                let writing = chat.is_written(index);
                self.fill_block(cx, row, (entry.body.blocks(), block), writing, item);
            }
            Row::AsideBlock(_, aside, block) => {
                let blocks = entry
                    .asides
                    .get(aside)
                    .map_or(&[][..], |aside| aside.body.blocks());
                self.fill_block(cx, row, (blocks, block), false, item);
            }
            Row::Waiting(_) => fill_waiting(cx, item, chat.turn.as_ref(), self.state.texts()),
            Row::Stats(_) => item
                .text_line(id!(body))
                .set_text(cx, &chat.stats_line(index, self.state.texts())),
            Row::Actions(_) => {
                let is_last = index + 1 == chat.entries.len();
                let shown = entry.id.is_some() && (is_last || self.hovered == Some(index));
                item.view(id!(buttons)).set_visible(cx, shown);
                item.widget(id!(copied)).set_visible(cx, self.copied == Some(row));
                actions::fill(cx, item, chat, index);
            }
            Row::Edit(_) => editor::fill(cx, item, chat, entry),
            Row::Failure(_) => {
                fill_failure(cx, self.state.texts(), entry, chat.can_answer_again(index), item)
            }
            Row::Unread(_) | Row::Top | Row::Gap | Row::Tail => (),
        }
    }

    fn fill_head(&self, cx: &mut Cx, entry: &Entry, written: bool, item: &WidgetRef) {
        // An answer tells its model at its end; until then it is the one in memory.
        let current = self.state.models.current().filter(|_| written);
        let name = entry.model.as_ref().or(current.map(|model| &model.name));
        let begun = entry.created_at.map(|at| self.state.present().clock(at));
        let name = name.cloned();
        let name = name.unwrap_or_else(|| say!(self.state.texts(), "message-answer"));
        item.text_line(id!(name)).set_text(cx, &name);
        item.text_line(id!(time)).set_text(cx, &begun.unwrap_or_default());
    }

    /// Fills in one of these blocks.
    fn fill_block(
        &mut self,
        cx: &mut Cx,
        row: Row,
        blocks: (&[Block], usize),
        writing: bool,
        item: &WidgetRef,
    ) {
        let (blocks, index) = blocks;
        let Some(block) = blocks.get(index) else { return };
        let above = index.checked_sub(1).and_then(|above| blocks.get(above));
        let writing = writing && index + 1 == blocks.len();
        let copied = self.copied == Some(row);
        let is_aside = matches!(row, Row::AsideBlock(..));
        item.as_framed().set(above, block, is_aside);
        match &block.kind {
            Kind::Heading { text, .. } | Kind::Paragraph(text) => {
                item.paragraph(id!(body)).set(text, writing)
            }
            Kind::Table(table) => item.table_text(id!(body)).set(table),
            Kind::Maths { text, .. } => item.paragraph(id!(formula)).set(text, false),
            Kind::Code { language, text } => {
                let wraps = self.wrapped.contains(&row);
                let key: Key = (self.state.open().key, row);
                let lines = self.painter.lines(key, language, text, SignalToUI::set_ui_signal);
                item.text_line(id!(language)).set_text(cx, language);
                item.code_text(id!(code)).set(key, lines, wraps);
                item.push_button(id!(wrap)).set_on(cx, wraps);
                let copy = if copied {
                    key!("message-copied")
                } else {
                    key!("action-copy")
                };
                let copy = self.state.texts().say(copy, &[]);
                item.push_button(id!(copy)).set_text(cx, &copy);
            }
            Kind::Picture { text, data } => item.picture(id!(body)).set(cx, self.state.texts(), text, data),
            Kind::Rule => (),
        }
    }
}

fn fill_waiting(cx: &mut Cx, item: &WidgetRef, turn: Option<&Turn>, texts: &Texts) {
    let Some(waiting) = turn.and_then(|turn| turn.waiting(texts)) else {
        return;
    };
    item.text_line(id!(what))
        .set_text(cx, &texts.say(waiting.what, &[]));
    item.text_line(id!(how_far)).set_text(cx, &waiting.how_far);
    item.progress_bar(id!(bar))
        .set_visible(cx, waiting.share.is_some());
    item.progress_bar(id!(bar))
        .set(waiting.share.unwrap_or_default(), Level::Normal);
}

fn fill_failure(cx: &mut Cx, texts: &Texts, entry: &Entry, can_retry: bool, item: &WidgetRef) {
    let Some(failure) = &entry.failure else { return };
    let log = failure.log();
    let from = log.len().saturating_sub(LOG_LINES);
    item.text_line(id!(title))
        .set_text(cx, &texts.say(failure.title, &[]));
    item.label(id!(reason)).set_text(cx, &failure.text(texts));
    item.view(id!(log)).set_visible(cx, !log.is_empty());
    item.label(id!(log.lines)).set_text(cx, &log[from..].join("\n"));
    item.widget(id!(retry)).set_visible(cx, can_retry);
}

/// The design of a row, by its name in the list.
pub(super) fn template(row: Row, chat: &Conversation) -> LiveId {
    match row {
        Row::Top => live_id!(Top),
        Row::User(_) => live_id!(User),
        Row::Head(_) => live_id!(Head),
        Row::Aside(message, aside) => {
            let aside = &chat.entries[message].asides[aside];
            match (aside.is_thought(), aside.open) {
                (true, false) => live_id!(Thought),
                (true, true) => live_id!(OpenThought),
                (false, false) => live_id!(Tool),
                (false, true) => live_id!(OpenTool),
            }
        }
        Row::AsideBlock(message, aside, block) => {
            match &chat.entries[message].asides[aside].body.blocks()[block].kind {
                Kind::Paragraph(_) => live_id!(AsideParagraph),
                kind => template_of_block(kind),
            }
        }
        Row::Block(message, block) => template_of_block(&chat.entries[message].body.blocks()[block].kind),
        Row::Waiting(_) => live_id!(Waiting),
        Row::Stats(_) => live_id!(Stats),
        Row::Unread(_) => live_id!(Unread),
        Row::Actions(message) if chat.entries[message].from_person => live_id!(UserActions),
        Row::Actions(_) => live_id!(Actions),
        Row::Edit(_) => live_id!(Edit),
        Row::Failure(_) => live_id!(Failure),
        Row::Gap => live_id!(Gap),
        Row::Tail => live_id!(Tail),
    }
}

fn template_of_block(kind: &Kind) -> LiveId {
    match kind {
        Kind::Heading { level: 1, .. } => live_id!(Title),
        Kind::Heading { level: 2, .. } => live_id!(Heading),
        Kind::Heading { .. } => live_id!(SmallHeading),
        Kind::Paragraph(_) => live_id!(Paragraph),
        Kind::Code { .. } => live_id!(Code),
        Kind::Table(_) => live_id!(Table),
        Kind::Maths { .. } => live_id!(Formula),
        Kind::Picture { .. } => live_id!(Picture),
        Kind::Rule => live_id!(Rule),
    }
}
