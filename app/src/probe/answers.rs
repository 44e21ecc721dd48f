//! What the probe answers: the elements of the window and the state, as JSON.

use makepad_widgets::{Area, Cx, WidgetRef};
use serde_json::{Value, json};

use crate::state::appearance::Shade;
use crate::state::composer::draft::FileMark;
use crate::state::conversation::Entry;
use crate::state::overlay::Overlay;
use crate::state::server::keys::Form;
use crate::state::toast::Toast;
use crate::state::{AppState, Page};
use crate::text::Texts;
use crate::ui::elements::{self, Element};
use crate::ui::keyboard;
use crate::ui::widget::field::*;
use crate::ui::widget::multiline::*;
use crate::ui::widget::place::{self, seen};

/// Pages by the names of their buttons.
const PAGES: [(&str, Page); 5] = [
    ("chat", Page::Chat),
    ("discover", Page::Discover),
    ("models", Page::Models),
    ("server", Page::Server),
    ("settings", Page::Settings),
];

/// The page of this name.
pub(super) fn page(name: &str) -> Option<Page> {
    PAGES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, page)| *page)
}

/// Every named element: those that stand still, then the rows of lists that are in view.
pub(super) fn elements(cx: &mut Cx, ui: &WidgetRef, state: &AppState, scale: f64) -> Vec<Value> {
    elements::all(cx, ui, state)
        .into_iter()
        .map(|element| describe(cx, &element, scale))
        .collect()
}

/// Every control that is drawn, with the name of the element that it is.
pub(super) fn controls(cx: &mut Cx, ui: &WidgetRef, state: &AppState, scale: f64) -> Vec<Value> {
    let elements = elements::all(cx, ui, state);
    let controls = place::drawn_controls(cx);
    let of_control = |area: Area| {
        let mut named = elements.iter();
        let element = named.find(|element| element.part.unwrap_or_else(|| element.widget.area()) == area);
        match element {
            Some(element) => {
                let mut told = describe(cx, element, scale);
                if told["text"] == "" {
                    let placeholders = [
                        element.widget.as_field().placeholder(),
                        element.widget.as_multiline().placeholder(),
                    ];
                    told["text"] = json!(placeholders.concat());
                }
                told
            }
            None => {
                let place = seen(cx, area);
                let (pos, size) = (place.pos * scale, place.size * scale);
                json!({"name": "", "x": pos.x, "y": pos.y, "w": size.x, "h": size.y})
            }
        }
    };
    controls.into_iter().map(of_control).collect()
}

fn describe(cx: &Cx, element: &Element, scale: f64) -> Value {
    let widget = &element.widget;
    let area = element.part.unwrap_or_else(|| widget.area());
    let place = seen(cx, area);
    let visible = keyboard::is_shown(cx, widget) && place.size.x > 0.0;
    json!({
        "name": element.name,
        "x": place.pos.x * scale,
        "y": place.pos.y * scale,
        "w": place.size.x * scale,
        "h": place.size.y * scale,
        "visible": visible,
        "enabled": !widget.disabled(cx),
        "focus": visible && cx.has_key_focus(area),
        "text": element.text.clone().unwrap_or_else(|| widget.text()),
    })
}

