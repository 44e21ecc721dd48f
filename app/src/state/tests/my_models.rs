//! The page of model files: sorting, filtering, selecting, deleting, importing, notes, leftovers, folders.

mod changing;
mod files;
mod walk;

use std::path::PathBuf;

use expect_test::expect;
use hearth_protocol::library::{
    DeleteRequest, DiskUse, FileDeleted, FileNotes, FileRecord, ImportEvent, ImportMode, LibraryEvent,
    SourceUse,
};

use super::*;
use crate::effect::BackendEffect;
use crate::effect::my_models::MyModelsEffect;
use crate::msg::my_models::{MyModelsMsg, MyModelsNews};
use crate::state::my_models::{Column, Pick};
use crate::state::overlay::Overlay;

const GEMMA: &str = "lm_studio/google/gemma-GGUF/gemma.gguf";

fn act(msg: MyModelsMsg) -> Msg {
    Msg::MyModels(msg)
}

fn tell(news: MyModelsNews) -> Msg {
    Msg::Backend(News::MyModels(news))
}

fn id(file: &str) -> FileId {
    FileId::from(file)
}

/// The usual models and one of LM Studio's, each with something to sort by.
fn library() -> Vec<LibraryFile> {
    let sized = |file: LibraryFile, size: u64, parameters: u64| LibraryFile {
        size: ByteSize(size),
        parameters: Some(parameters),
        ..file
    };
    vec![
        sized(file(SMOL, Source::Starter), 98_362_432, 135_000_000),
        sized(file(QWEN, Source::Hearth), 2_500_000_000, 4_000_000_000),
        LibraryFile {
            model: Some("google/gemma-GGUF".into()),
            path: "/home/ada/.lmstudio/models/google/gemma-GGUF/gemma.gguf".into(),
            architecture: Some("gemma3".into()),
            ..sized(file(GEMMA, Source::LmStudio), 8_150_000_000, 12_200_000_000)
        },
        LibraryFile {
            state: FileState::Damaged {
                reason: "it ends early".into(),
            },
            ..file("hearth/broken.gguf", Source::Hearth)
        },
    ]
}

fn record(file: &str, used_at: Option<i64>, tags: &[&str], favourite: bool) -> FileRecord {
    FileRecord {
        file: id(file),
        notes: FileNotes {
            notes: String::new(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            favourite,
        },
        used_at: used_at.map(UnixMillis),
    }
}

/// A desk at the page, with the library and its records, and nothing told yet.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.all([
        settings_read(),
        Msg::ShowPage(Page::Models),
        tell(MyModelsNews::Library(LibraryEvent::Files(library()))),
        tell(MyModelsNews::Records(Ok(vec![
            record(SMOL, Some(NOW - MINUTE), &[], false),
            record(QWEN, Some(NOW - 3 * DAY), &["work"], true),
        ]))),
    ]);
    desk.log.clear();
    desk
}

impl Desk {
    /// The names of the models that are shown, each with a star where it is selected.
    fn table(&self) -> String {
        let rows = self.state.shown_files().map(|file| self.state.model_row(file));
        let rows = rows.map(|row| format!("{}{}", row.name, if row.selected { "*" } else { "" }));
        rows.collect::<Vec<_>>().join(" ")
    }

    /// What the page wants of the backend for models, since the last time.
    fn wants(&mut self) -> String {
        std::mem::take(&mut self.log).replace('\u{a0}', "_")
    }
}

