//! Whatever happens in whatever order: the selection holds only what is there, and nothing is deleted unasked.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::state::my_models::details::Part;

fn files() -> impl Strategy<Value = FileId> {
    select(vec![SMOL, QWEN, GEMMA, "hearth/broken.gguf", "hearth/none.gguf"]).prop_map(id)
}

fn person() -> impl Strategy<Value = Msg> {
    let msg = prop_oneof![
        2 => (files(), select(vec![Pick::One, Pick::Toggle, Pick::UpTo]))
            .prop_map(|(file, how)| MyModelsMsg::Select { file, how }),
        1 => Just(MyModelsMsg::SelectAll),
        1 => "[a-z]{0,2}".prop_map(MyModelsMsg::FilterChanged),
        1 => select(vec![Column::Name, Column::Size, Column::Used]).prop_map(MyModelsMsg::SortBy),
        2 => files().prop_map(MyModelsMsg::AskDelete),
        1 => Just(MyModelsMsg::AskDeleteSelected),
        2 => files().prop_map(MyModelsMsg::Inspect),
        1 => files().prop_map(MyModelsMsg::Rename),
        1 => "[a ]{0,2}".prop_map(MyModelsMsg::NameChanged),
        1 => Just(MyModelsMsg::CommitName),
        1 => "[a, ]{0,4}".prop_map(MyModelsMsg::TagsChanged),
        1 => Just(MyModelsMsg::CommitNotes),
        1 => select(vec![Part::About, Part::Template]).prop_map(MyModelsMsg::ShowPart),
        1 => Just(MyModelsMsg::AskImport),
        1 => Just(MyModelsMsg::ImportPathChanged("/tmp/a.gguf".into())),
        1 => Just(MyModelsMsg::Import),
        1 => Just(MyModelsMsg::AskCleanUp),
        1 => Just(MyModelsMsg::CleanUp),
    ];
    prop_oneof![
        8 => msg.prop_map(act),
        2 => Just(Msg::TakeConfirmed),
        1 => Just(Msg::Escape),
    ]
}

fn news() -> impl Strategy<Value = Msg> {
    prop_oneof![
        1 => (0_usize..5).prop_map(|count| {
            let files = library().into_iter().take(count).collect();
            tell(MyModelsNews::Library(LibraryEvent::Files(files)))
        }),
        2 => (files(), any::<bool>()).prop_map(|(file, done)| {
            let result = if done { Ok(FileDeleted::default()) } else { Err(busy()) };
            tell(MyModelsNews::Deleted { file, result })
        }),
        1 => files().prop_map(|file| tell(MyModelsNews::Ejected { file, result: Ok(()) })),
        1 => Just(engine([loaded(4, QWEN)])),
        1 => Just(engine([])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn only_what_was_asked_about_is_deleted(
        msgs in proptest::collection::vec(prop_oneof![2 => person(), 1 => news()], 0..80),
    ) {
        let mut desk = desk();
        let mut allowed: Vec<FileId> = Vec::new();
        for msg in msgs {
            if let (Msg::TakeConfirmed, Some(Overlay::Confirm(confirm))) = (&msg, &desk.state.overlay)
                && let Msg::MyModels(MyModelsMsg::Delete(files)) = &*confirm.then
            {
                allowed.extend(files.iter().map(|(file, _)| file.clone()));
            }
            for effect in desk.state.update(msg.clone(), UnixMillis(NOW)) {
                if let Effect::Backend(BackendEffect::MyModels(MyModelsEffect::Delete(request))) = effect {
                    prop_assert!(allowed.contains(&request.file), "{msg:?} deletes {request:?}");
                }
            }
            let files = desk.state.models.files.as_deref().unwrap_or_default();
            let selected = files.iter().filter(|file| desk.state.my_models.selection().has(&file.id));
            prop_assert_eq!(selected.count(), desk.state.my_models.selection().len());
            // Drawing everything must not fail either.
            desk.told();
            desk.table();
        }
    }
}
