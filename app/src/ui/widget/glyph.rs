//! An icon that the state names: for rows whose icons differ.

use makepad_widgets::*;

use crate::state::overlay::Glyph;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::icons::*;

    pub AnyGlyph = {{AnyGlyph}} {
        width: 16, height: 16
        draw_icon: {
            color: (COLOR_TEXT_3)
            fn get_color(self) -> vec4 {
                return self.color;
            }
        }
        chat: (ICON_CHAT), new_chat: (ICON_NEW_CHAT), edit: (ICON_EDIT), pin: (ICON_PIN)
        unpin: (ICON_PIN_FILLED), folder: (ICON_FOLDER), copy: (ICON_COPY), export: (ICON_EXTERNAL)
        import: (ICON_IMPORT), trash: (ICON_TRASH), regenerate: (ICON_REGENERATE), go_on: (ICON_ARROW_RIGHT)
        branch: (ICON_BRANCH), send: (ICON_SEND), add: (ICON_PLUS), stop: (ICON_STOP), models: (ICON_MODELS)
        eject: (ICON_EJECT), discover: (ICON_DISCOVER), server: (ICON_SERVER), downloads: (ICON_DOWNLOAD)
        settings: (ICON_SETTINGS), search: (ICON_SEARCH), sun: (ICON_SUN), moon: (ICON_MOON), check: (ICON_CHECK)
        attach: (ICON_ATTACH), letters: (ICON_TYPE), pause: (ICON_PAUSE), play: (ICON_PLAY), up: (ICON_ARROW_UP)
        down: (ICON_ARROW_DOWN), heart: (ICON_HEART), info: (ICON_INFO), eye: (ICON_EYE)
    }
}

/// An icon that is named at run time.
#[derive(Live, LiveHook, Widget)]
pub struct AnyGlyph {
    #[redraw]
    #[live]
    draw_icon: DrawIcon,
    #[walk]
    walk: Walk,
    #[live(true)]
    #[visible]
    visible: bool,
    #[rust(Glyph::None)]
    glyph: Glyph,
    #[live]
    chat: ArcStringMut,
    #[live]
    new_chat: ArcStringMut,
    #[live]
    edit: ArcStringMut,
    #[live]
    pin: ArcStringMut,
    #[live]
    unpin: ArcStringMut,
    #[live]
    folder: ArcStringMut,
    #[live]
    copy: ArcStringMut,
    #[live]
    export: ArcStringMut,
    #[live]
    import: ArcStringMut,
    #[live]
    trash: ArcStringMut,
    #[live]
    regenerate: ArcStringMut,
    #[live]
    go_on: ArcStringMut,
    #[live]
    branch: ArcStringMut,
    #[live]
    send: ArcStringMut,
    #[live]
    add: ArcStringMut,
    #[live]
    stop: ArcStringMut,
    #[live]
    models: ArcStringMut,
    #[live]
    eject: ArcStringMut,
    #[live]
    discover: ArcStringMut,
    #[live]
    server: ArcStringMut,
    #[live]
    downloads: ArcStringMut,
    #[live]
    settings: ArcStringMut,
    #[live]
    search: ArcStringMut,
    #[live]
    sun: ArcStringMut,
    #[live]
    moon: ArcStringMut,
    #[live]
    check: ArcStringMut,
    #[live]
    attach: ArcStringMut,
    #[live]
    letters: ArcStringMut,
    #[live]
    pause: ArcStringMut,
    #[live]
    play: ArcStringMut,
    #[live]
    up: ArcStringMut,
    #[live]
    down: ArcStringMut,
    #[live]
    heart: ArcStringMut,
    #[live]
    info: ArcStringMut,
    #[live]
    eye: ArcStringMut,
}

impl Widget for AnyGlyph {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        match self.path() {
            Some(path) => {
                self.draw_icon.svg_path = ArcStringMut::Arc(path.as_arc());
                self.draw_icon.draw_walk(cx, walk);
            }
            None => {
                cx.walk_turtle(walk);
            }
        }
        DrawStep::done()
    }
}

impl AnyGlyph {
    fn path(&self) -> Option<&ArcStringMut> {
        Some(match self.glyph {
            Glyph::None => return None,
            Glyph::Chat => &self.chat,
            Glyph::NewChat => &self.new_chat,
            Glyph::Edit => &self.edit,
            Glyph::Pin => &self.pin,
            Glyph::Unpin => &self.unpin,
            Glyph::Folder => &self.folder,
            Glyph::Copy => &self.copy,
            Glyph::Export => &self.export,
            Glyph::Import => &self.import,
            Glyph::Trash => &self.trash,
            Glyph::Regenerate => &self.regenerate,
            Glyph::Continue => &self.go_on,
            Glyph::Branch => &self.branch,
            Glyph::Send => &self.send,
            Glyph::Add => &self.add,
            Glyph::Stop => &self.stop,
            Glyph::Models => &self.models,
            Glyph::Eject => &self.eject,
            Glyph::Discover => &self.discover,
            Glyph::Server => &self.server,
            Glyph::Downloads => &self.downloads,
            Glyph::Settings => &self.settings,
            Glyph::Search => &self.search,
            Glyph::Sun => &self.sun,
            Glyph::Moon => &self.moon,
            Glyph::Check => &self.check,
            Glyph::Attach => &self.attach,
            Glyph::Text => &self.letters,
            Glyph::Pause => &self.pause,
            Glyph::Play => &self.play,
            Glyph::Up => &self.up,
            Glyph::Down => &self.down,
            Glyph::Heart => &self.heart,
            Glyph::Info => &self.info,
            Glyph::Eye => &self.eye,
        })
    }
}

impl AnyGlyphRef {
    /// Shows this icon from the next draw on.
    pub(crate) fn set(&self, glyph: Glyph) {
        if let Some(mut any) = self.borrow_mut() {
            any.glyph = glyph;
        }
    }
}
