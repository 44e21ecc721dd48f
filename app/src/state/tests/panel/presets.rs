//! Presets: chosen, saved, renamed, deleted with undo, carried in files.

use hearth_protocol::chat::preset::Preset;

use super::*;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::panel::menus::PanelMenu;

fn preset(name: &str, shipped: bool, temperature: f32) -> Preset {
    let sampling = SamplingParams {
        temperature,
        ..SamplingParams::default()
    };
    Preset {
        name: name.into(),
        shipped,
        options: TurnOptions {
            sampling: Some(sampling),
            system_prompt: Some(format!("{name}.")),
            ..TurnOptions::default()
        },
    }
}

/// A desk with one preset of the person's and one of Hearth's.
fn desk() -> Desk {
    let mut desk = super::desk();
    let all = vec![preset("Precise", false, 0.1), preset("Coding", true, 0.2)];
    desk.all([told(PanelNews::Presets(Ok(all)))]);
    desk.log.clear();
    desk
}

fn choose(name: &str) -> Msg {
    set(PanelMsg::ChoosePreset(name.into()))
}

fn items(desk: &Desk) -> Vec<String> {
    let items = desk.state.menu_items(MenuOf::Panel(PanelMenu::Presets));
    items
        .into_iter()
        .map(|item| format!("{:?} {}", item.glyph, item.label))
        .collect()
}

fn name(text: &str) -> [Msg; 2] {
    [set(PanelMsg::NameTyped(text.into())), set(PanelMsg::TakeName)]
}

#[test]
fn a_preset_sets_what_it_says_and_leaves_the_rest() {
    let mut desk = desk();
    desk.all([
        set(PanelMsg::SetContextPolicy(ContextPolicy::Rolling)),
        choose("Coding"),
    ]);
    let now = desk.state.effective();
    assert_eq!(
        (now.sampling.temperature, now.system_prompt.as_str()),
        (0.2, "Coding.")
    );
    assert_eq!(now.answer.context_policy, ContextPolicy::Rolling);
    assert_eq!(shown(&desk).preset, "Coding");
    desk.all([typed(Parameter::TopK, "7")]);
    assert_eq!(shown(&desk).preset, "Coding, changed");
    assert_eq!(kept(&update(&mut desk, Msg::Tick)).len(), 1);
}

#[test]
fn a_chat_that_is_opened_shows_the_preset_it_was_given() {
    let mut desk = desk();
    assert_eq!(shown(&desk).preset, "No preset");
    let options = preset("Precise", false, 0.1).options;
    desk.all([
        Msg::OpenChat(ChatId(2)),
        Msg::OpenChat(ChatId(1)),
        opened_with(options),
    ]);
    assert_eq!(shown(&desk).preset, "Precise");
}

#[test]
fn only_the_person_s_own_can_be_renamed_and_deleted() {
    let mut desk = desk();
    desk.all([choose("Coding")]);
    let of_hearth = [
        "None Precise",
        "Check Coding",
        "Add Save as a preset",
        "Export Export",
        "Import Import a preset",
    ];
    assert_eq!(items(&desk), of_hearth);
    desk.all([set(PanelMsg::DeletePreset), set(PanelMsg::BeginRename)]);
    assert!(!desk.log.contains("Delete(") && desk.state.panel.presets.naming.is_none());
    desk.all([choose("Precise")]);
    assert!(
        items(&desk).contains(&"Trash Delete".to_owned()) && items(&desk).contains(&"Edit Rename".to_owned())
    );
    desk.all([Msg::OpenMenu {
        of: MenuOf::Panel(PanelMenu::Presets),
        at: Place::default(),
    }]);
    assert!(desk.told().contains("menu Panel(Presets)"));
}

