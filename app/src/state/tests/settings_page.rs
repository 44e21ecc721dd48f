//! The page of settings: its rows, the folders, and what is done with all data.

mod machine;

use hearth_protocol::engine::{FlashAttention, KvType};
use hearth_protocol::library::{DiskUse, SourceUse};

use super::*;
use crate::msg::settings::{SettingsMsg, SettingsNews};
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::settings::knob::{Card, Knob};
use crate::state::settings::rows::{Control, SettingRow};

/// A desk with the settings read and nothing told yet.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.all([settings_read()]);
    desk.log.clear();
    desk
}

fn set(msg: SettingsMsg) -> Msg {
    Msg::Settings(msg)
}

fn told(news: SettingsNews) -> Msg {
    Msg::Backend(News::SettingsPage(news))
}

fn row(desk: &Desk, card: Card, knob: Knob) -> SettingRow {
    let mut rows = desk.state.setting_rows(card).into_iter();
    rows.find(|row| row.knob == knob).expect("a row")
}

fn text(row: &SettingRow) -> &str {
    match &row.control {
        Control::Field { text, .. } => text,
        other => panic!("{other:?} is no field"),
    }
}

#[test]
fn each_change_acts_at_once_and_an_arrow_takes_it_back() {
    let mut desk = desk();
    let offline = |desk: &Desk| row(desk, Card::Network, Knob::Offline);
    assert!(!offline(&desk).changed);
    desk.all([set(SettingsMsg::Flip(Knob::Offline, true))]);
    assert_eq!(offline(&desk).control, Control::Switch(true));
    assert!(offline(&desk).changed && desk.state.settings().offline);
    desk.all([set(SettingsMsg::Reset(Knob::Offline))]);
    assert!(!offline(&desk).changed && !desk.state.settings().offline);
    // What is so already is not stored again.
    desk.all([set(SettingsMsg::Reset(Knob::Offline))]);
    assert_eq!(desk.log.matches("write settings").count(), 2, "{}", desk.log);
}

#[test]
fn a_number_counts_once_it_is_taken_and_only_where_it_can() {
    let cases = [
        ("3", Some(3), ""),
        (" 8 ", Some(8), ""),
        ("9", None, "from 1 to 8"),
        ("0", None, "from 1 to 8"),
        ("many", None, "from 1 to 8"),
        ("", None, "from 1 to 8"),
    ];
    for (typed, counts, problem) in cases {
        let mut desk = desk();
        let knob = Knob::DownloadsAtOnce;
        desk.all([set(SettingsMsg::Typed(knob, typed.into()))]);
        assert_eq!(
            desk.state.settings().downloads_at_once,
            2,
            "not before it is taken"
        );
        desk.all([set(SettingsMsg::Commit(knob))]);
        let row = row(&desk, Card::Downloads, knob);
        assert_eq!(
            desk.state.settings().downloads_at_once,
            counts.unwrap_or(2),
            "{typed}"
        );
        assert!(row.problem.contains(problem), "{typed}: {}", row.problem);
        assert_eq!(row.problem.is_empty(), counts.is_some(), "{typed}");
        if counts.is_none() {
            assert_eq!(text(&row), typed, "what was typed stays to be mended");
            desk.all([Msg::ShowPage(Page::Settings), Msg::Escape]);
            let row = super::settings_page::row(&desk, Card::Downloads, knob);
            assert_eq!((text(&row), row.problem.as_str()), ("2", ""));
        }
    }
}

