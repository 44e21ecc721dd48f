//! The colours of sources: a mark beside a name, and the bar that shares the disk among them. A name always goes with a
//! colour.

use hearth_protocol::library::Source;
use makepad_widgets::*;

use crate::state::my_models::view::SourceShare;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub Tints = {{Tints}} {
        hearth: (COLOR_DATA_1)
        lm_studio: (COLOR_DATA_2)
        ollama: (COLOR_DATA_3)
        hugging_face: (COLOR_DATA_4)
        jan: (COLOR_MOSS)
        gpt4all: (COLOR_LAKE)
        llama_cpp: (COLOR_IRIS)
        folder: (COLOR_ROSE)
    }
    pub SourceMark = {{SourceMark}} {
        width: 8, height: 8
        tints: <Tints> {}
        draw_bg: {
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 2.0, self.dpi_factor);
                return vec4(self.color.rgb, 1.0) * shape;
            }
        }
    }
    pub DiskBar = {{DiskBar}} {
        width: Fill, height: 8
        tints: <Tints> {}
        color_track: (COLOR_TRACK)
        draw_bg: {
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 2.0, self.dpi_factor);
                return vec4(self.color.rgb, 1.0) * shape;
            }
        }
    }
}

/// Between two parts of the bar, and the narrowest part that is still seen, in pixels.
const GAP: f64 = 2.0;
const NARROWEST: f64 = 3.0;

/// The colour of each source.
#[derive(Live, LiveHook, LiveRegister)]
#[live_ignore]
pub struct Tints {
    #[live]
    hearth: Vec4,
    #[live]
    lm_studio: Vec4,
    #[live]
    ollama: Vec4,
    #[live]
    hugging_face: Vec4,
    #[live]
    jan: Vec4,
    #[live]
    gpt4all: Vec4,
    #[live]
    llama_cpp: Vec4,
    #[live]
    folder: Vec4,
}

impl Tints {
    fn of(&self, source: Source) -> Vec4 {
        match source {
            Source::Starter | Source::Hearth => self.hearth,
            Source::LmStudio => self.lm_studio,
            Source::Ollama => self.ollama,
            Source::HuggingFace => self.hugging_face,
            Source::Jan => self.jan,
            Source::Gpt4All => self.gpt4all,
            Source::LlamaCpp => self.llama_cpp,
            Source::Folder => self.folder,
        }
    }
}

/// A square in the colour of a source.
#[derive(Live, LiveHook, Widget)]
pub struct SourceMark {
    #[redraw]
    #[live]
    draw_bg: DrawColor,
    #[live]
    tints: Tints,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    #[rust(Source::Hearth)]
    source: Source,
}

impl Widget for SourceMark {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        self.draw_bg.color = self.tints.of(self.source);
        self.draw_bg.draw_walk(cx, walk);
        DrawStep::done()
    }
}

impl SourceMarkRef {
    /// Shows the colour of this source.
    pub fn set(&self, source: Source) {
        if let Some(mut mark) = self.borrow_mut() {
            mark.source = source;
        }
    }
}

/// A bar of what each source takes, and what is free behind them.
#[derive(Live, LiveHook, Widget)]
pub struct DiskBar {
    #[redraw]
    #[live]
    draw_bg: DrawColor,
    #[live]
    tints: Tints,
    #[live]
    color_track: Vec4,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    #[rust]
    shares: Vec<(Source, f64)>,
}

impl Widget for DiskBar {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        self.draw_bg.color = self.color_track;
        let whole = cx.walk_turtle(walk);
        self.draw_bg.draw_abs(cx, whole);
        let mut left = whole.pos.x;
        let end = whole.pos.x + whole.size.x;
        for (source, share) in &self.shares {
            let width = (whole.size.x * share - GAP).max(NARROWEST).min(end - left);
            if width <= 0.0 {
                break;
            }
            self.draw_bg.color = self.tints.of(*source);
            let part = Rect {
                pos: dvec2(left, whole.pos.y),
                size: dvec2(width, whole.size.y),
            };
            self.draw_bg.draw_abs(cx, part);
            left += width + GAP;
        }
        DrawStep::done()
    }
}

impl DiskBarRef {
    /// Shows these shares.
    pub fn set(&self, sources: &[SourceShare]) {
        if let Some(mut bar) = self.borrow_mut() {
            bar.shares = sources.iter().map(|it| (it.source, it.share)).collect();
        }
    }
}