#[test]
fn the_page_asks_for_its_files_once_and_for_the_rest_each_time() {
    let mut desk = Desk::new();
    desk.all([Msg::ShowPage(Page::Models)]);
    expect![[r#"
        -> MyModels(Watch)
        -> MyModels(ReadRecords)
        -> MyModels(ReadDiskUse)
    "#]]
    .assert_eq(&desk.wants());
    desk.all([Msg::ShowPage(Page::Settings), Msg::ShowPage(Page::Models)]);
    assert_eq!(
        desk.wants(),
        "-> MyModels(ReadRecords)\n-> MyModels(ReadDiskUse)\n"
    );
    // While the page is out of sight, a change of the files costs nothing more.
    desk.all([
        Msg::ShowPage(Page::Settings),
        tell(MyModelsNews::Library(LibraryEvent::Files(library()))),
    ]);
    assert!(!desk.wants().contains("ReadDiskUse"));
}

#[test]
fn models_are_sorted_by_every_column_and_back() {
    let cases = [
        (None, "smol qwen gemma broken"),
        (Some(Column::Name), "gemma qwen smol broken"),
        (Some(Column::Publisher), "qwen smol gemma broken"),
        (Some(Column::Architecture), "gemma qwen smol broken"),
        (Some(Column::Parameters), "gemma qwen smol broken"),
        (Some(Column::Size), "gemma qwen smol broken"),
        (Some(Column::Source), "qwen smol gemma broken"),
    ];
    for (column, table) in cases {
        let mut desk = desk();
        desk.all(column.map(|column| act(MyModelsMsg::SortBy(column))));
        assert_eq!(desk.table(), table, "{column:?}");
    }
    let mut desk = desk();
    let by_name = || act(MyModelsMsg::SortBy(Column::Name));
    desk.all([by_name(), by_name()]);
    assert_eq!(desk.table(), "smol qwen gemma broken");
    // What is in memory was used now.
    desk.all([act(MyModelsMsg::SortBy(Column::Used)), engine([loaded(4, GEMMA)])]);
    assert_eq!(desk.table(), "gemma smol qwen broken");
}

#[test]
fn the_filter_takes_words_of_all_that_is_shown() {
    let cases = [
        ("", false, "smol qwen gemma broken"),
        ("GEM", false, "gemma"),
        ("google gemma3", false, "gemma"),
        ("q4_1 hearth", false, "smol qwen broken"),
        ("lm studio", false, "gemma"),
        ("work", false, "qwen"),
        ("", true, "qwen"),
        ("gemma", true, ""),
        ("nothing of the kind", false, ""),
    ];
    for (words, favourites, table) in cases {
        let mut desk = desk();
        desk.all([act(MyModelsMsg::FilterChanged(words.into()))]);
        desk.all(favourites.then(|| act(MyModelsMsg::ToggleFavourites)));
        assert_eq!(desk.table(), table, "{words:?} {favourites}");
        desk.all([act(MyModelsMsg::ClearFilters)]);
        assert_eq!(desk.table(), "smol qwen gemma broken");
    }
}

#[test]
fn models_are_selected_one_by_one_in_ranges_and_all() {
    let pick = |file: &str, how| act(MyModelsMsg::Select { file: id(file), how });
    let mut desk = desk();
    let steps = [
        (pick(QWEN, Pick::One), "smol qwen* gemma broken"),
        (pick(GEMMA, Pick::Toggle), "smol qwen* gemma* broken"),
        (pick(QWEN, Pick::Toggle), "smol qwen gemma* broken"),
        // A range goes from the one that was taken last.
        (pick(SMOL, Pick::UpTo), "smol* qwen* gemma broken"),
        (pick(GEMMA, Pick::UpTo), "smol qwen* gemma* broken"),
        (pick(GEMMA, Pick::One), "smol qwen gemma* broken"),
        (act(MyModelsMsg::SelectAll), "smol* qwen* gemma* broken*"),
        (Msg::Escape, "smol qwen gemma broken"),
        (pick("hearth/none.gguf", Pick::One), "smol qwen gemma broken"),
    ];
    for (msg, table) in steps {
        desk.all([msg.clone()]);
        assert_eq!(desk.table(), table, "{msg:?}");
    }
    // What is filtered out is not selected with all others, and what goes leaves the selection.
    desk.all([
        act(MyModelsMsg::FilterChanged("hearth".into())),
        act(MyModelsMsg::SelectAll),
    ]);
    assert_eq!(
        desk.state.selected_label().map(|it| it.replace('\u{a0}', " ")),
        Some("3 selected, 2.70 GB".into())
    );
    let rest = library().split_off(2);
    desk.all([tell(MyModelsNews::Library(LibraryEvent::Files(rest)))]);
    assert_eq!(desk.table(), "broken*");
}

#[test]
fn the_disk_is_told_with_the_share_of_each_source() {
    let mut desk = desk();
    assert_eq!(desk.state.disk_view(), None);
    let used = |source, models, size| SourceUse {
        source,
        models,
        size: ByteSize(size),
    };
    desk.all([tell(MyModelsNews::DiskUse(Ok(DiskUse {
        total: ByteSize(10_000_000_000),
        sources: vec![
            used(Source::LmStudio, 1, 8_000_000_000),
            used(Source::Hearth, 2, 2_000_000_000),
        ],
        models: Vec::new(),
        leftovers: ByteSize(1_200_000_000),
        free: Some(ByteSize(10_000_000_000)),
    })))]);
    let view = desk.state.disk_view().expect("a view");
    let plain = |text: &str| text.replace('\u{a0}', " ");
    assert_eq!(plain(&view.total), "10.0 GB");
    assert_eq!(plain(&view.models), "in 3 models");
    assert_eq!(plain(&view.free), "10.0 GB free on this disk");
    assert_eq!(plain(&view.leftovers), "Clean up 1.20 GB");
    let shares: Vec<_> = view
        .sources
        .iter()
        .map(|it| (it.name.as_str(), it.share))
        .collect();
    assert_eq!(shares, [("LM Studio", 0.4), ("Hearth", 0.1)]);
}

#[test]
fn a_model_answers_in_a_new_chat() {
    let mut desk = desk();
    desk.all([act(MyModelsMsg::Chat(id(QWEN)))]);
    assert_eq!(desk.state.page(), Page::Chat);
    assert!(desk.wants().contains(&format!("load 1 {QWEN}")));
}

#[test]
fn folders_are_told_with_their_models_and_are_left_out_and_added() {
    let mut desk = desk();
    let folders = |desk: &Desk| {
        let rows = desk.state.my_models.folders().iter();
        let line = |row: &crate::state::my_models::folders::FolderRow| {
            let tag = desk.state.texts().say(row.tag, &[]);
            format!("{} | {} | {tag}\n", row.label, row.models).replace('\u{a0}', " ")
        };
        rows.map(line).collect::<String>()
    };
    expect![[r#"
        ~/Hearth/models | 2 models | Imports go here
        ~/.lmstudio/models | 1 model | LM Studio
    "#]]
    .assert_eq(&folders(&desk));
    desk.all([act(MyModelsMsg::SetIgnored {
        source: Source::LmStudio,
        ignored: true,
    })]);
    assert!(folders(&desk).contains("LM Studio |  | Left out"));
    assert!(desk.wants().contains("write settings"));

    // A folder must be named from the root on.
    desk.all([act(MyModelsMsg::AskFolder)]);
    assert!(desk.wants().contains("PickFolder"));
    desk.all([Msg::PathChanged("models".into()), Msg::TakePath]);
    assert!(desk.told().contains("fault: models must be a whole path"));
    desk.all([Msg::PathPicked(Some("/data/models".into())), Msg::TakePath]);
    assert!(desk.state.overlay.is_none());
    assert!(folders(&desk).contains("/data/models | 0 models | Your folder"));
    assert!(desk.wants().contains("write settings"));
    desk.all([act(MyModelsMsg::RemoveFolder("/data/models".into()))]);
    assert!(!folders(&desk).contains("/data/models"));
}

#[test]
fn the_keys_of_the_search_go_to_the_filter_of_the_page() {
    let mut desk = desk();
    desk.all([Msg::FocusSearch]);
    assert_eq!(desk.wants(), "-> FocusModelFilter\n");
    assert_eq!(desk.state.page(), Page::Models);
}
