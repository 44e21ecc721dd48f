//! The page of settings: its rows, the account, this computer, the folders, and what is done with all data.

use expect_test::expect;
use hearth_protocol::Secret;
use hearth_protocol::engine::{Device, DeviceKind, FlashAttention, GpuLayers, KvType, Usage, UsageEvent};
use hearth_protocol::hub::{HubAccount, HubStatus, TokenSource};
use hearth_protocol::library::{DiskUse, SourceUse};

use super::*;
use crate::msg::settings::{SettingsMsg, SettingsNews};
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::settings::Part;
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

fn hub(token: Option<TokenSource>, offline: bool) -> Msg {
    told(SettingsNews::Hub(Ok(HubStatus {
        endpoint: "https://hub.example.org".into(),
        offline,
        token,
    })))
}

fn marta() -> HubAccount {
    HubAccount {
        name: "marta-k".into(),
        full_name: None,
    }
}

#[test]
fn a_token_is_kept_once_the_hub_knows_it_and_forgotten_again() {
    let mut desk = desk();
    desk.all([
        Msg::ShowPage(Page::Settings),
        set(SettingsMsg::ShowPart(Part::Network)),
        hub(None, false),
    ]);
    let view = |desk: &Desk| desk.state.account_view();
    assert_eq!(
        (view(&desk).source.as_str(), view(&desk).owner.as_str()),
        ("No token", "")
    );
    assert!(!view(&desk).can_keep && !view(&desk).can_forget);

    // A wrong one is refused with the reason, and can be mended.
    desk.all([
        set(SettingsMsg::TokenTyped(Secret::new("hf_wrong"))),
        set(SettingsMsg::KeepToken),
        set(SettingsMsg::KeepToken),
    ]);
    assert_eq!(desk.log.matches("KeepToken(Secret)").count(), 1, "{}", desk.log);
    assert!(!desk.log.contains("hf_wrong"));
    desk.all([told(SettingsNews::TokenKept(Err(Error::NotSignedIn)))]);
    assert!(!view(&desk).problem.is_empty() && view(&desk).can_keep);
    assert_eq!(view(&desk).typed, "hf_wrong");

    desk.all([
        set(SettingsMsg::TokenTyped(Secret::new("hf_right"))),
        set(SettingsMsg::KeepToken),
        told(SettingsNews::TokenKept(Ok(marta()))),
        hub(Some(TokenSource::File), false),
        told(SettingsNews::Owner(Ok(marta()))),
    ]);
    assert_eq!(view(&desk).owner, "marta-k");
    assert_eq!(
        (view(&desk).typed.as_str(), view(&desk).problem.as_str()),
        ("", "")
    );
    assert!(view(&desk).is_known && view(&desk).can_forget);

    desk.all([
        set(SettingsMsg::ForgetToken),
        told(SettingsNews::TokenForgotten(Ok(()))),
        hub(None, false),
    ]);
    assert_eq!(
        (view(&desk).source.as_str(), view(&desk).owner.as_str()),
        ("No token", "")
    );
}

#[test]
fn offline_the_hub_is_not_asked_whose_token_it_is() {
    let mut desk = desk();
    desk.all([hub(Some(TokenSource::Environment), true)]);
    assert!(!desk.log.contains("ReadOwner"), "{}", desk.log);
    let view = desk.state.account_view();
    assert_eq!(view.owner, "Not asked while offline");
    assert!(
        !view.can_forget,
        "what the environment brings is not Hearth's to forget"
    );
    desk.all([hub(Some(TokenSource::Environment), false)]);
    assert!(desk.log.contains("ReadOwner"), "{}", desk.log);
}