#[test]
fn an_empty_field_is_what_it_says_while_it_is_empty() {
    let mut desk = desk();
    let take = |knob, text: &str| {
        [
            set(SettingsMsg::Typed(knob, text.into())),
            set(SettingsMsg::Commit(knob)),
        ]
    };
    desk.all(take(Knob::SpeedLimit, "2,5"));
    assert_eq!(
        desk.state.settings().download_speed_limit,
        Some(ByteSize(2_500_000))
    );
    desk.all(take(Knob::SpeedLimit, ""));
    assert_eq!(desk.state.settings().download_speed_limit, None);
    desk.all(take(Knob::IdleMinutes, ""));
    assert_eq!(desk.state.settings().idle_unload_minutes, None);
    desk.all(take(Knob::Mirror, " https://hub.example.org/ "));
    assert_eq!(
        desk.state.settings().hub_endpoint.as_deref(),
        Some("https://hub.example.org")
    );
    desk.all(take(Knob::Mirror, "hub"));
    let mirror = row(&desk, Card::Network, Knob::Mirror);
    assert!(mirror.problem.contains("http://"), "{}", mirror.problem);
    assert_eq!(text(&mirror), "hub");
    assert_eq!(
        desk.state.settings().hub_endpoint.as_deref(),
        Some("https://hub.example.org")
    );
    desk.all([set(SettingsMsg::Reset(Knob::Mirror))]);
    let mirror = row(&desk, Card::Network, Knob::Mirror);
    assert_eq!(
        (text(&mirror), mirror.problem.as_str(), mirror.changed),
        ("", "", false)
    );
}

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let mut desk = desk();
    desk.all([
        set(SettingsMsg::Choose(Knob::FlashAttention, 2)),
        set(SettingsMsg::Choose(Knob::KvFormat, 1)),
    ]);
    let load = &desk.state.settings().load;
    assert_eq!(
        (load.flash_attention, load.kv_type_v),
        (FlashAttention::Off, KvType::F16)
    );
    let refused = row(&desk, Card::Loading, Knob::KvFormat);
    assert!(!refused.problem.is_empty() && !refused.changed);
    desk.all([
        set(SettingsMsg::Reset(Knob::FlashAttention)),
        set(SettingsMsg::Choose(Knob::KvFormat, 1)),
    ]);
    let taken = row(&desk, Card::Loading, Knob::KvFormat);
    assert_eq!(taken.problem, "");
    assert_eq!(desk.state.settings().load.kv_type_v, KvType::Q8_0);
}

#[test]
fn a_change_that_could_not_be_stored_is_taken_back_and_says_why() {
    let mut desk = desk();
    desk.all([
        set(SettingsMsg::Flip(Knob::Titles, false)),
        Msg::Backend(News::SettingsWritten(Err(busy()))),
    ]);
    assert!(desk.state.settings().automatic_titles);
    let toasts = desk.state.toasts.shown();
    assert_eq!(toasts[0].title, "The settings were not stored");
    assert!(!toasts[0].text.is_empty());
}

#[test]
fn folders_are_added_refused_and_removed() {
    let mut desk = desk();
    desk.all([
        set(SettingsMsg::AskFolder),
        Msg::PathChanged("models".into()),
        Msg::TakePath,
    ]);
    let Some(Overlay::PathForm(form)) = &desk.state.overlay else {
        panic!("the form stays open");
    };
    assert!(form.fault.as_ref().is_some_and(|fault| !fault.is_empty()) && !form.running);
    desk.all([Msg::PathChanged("~/models".into()), Msg::TakePath]);
    assert!(desk.state.overlay.is_none());
    let folder = std::path::PathBuf::from("/home/ada/models");
    assert_eq!(desk.state.settings().model_folders, std::slice::from_ref(&folder));
    let labels: Vec<_> = desk
        .state
        .folder_rows()
        .into_iter()
        .map(|row| row.label)
        .collect();
    assert_eq!(labels, ["~/Hearth/models", "Hugging Face cache", "~/models"]);
    desk.all([set(SettingsMsg::RemoveFolder(folder))]);
    assert_eq!(
        desk.state.settings().model_folders,
        <[std::path::PathBuf; 0]>::default()
    );
}

#[test]
fn the_models_of_a_program_are_used_or_not() {
    let mut desk = desk();
    let used = DiskUse {
        sources: vec![SourceUse {
            source: Source::Ollama,
            models: 2,
            size: ByteSize(5_400_000_000),
        }],
        ..DiskUse::default()
    };
    desk.all([told(SettingsNews::DiskUse(Ok(used)))]);
    let ollama = |desk: &Desk| {
        desk.state
            .folder_rows()
            .into_iter()
            .find(|row| row.label == "Ollama")
    };
    let row = ollama(&desk).expect("it is here");
    assert_eq!(row.detail.replace('\u{a0}', " "), "2 models · 5.40 GB");
    desk.all([
        set(SettingsMsg::UseSource(Source::Ollama, false)),
        told(SettingsNews::DiskUse(Ok(DiskUse::default()))),
    ]);
    assert_eq!(desk.state.settings().ignored_sources, [Source::Ollama]);
    assert!(ollama(&desk).is_some(), "it can be used again");
    desk.all([set(SettingsMsg::UseSource(Source::Ollama, true))]);
    assert_eq!(desk.state.settings().ignored_sources, []);
}

