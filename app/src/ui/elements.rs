//! The names of what stands still in the window, in reading order: the way of the Tab key, and what tests
//! find elements by. Rows of lists have their names where the list is.

use makepad_widgets::*;

use super::chat::conversation::*;
use super::chat::files;
use super::chat::list::*;
use super::chat::panel::elements as panel;
use super::chat::queue::*;
use super::discover::elements as discover;
use super::downloads::panel::*;
use super::my_models::elements as my_models;
use super::overlay::load_dialog::elements as load_dialog;
use super::overlay::toasts::*;
#[cfg(feature = "probe")]
use super::overlay::{menu::*, palette::*, picker::*};
use super::server::elements as server;
use super::settings::elements as settings;
#[cfg(feature = "probe")]
use super::widget::stack::*;

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
    sight!("rail.serving", rail.serving),
    control!("rail.downloads", rail.downloads),
    sight!("rail.badge", rail.badge.count),
    control!("rail.settings", rail.settings),
    control!("list.new_folder", chats.new_folder),
    control!("list.new", chats.new),
    control!("list.search", chats.search.input),
    control!("list.search.leave", chats.leave),
    sight!("list.empty", chats.empty),
    rows!("list.rows", chats, |cx, list| list.as_chat_list().stops(cx)),
    control!("list.show", header.show_chats),
    control!("picker.button", header.picker),
    sight!("picker.name", header.picker.name),
    sight!("picker.doing", header.picker.doing),
    control!("picker.eject", header.eject),
    control!("panel.toggle", header.show_panel),
    sight!("picker.menu", picker.card),
    control!("picker.words", picker.words.input),
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
    rows!("queue", queue, |_, queue| queue.as_queue().stops()),
    rows!("composer.file", composer.files, |_, it| files::stops(it)),
    control!("composer.input", composer.input),
    control!("composer.attach", composer.attach),
    sight!("composer.tokens", composer.tokens),
    sight!("composer.context", composer.context),
    control!("composer.send", composer.send),
    control!("composer.stop", composer.stop),
    rows!("panel", chat_panel, |_, it| panel::stops(it)),
    control!("models.filter", models_page.model_filter.input),
    control!("models.favourites", models_page.favourites),
    control!("models.import", models_page.import_file),
    control!("models.find", models_page.find_models),
    control!("models.find_first", no_models.find_first),
    control!("models.import_first", no_models.import_first),
    rows!("models.list", model_list, my_models::list_stops),
    sight!("models.selected", selected_bar.selected_label),
    control!("models.select_none", selected_bar.select_none),
    control!("models.delete_selected", selected_bar.delete_selected),
    sight!("models.details.title", model_details.details_title),
    control!("models.details.favourite", model_details.favourite),
    control!("models.details.close", model_details.close_details),
    control!("models.details.about", model_details.part_about),
    control!("models.details.metadata", model_details.part_metadata),
    control!("models.details.template", model_details.part_template),
    control!("models.details.tensors", model_details.part_tensors),
    sight!("models.details.damage", model_details.damage.why),
    control!("models.details.name", model_details.model_name.input),
    control!("models.details.tags", model_details.model_tags.input),
    control!("models.details.notes", model_details.model_notes.input),
    sight!("models.details.fault", model_details.notes_fault.why),
    rows!("models.details.facts", fact_list, |_, it| my_models::fact_stops(
        it
    )),
    control!("models.details.open_template", model_details.open_template),
    control!("models.details.template_text", model_details.template_text.input),
    control!("models.details.sample_system", model_details.sample_system.input),
    control!(
        "models.details.sample_message",
        model_details.sample_message.input
    ),
    control!("models.details.preview", model_details.preview_text.input),
    sight!("models.details.preview_words", model_details.preview_words.words),
    control!("models.details.preview_now", model_details.preview_now),
    sight!("server.state.off", resting.label),
    sight!("server.state.on", serving.label),
    sight!("server.in_flight", in_flight),
    control!("server.power", power),
    sight!("server.address", connection.address),
    control!("server.copy_address", connection.copy_address),
    control!("server.port", connection.port),
    sight!("server.reach", connection.reach),
    sight!("server.trouble", trouble.text),
    control!("server.use_free_port", trouble.act),
    control!("server.network", connection.network),
    control!("server.keys_required", connection.keys_required),
    control!("server.origins", connection.origins_button),
    rows!("server.origins.rows", connection.origins, |_, it| {
        server::origin_stops(it)
    }),
    control!("server.origin", connection.origin_field),
    control!("server.origin.add", connection.add_origin),
    sight!("server.origin.problem", connection.origin_problem.why),
    control!("server.start_with", connection.start_with),
    control!("server.new_key", server_keys.new_key),
    sight!("server.key.first", naming.first),
    control!("server.key.name", naming.name),
    sight!("server.key.problem", naming.problem.why),
    control!("server.key.cancel", naming.cancel),
    control!("server.key.make", naming.make),
    sight!("server.key.secret", made.secret),
    control!("server.key.done", made.done),
    control!("server.key.copy", made.copy_key),
    rows!("server.keys", server_keys.list, |_, it| server::key_stops(it)),
    control!("server.endpoint.models", endpoints.models),
    control!("server.endpoint.chat", endpoints.chat),
    control!("server.endpoint.text", endpoints.text),
    control!("server.endpoint.vectors", endpoints.vectors),
    rows!("server.models", loaded_models.list, |_, it| server::model_stops(
        it
    )),
    sight!("server.models.stay", loaded_models.stay),
    sight!("server.usage.memory", server_usage.memory_now),
    sight!("server.usage.cpu", server_usage.cpu_now),
    control!("server.example.curl", example.curl),
    control!("server.example.python", example.python),
    control!("server.example.js", example.java_script),
    control!("server.example.copy", example.copy_example),
    sight!("server.example", example.code),
    sight!("server.log.count", server_log.count),
    control!("server.log.pause", server_log.pause),
    control!("server.log.follow", server_log.follow),
    control!("server.log.copy", server_log.copy_log),
    control!("server.log.clear", server_log.clear),
    control!("server.log.filter", server_log.filter),
    control!("server.log.all", server_log.all),
    control!("server.log.requests", server_log.requests),
    control!("server.log.warnings", server_log.warnings),
    control!("server.log.errors", server_log.errors),
    control!("server.log", server_log.lines),
    rows!("settings", settings_page, |_, it| settings::stops(it)),
    sight!("page.discover", discover_page),
    control!("discover.words", discover_page.words.input),
    control!("discover.words.clear", discover_page.clear_words),
    sight!("discover.vram", discover_page.vram.label),
    sight!("discover.ram", discover_page.ram.label),
    control!("discover.fits", discover_page.chips.fits),
    control!("discover.tools", discover_page.chips.tools),
    control!("discover.vision", discover_page.chips.vision),
    control!("discover.reasoning", discover_page.chips.reasoning),
    control!("discover.embedding", discover_page.chips.embedding),
    control!("discover.code", discover_page.chips.code),
    control!("discover.size", discover_page.size_select),
    sight!("discover.size.chosen", discover_page.size_select.label),
    control!("discover.sort", discover_page.sort_select),
    sight!("discover.sort.chosen", discover_page.sort_select.label),
    sight!("discover.list", model_cards.list),
    sight!("discover.list.title", model_cards.head_title),
    sight!("discover.list.count", model_cards.head_count),
    sight!("discover.list.loading", model_cards.loading),
    sight!("discover.note", model_cards.note.text),
    control!("discover.note.act", model_cards.note.act),
    sight!("discover.nothing.title", model_cards.nothing.search.title),
    control!("discover.nothing.act", model_cards.nothing.search.act),
    sight!("discover.offline.title", model_cards.nothing.offline.title),
    control!("discover.offline.act", model_cards.nothing.offline.act),
    rows!("discover.models", model_cards, |cx, it| discover::card_stops(
        cx, it
    )),
    rows!("discover.details", found_model, |_, it| discover::stops(it)),
    sight!("discover.name", found_model.model_name),
    sight!("discover.summary", found_model.model_summary),
    sight!("discover.back", found_model.back),
    sight!("discover.favourite", found_model.favourite),
    sight!("discover.open_page", found_model.open_page),
    sight!("discover.details.note", found_model.details_note.text),
    sight!("discover.details.page", found_model.details_note.page),
    sight!("discover.details.act", found_model.details_note.act),
    sight!("discover.licence", found_model.fact_1.value),
    sight!("discover.likes", found_model.fact_4.value),
    sight!("discover.context", found_model.memory.context),
    sight!("discover.context.slider", found_model.context_slider),
    sight!("discover.needs", found_model.memory.needs),
    sight!("discover.has", found_model.memory.has),
    sight!("discover.main", found_model.files_head.main),
    sight!("discover.files", found_model.file_count),
    sight!("discover.age", found_model.age),
    sight!("page.models", models_page),
    sight!("page.server", server_page),
    sight!("page.settings", settings_page),
    sight!("downloads", downloads_panel.card),
    sight!("downloads.caption", downloads_panel.caption),
    control!("downloads.pause_all", downloads_panel.pause_all),
    control!("downloads.resume_all", downloads_panel.resume_all),
    control!("downloads.limits", downloads_panel.limits),
    control!("downloads.close", downloads_panel.close),
    sight!("downloads.nothing", downloads_panel.nothing.title),
    control!("downloads.find", downloads_panel.nothing.find),
    control!("downloads.again", downloads_panel.nothing.again),
    rows!("downloads.rows", downloads_panel, |cx, it| {
        it.as_downloads_panel().stops(cx)
    }),
    sight!("downloads.free", downloads_panel.free),
    control!("downloads.clear", downloads_panel.clear),
    sight!("confirm.title", confirm.title),
    sight!("confirm.text", confirm.text),
    control!("confirm.cancel", confirm.cancel),
    control!("confirm.do", confirm.card.confirm),
    sight!("import.title", import_model.title),
    control!("import.path", import_model.path.input),
    control!("import.browse", import_model.browse),
    sight!("import.fault", import_model.fault),
    control!("import.copy", import_model.way_copy),
    control!("import.move", import_model.way_move),
    control!("import.link", import_model.way_link),
    control!("import.hard_link", import_model.way_hard),
    control!("import.cancel", import_model.cancel),
    control!("import.do", import_model.take),
    sight!("clean_up.words", clean_up.words),
    rows!("clean_up", clean_up, |_, it| my_models::leftover_stops(it)),
    sight!("clean_up.cancel", clean_up.cancel),
    sight!("clean_up.do", clean_up.remove),
    sight!("link.title", link.title),
    sight!("link.address", link.address),
    control!("link.copy", link.copy),
    control!("link.cancel", link.cancel),
    control!("link.open", link.open),
    sight!("path_form.title", path_form.title),
    sight!("path_form.fault", path_form.fault),
    control!("path_form.path", path_form.path.input),
    control!("path_form.browse", path_form.browse),
    control!("path_form.cancel", path_form.cancel),
    control!("path_form.do", path_form.take),
    sight!("text_view.title", text_view.title),
    control!("text_view.text", text_view.text.input),
    control!("text_view.close", text_view.close),
    rows!("load_dialog", load_dialog, |_, it| load_dialog::stops(it)),
    control!("palette.words", palette.words.input),
    sight!("first.title", first_steps.title),
    sight!("first.count", first_steps.count),
    sight!("first.welcome", first_steps.welcome.text),
    sight!("first.model", first_steps.model.text),
    control!("first.theme.system", first_steps.system),
    control!("first.theme.light", first_steps.light),
    control!("first.theme.dark", first_steps.dark),
    control!("first.language.system", first_steps.system_language),
    control!("first.language.english", first_steps.english),
    control!("first.language.german", first_steps.german),
    control!("first.skip", first_steps.skip),
    control!("first.back", first_steps.back),
    control!("first.next", first_steps.next),
    rows!("toasts", toasts, |_, toasts| toasts.as_toasts().stops()),
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
    all.extend(ui.queue(id!(queue)).elements());
    all.extend(files::elements(&ui.stack(id!(composer.files)), "composer.file"));
    all.extend(ui.picker(id!(picker)).elements(state.texts()));
    all.extend(panel::all(ui));
    all.extend(load_dialog::all(ui));
    all.extend(my_models::all(ui, state));
    all.extend(server::all(ui, state));
    all.extend(discover::all(ui, state));
    all.extend(ui.downloads_panel(id!(downloads_panel)).elements());
    all.extend(settings::all(ui, state));
    all.extend(ui.menu(id!(menu)).elements());
    all.extend(ui.palette(id!(palette)).elements());
    all.extend(ui.toasts(id!(toasts)).elements());
    all
}
