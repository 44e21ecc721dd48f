//! The account at the hub, and this computer: its devices, what Hearth takes of it, and what is kept on its disk.

use expect_test::expect;
use hearth_protocol::Secret;
use hearth_protocol::engine::{Device, DeviceKind, GpuLayers, Usage, UsageEvent};
use hearth_protocol::hub::{HubAccount, HubStatus, TokenSource};

use super::*;
use crate::state::Redraw;
use crate::state::settings::Part;

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

/// A window that rests draws nothing, also where it shows what Hearth takes.
#[test]
fn figures_that_look_as_those_before_are_not_drawn() {
    let mut desk = desk();
    let mut draws = |cpu, memory| {
        desk.all([told(SettingsNews::Usage(UsageEvent::Usage(Usage {
            cpu_percent: Some(cpu),
            memory: ByteSize(memory),
            memory_free: None,
            memory_total: Some(ByteSize(8_000_000_000)),
        })))]);
        desk.state.redraw() != Redraw::Never
    };
    assert!(draws(1.0, 200_000_000), "the first one");
    assert!(!draws(0.4, 201_000_000));
    assert!(draws(40.0, 201_000_000), "more is computed");
    assert!(draws(1.0, 201_000_000), "its bar moves on");
    for _ in 0..59 {
        assert!(draws(1.0, 201_000_000));
    }
    assert!(!draws(1.0, 201_000_000), "a minute later it is out of sight");
    assert!(draws(1.0, 300_000_000), "more is kept in memory");
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