#[test]
fn all_is_deleted_after_a_question_and_hearth_ends() {
    let mut desk = desk();
    desk.all([set(SettingsMsg::AskDeleteAll), Msg::Escape]);
    assert!(!desk.log.contains("DeleteAll"), "{}", desk.log);
    desk.all([set(SettingsMsg::AskDeleteAll)]);
    let Some(Overlay::Confirm(confirm)) = &desk.state.overlay else {
        panic!("it is asked first");
    };
    assert!(
        confirm.text.contains("~/Hearth/models"),
        "it says what stays: {}",
        confirm.text
    );
    desk.all([Msg::TakeConfirmed]);
    assert!(
        desk.log.contains("DeleteAll") && !desk.log.contains("Quit"),
        "{}",
        desk.log
    );
    desk.all([told(SettingsNews::AllDeleted(Err(trouble())))]);
    assert!(!desk.log.contains("Quit"), "what cannot be deleted ends nothing");
    desk.all([told(SettingsNews::AllDeleted(Ok(())))]);
    assert!(desk.log.ends_with("-> Quit\n"), "{}", desk.log);
}

#[test]
fn what_is_typed_counts_where_its_page_is_left_or_hearth_ends() {
    for leaves in [Msg::ShowPage(Page::Chat), Msg::Closing] {
        let mut desk = desk();
        desk.all([set(SettingsMsg::Typed(Knob::IdleMinutes, "7".into())), leaves]);
        assert_eq!(desk.state.settings().idle_unload_minutes, Some(7));
    }
}

#[test]
fn all_data_are_moved_where_the_place_does_and_hearth_opens_again() {
    let mut desk = desk();
    let form = [
        set(SettingsMsg::AskMoveData),
        Msg::PathChanged("~/full".into()),
        Msg::TakePath,
        // It is being looked at, and cannot be taken back.
        Msg::Escape,
        Msg::CloseOverlay,
    ];
    desk.all(form);
    assert!(desk.log.contains("MoveData"), "{}", desk.log);
    desk.all([told(SettingsNews::DataMoves(Err(trouble())))]);
    let Some(Overlay::PathForm(form)) = &desk.state.overlay else {
        panic!("another place can be named");
    };
    assert!(form.fault.is_some() && !form.running);
    assert!(!desk.log.contains("OpenAgain"), "{}", desk.log);
    let form = [
        Msg::PathChanged("~/free".into()),
        Msg::TakePath,
        told(SettingsNews::DataMoves(Ok(()))),
    ];
    desk.all(form);
    assert!(desk.log.ends_with("-> OpenAgain\n"), "{}", desk.log);
}

#[test]
fn folders_of_chats_are_as_they_were_left() {
    let mut desk = Desk::new();
    desk.all([settings_read(), filed()]);
    let work = desk.state.chats.folders()[1].id;
    desk.all([Msg::ToggleFolder(work)]);
    assert_eq!(
        desk.state
            .settings()
            .folded_folders
            .iter()
            .copied()
            .collect::<Vec<_>>(),
        [work]
    );
    let kept = desk.state.settings().clone();
    let mut desk = Desk::new();
    desk.all([Msg::Backend(News::SettingsRead(Ok(kept))), filed()]);
    assert!(
        !desk.told().contains("nested"),
        "the chats of the folder are not shown"
    );
}

#[test]
fn a_model_is_chosen_to_answer_where_none_is_named() {
    let mut desk = desk();
    desk.all([
        files(),
        Msg::OpenMenu {
            of: MenuOf::DefaultModel,
            at: Place::default(),
        },
    ]);
    assert_eq!(desk.state.default_model(), "The last one");
    desk.all([Msg::TakeItem(1)]);
    let chosen = desk.state.settings().default_model.clone().expect("a model");
    assert!(desk.state.overlay.is_none() && !desk.state.default_model().is_empty());
    let files = desk.state.models.files.as_ref().expect("the files");
    assert!(files.iter().any(|file| file.id == chosen));
    desk.all([set(SettingsMsg::Reset(Knob::DefaultModel))]);
    assert_eq!(desk.state.settings().default_model, None);
}