/// What the state says.
pub(super) fn state(state: &AppState) -> Value {
    let open = state.open();
    let page = PAGES
        .iter()
        .find(|(_, page)| *page == state.page())
        .map(|(name, _)| *name);
    json!({
        "page": page,
        "theme": state.settings().theme,
        "shade": match state.look().shade {
            Shade::Dark => "dark",
            Shade::Light => "light",
        },
        "language": state.look().language,
        "recording": state.records_keys(),
        "window": state.settings().window,
        "first_start_seen": state.settings().first_start_seen,
        "settings": state.settings(),
        "zoom": state.look().zoom,
        "look": format!(
            "{:?} {:?} {:?}",
            state.look().accent,
            state.look().text_size,
            state.look().density
        ),
        "chat": open.chat,
        "running": open.is_running(),
        "messages": open.entries.iter().map(|it| message(it, state.texts())).collect::<Vec<_>>(),
        "draft": state.composer().draft,
        "draft_tokens": state.composer().tokens,
        "draft_files": names(&state.composer().files),
        "doing": state.header().doing,
        "loaded": state.models.loaded.iter().map(|model| &model.name).collect::<Vec<_>>(),
        "loading": state.models.load.as_ref().map(|load| load.share),
        "picker_open": matches!(state.overlay, Some(Overlay::Picker(_))),
        "renaming": state.chats.rename.is_some(),
        "queue": open.queue.iter().map(|queued| &queued.message.text).collect::<Vec<_>>(),
        "editing": open.editing.as_ref().map(|editing| &editing.text),
        "search": &state.search.words,
        "overlay": state.overlay.as_ref().map(|overlay| match overlay {
            Overlay::Menu(_) => "menu",
            Overlay::Confirm(_) => "confirm",
            Overlay::Link(_) => "link",
            Overlay::PathForm(_) => "path_form",
            Overlay::TextView(_) => "text_view",
            Overlay::Palette(_) => "palette",
            Overlay::Picker(_) => "picker",
            Overlay::LoadDialog(_) => "load",
            Overlay::ImportModel(_) => "import_model",
            Overlay::CleanUp(_) => "clean_up",
            Overlay::FirstStart(_) => "first_start",
        }),
        "in_front": state.is_in_front(),
        "knows_first_start": state.knows_first_start(),
        "toasts": state.toasts.shown().iter().map(|it| toast(it, state.texts())).collect::<Vec<_>>(),
        "server": server(state),
        "downloads": downloads(state),
        "panel": panel(state),
        "banner": state.banner().map(|banner| banner.text),
    })
}

/// What the state says of the server. The new key is told here, since the window may cut it.
fn server(state: &AppState) -> Value {
    let shown = state.server_view();
    let secret = match &state.server.keys.form {
        Form::Made { secret, .. } => Some(secret.expose()),
        Form::Closed | Form::Naming { .. } => None,
    };
    json!({
        "state": state.texts().say(shown.state, &[]),
        "address": shown.address,
        "config": shown.config,
        "trouble": shown.trouble.map(|trouble| trouble.text),
        "secret": secret,
        "keys": state.key_rows().len(),
        "lines": state.server.log.len(),
    })
}

/// What the state says of downloads, in the order of the panel.
fn downloads(state: &AppState) -> Value {
    let rows = state.downloads.shown().map(|download| {
        json!({
            "id": download.id,
            "model": download.request.model,
            "file": download.request.file,
            "state": download.state,
            "done": download.done,
            "total": download.total,
        })
    });
    json!({
        "open": state.downloads.is_open,
        "active": state.downloads.active(),
        "rows": rows.collect::<Vec<_>>(),
    })
}

/// What counts for the next answer of the open chat, and whether the panel that says so is shown.
fn panel(state: &AppState) -> Value {
    let now = state.effective();
    json!({
        "shown": state.panel_is_shown(),
        "preset": state.panel_view().preset,
        "system_prompt": now.system_prompt,
        "sampling": now.sampling,
        "answer": now.answer,
        "presets": state.panel.presets.listed().iter().map(|preset| &preset.name).collect::<Vec<_>>(),
    })
}

fn message(entry: &Entry, texts: &Texts) -> Value {
    json!({
        "id": entry.id,
        "role": if entry.from_person { "user" } else { "assistant" },
        "text": entry.body.text(),
        "files": names(&entry.files),
        "model": entry.model,
        "version": entry.version,
        "stop": entry.stop,
        "stats": entry.stats,
        "failure": entry.failure.as_ref().map(|failure| format!("{}: {}", texts.say(failure.title, &[]), failure.text(texts))),
    })
}

fn names(files: &[FileMark]) -> Vec<&str> {
    files.iter().map(|file| file.name.as_str()).collect()
}

fn toast(toast: &Toast, texts: &Texts) -> Value {
    json!({
        "title": toast.title,
        "text": toast.text,
        "action": toast.action.as_ref().map(|action| texts.say(action.label(), &[])),
    })
}
