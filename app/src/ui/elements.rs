//! The names of what stands still in the window, in reading order: the way of the Tab key, and what tests
//! find elements by. Rows of lists have their names where the list is.

use makepad_widgets::*;

use super::chat::conversation::*;
use super::chat::list::*;
#[cfg(feature = "probe")]
use super::overlay::picker::*;
use super::overlay::toasts::*;

/// An element with its name.
#[derive(Debug)]
pub(crate) struct Named {
    /// Its name, stable between versions.
    #[cfg_attr(
        not(feature = "probe"),
        expect(dead_code, reason = "only tests ask for names")
    )]
    pub(crate) name: &'static str,
    /// Where it is in the tree of widgets.
    pub(crate) path: &'static [LiveId],
    /// Where Tab stops in it, if it is shown.
    pub(crate) stops: fn(&Cx, &WidgetRef) -> Vec<WidgetRef>,
}

/// A control, where Tab stops.
macro_rules! control {
    ($name:literal, $($path:ident).+) => {
        Named { name: $name, path: &[$(live_id!($path)),+], stops: |_, it| vec![it.clone()] }
    };
}

/// Something to see.
macro_rules! sight {
    ($name:literal, $($path:ident).+) => {
        Named { name: $name, path: &[$(live_id!($path)),+], stops: |_, _| Vec::new() }
    };
}

/// Something with rows or cards that come and go, and the function that tells where Tab stops in them.
macro_rules! rows {
    ($name:literal, $($path:ident).+, $stops:expr) => {
        Named { name: $name, path: &[$(live_id!($path)),+], stops: $stops }
    };
}

/// All of them.
pub(crate) const ELEMENTS: &[Named] = &[
    sight!("banner.warning", warning.text),
    sight!("banner.failure", failure.text),
    control!("rail.chat", rail.chat),
    control!("rail.discover", rail.discover),
    control!("rail.models", rail.models),
    control!("rail.server", rail.server),
    control!("rail.downloads", rail.downloads),
    control!("rail.settings", rail.settings),
    control!("list.new", chats.new),
    sight!("list.empty", chats.empty),
    rows!("list.rows", chats, |cx, list| list.as_chat_list().stops(cx)),
    control!("list.show", header.show_chats),
    control!("picker.button", header.picker),
    sight!("picker.name", header.picker.name),
    sight!("picker.doing", header.picker.doing),
    control!("picker.eject", header.eject),
    sight!("picker.menu", picker.card),
    sight!("greeting.title", greeting.title),
    control!("greeting.look", greeting.look),
    control!("greeting.suggestion.0", greeting.s0),
    control!("greeting.suggestion.1", greeting.s1),
    control!("greeting.suggestion.2", greeting.s2),
    control!("greeting.suggestion.3", greeting.s3),
    sight!("conversation.list", conversation.list),
    rows!("conversation.messages", conversation, |cx, it| it
        .as_conversation()
        .stops(cx)),
    sight!("conversation.unreadable", unreadable.body),
    control!("conversation.again", unreadable.again),
    control!("conversation.newest", conversation.newest),
    sight!("load.title", load_card.title),
    sight!("load.percent", load_card.percent),
    control!("load.cancel", load_card.cancel),
    control!("composer.input", composer.input),
    sight!("composer.context", composer.context),
    control!("composer.send", composer.send),
    control!("composer.stop", composer.stop),
    control!("settings.theme.light", settings_page.light),
    control!("settings.theme.dark", settings_page.dark),
    sight!("settings.data", settings_page.home),
    sight!("settings.models", settings_page.models),
    sight!("settings.version", settings_page.version),
    sight!("page.discover", discover_page),
    sight!("page.models", models_page),
    sight!("page.server", server_page),
    sight!("page.downloads", downloads_page),
    sight!("page.settings", settings_page),
    rows!("toasts", toasts, |_, toasts| toasts.as_toasts().stops()),
    sight!("question.title", question.title),
    sight!("question.address", question.address),
    control!("question.copy", question.copy),
    control!("question.cancel", question.cancel),
    control!("question.open", question.open),
    sight!("tooltip", tooltip.label),
];

/// An element as tests see it.
#[cfg(feature = "probe")]
pub(crate) struct Element {
    /// Its name.
    pub(crate) name: String,
    /// The widget.
    pub(crate) widget: WidgetRef,
    /// Its text, where the widget does not tell it itself.
    pub(crate) text: Option<String>,
    /// Where it is, if it is a part of the widget.
    pub(crate) part: Option<Area>,
}

/// All elements: those that stand still, then the rows of lists.
#[cfg(feature = "probe")]
pub(crate) fn all(cx: &mut Cx, ui: &WidgetRef, state: &crate::state::AppState) -> Vec<Element> {
    let still = ELEMENTS.iter().map(|element| Element {
        name: element.name.to_owned(),
        widget: ui.widget(element.path),
        text: None,
        part: None,
    });
    let mut all: Vec<_> = still.collect();
    all.extend(ui.chat_list(id!(chats)).elements());
    all.extend(ui.conversation(id!(conversation)).elements(cx, state.open()));
    all.extend(ui.picker(id!(picker)).elements());
    all.extend(ui.toasts(id!(toasts)).elements());
    all
}