#[test]
fn what_hearth_takes_is_measured_while_it_is_in_sight() {
    let mut desk = desk();
    desk.all([
        Msg::ShowPage(Page::Server),
        Msg::ShowPage(Page::Chat),
        Msg::ShowPage(Page::Settings),
        set(SettingsMsg::ShowPart(Part::Hardware)),
        set(SettingsMsg::ShowPart(Part::About)),
    ]);
    let told: Vec<_> = desk.log.lines().filter(|line| line.contains("Usage")).collect();
    expect![[r#"
        -> SettingsPage(WatchUsage)
        -> SettingsPage(LeaveUsage)
        -> SettingsPage(WatchUsage)
        -> SettingsPage(LeaveUsage)"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn a_minute_of_figures_is_kept_and_shares_are_of_the_whole() {
    let mut desk = desk();
    let usage = |second: u32| {
        told(SettingsNews::Usage(UsageEvent::Usage(Usage {
            cpu_percent: (second > 0).then_some(25.0),
            memory: ByteSize(2_000_000_000),
            memory_free: None,
            memory_total: Some(ByteSize(8_000_000_000)),
        })))
    };
    assert_eq!(desk.state.usage_view().memory.now, "");
    desk.all([usage(0)]);
    assert_eq!(
        desk.state.usage_view().cpu.now,
        "",
        "the first time tells no share"
    );
    desk.all((1..100).map(usage));
    let view = desk.state.usage_view();
    assert_eq!(view.memory.now.replace('\u{a0}', " "), "2.00 GB of 8.00 GB");
    assert_eq!(view.cpu.now.replace('\u{a0}', " "), "25 %");
    assert_eq!((view.memory.minute.len(), view.cpu.minute.len()), (60, 60));
    assert!((view.memory.minute[0] - 0.25).abs() < 1e-6);
}

fn device(name: &str, kind: DeviceKind) -> Device {
    Device {
        name: name.into(),
        description: format!("A {name}"),
        kind,
        memory_total: Some(ByteSize(8_000_000_000)),
        memory_free: Some(ByteSize(6_000_000_000)),
    }
}

#[test]
fn models_use_the_cards_that_are_on() {
    let mut desk = desk();
    desk.all([
        Msg::ShowPage(Page::Settings),
        set(SettingsMsg::ShowPart(Part::Hardware)),
        set(SettingsMsg::LookForDevices),
    ]);
    assert_eq!(desk.log.matches("ListDevices").count(), 1, "{}", desk.log);
    assert!(!desk.state.devices_note().is_empty());
    desk.all([told(SettingsNews::Devices(Ok(vec![
        device("Vulkan0", DeviceKind::Gpu),
        device("Vulkan1", DeviceKind::Gpu),
        device("CPU", DeviceKind::Cpu),
    ])))]);
    let used = |desk: &Desk| -> Vec<_> { desk.state.device_rows().iter().map(|row| row.used).collect() };
    assert_eq!(used(&desk), [Some(true), Some(true), None]);
    assert_eq!(
        desk.state.device_rows()[0].memory.replace('\u{a0}', " "),
        "2.00 of 8.00 GB"
    );
    let turn = |name: &str, on| set(SettingsMsg::UseDevice(name.into(), on));
    let load = |desk: &Desk| {
        let load = &desk.state.settings().load;
        (load.devices.clone(), load.gpu_layers)
    };
    desk.all([turn("Vulkan0", false)]);
    assert_eq!(load(&desk), (vec!["Vulkan1".to_owned()], GpuLayers::Auto));
    desk.all([turn("Vulkan1", false)]);
    assert_eq!(
        load(&desk),
        (vec![], GpuLayers::Count(0)),
        "the processor computes all"
    );
    assert_eq!(used(&desk), [Some(false), Some(false), None]);
    desk.all([turn("Vulkan1", true)]);
    assert_eq!(load(&desk), (vec!["Vulkan1".to_owned()], GpuLayers::Auto));
    desk.all([turn("Vulkan0", true)]);
    assert_eq!(load(&desk), (vec![], GpuLayers::Auto));
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
fn kept_states_are_told_and_emptied() {
    let mut desk = desk();
    assert!(!desk.state.keeps_something());
    desk.all([told(SettingsNews::Kept(Ok(ByteSize(1_200_000_000))))]);
    assert!(desk.state.keeps_something());
    assert_eq!(desk.state.kept_size().replace('\u{a0}', " "), "1.20 GB");
    desk.all([
        set(SettingsMsg::EmptyKept),
        told(SettingsNews::Emptied(Ok(ByteSize(1_200_000_000)))),
    ]);
    assert!(
        desk.log.contains("EmptyKept")
            && desk
                .log
                .ends_with("-> SettingsPage(ReadKept)\n-> TickAfter(5000)\n")
    );
    assert_eq!(desk.state.toasts.shown()[0].title, "Emptied");
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