#[test]
fn settings_are_saved_under_a_name() {
    let mut desk = desk();
    desk.all([typed(Parameter::TopK, "7"), set(PanelMsg::BeginSave)]);
    assert!(desk.log.contains("FocusName"));
    desk.all(name("  "));
    let remark = |desk: &Desk| desk.state.panel.presets.remark(desk.state.texts());
    assert_eq!(remark(&desk).as_deref(), Some("Type a name."));
    desk.all([set(PanelMsg::NameTyped("precise".into()))]);
    assert_eq!(remark(&desk).as_deref(), Some("Replaces “Precise”."));
    desk.all(name("coding"));
    assert!(remark(&desk).is_some_and(|remark| remark.contains("came with Hearth")));
    let problem = "came with Hearth and stays as it is";
    desk.all([told(PanelNews::Saved(Err(Error::invalid("coding", problem))))]);
    assert_eq!(remark(&desk), Some(format!("That name {problem}.")));
    desk.all(name("Mine"));
    assert!(
        desk.log.contains("name: \"Mine\"") && desk.log.contains("top_k: 7"),
        "{}",
        desk.log
    );
    desk.log.clear();
    desk.all([told(PanelNews::Saved(Ok(preset("Mine", false, 0.8))))]);
    assert!(desk.state.panel.presets.naming.is_none() && desk.log.contains("ListPresets"));
}

#[test]
fn a_preset_gets_another_name() {
    let mut desk = desk();
    desk.all([choose("Precise"), set(PanelMsg::BeginRename)]);
    desk.all(name("Exact"));
    assert!(
        desk.log.contains("Rename { name: \"Precise\", to: \"Exact\" }"),
        "{}",
        desk.log
    );
    let renamed = Preset {
        name: "Exact".into(),
        ..preset("Precise", false, 0.1)
    };
    desk.all([
        told(PanelNews::Renamed(Ok(renamed.clone()))),
        told(PanelNews::Presets(Ok(vec![renamed]))),
    ]);
    assert_eq!(
        shown(&desk).preset,
        "Exact",
        "the one that is chosen is still the same"
    );
}

#[test]
fn a_deleted_preset_comes_back_with_undo() {
    let mut desk = desk();
    desk.all([choose("Precise"), set(PanelMsg::DeletePreset)]);
    assert!(
        !items(&desk).iter().any(|item| item.contains("Precise")),
        "at once"
    );
    let deleted = Box::new(preset("Precise", false, 0.1));
    desk.all([told(PanelNews::Deleted {
        preset: deleted,
        result: Ok(()),
    })]);
    let toast = desk
        .state
        .toasts
        .shown()
        .first()
        .map(|toast| toast.id)
        .expect("a toast");
    desk.log.clear();
    desk.all([Msg::TakeToastAction(toast)]);
    assert!(desk.log.contains("Save { name: \"Precise\""), "{}", desk.log);
    desk.all([told(PanelNews::Saved(Ok(preset("Precise", false, 0.1))))]);
    assert!(desk.log.contains("ListPresets"));

    // One that was not deleted is listed again.
    desk.log.clear();
    let kept = Box::new(preset("Precise", false, 0.1));
    desk.all([told(PanelNews::Deleted {
        preset: kept,
        result: Err(trouble()),
    })]);
    assert!(desk.log.contains("ListPresets") && desk.told().contains("The preset was not deleted"));
}

#[test]
fn a_preset_goes_to_a_file_and_comes_from_one() {
    let mut desk = desk();
    desk.all([choose("Coding"), set(PanelMsg::AskExport), Msg::TakePath]);
    assert!(
        desk.log
            .contains("Export { name: \"Coding\", path: \"/home/ada/Coding.json\" }"),
        "{}",
        desk.log
    );
    desk.all([told(PanelNews::Exported(Ok(())))]);
    assert!(desk.told().contains("toast Done Preset exported: ~/Coding.json"));
    desk.all([
        set(PanelMsg::AskImport),
        Msg::PathChanged("/tmp/a.json".into()),
        Msg::TakePath,
    ]);
    assert!(desk.log.contains("Import(\"/tmp/a.json\")"), "{}", desk.log);
    desk.all([told(PanelNews::Imported(Err(Error::invalid(
        "a.json",
        "is no preset of Hearth's",
    ))))]);
    assert!(desk.told().contains("fault: a.json is no preset of Hearth's"));
    desk.all([
        Msg::TakePath,
        told(PanelNews::Imported(Ok(preset("New", false, 1.0)))),
    ]);
    assert!(
        desk.told()
            .contains("toast Done Preset imported: It is called “New”.")
    );
}
