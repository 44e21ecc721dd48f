//! What slots know, and what programs do with it, through the client.

use std::path::Path;

use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::engine::{KvType, LoadOptions, LoadedModel, SlotAction, SlotDone, SlotState};
use hearth_protocol::{ByteSize, Error, ErrorKind, Result};

use crate::app::{App, context, eventually, kill};
use crate::complete::{Made, endless, make, request, roomy, text, until_it_writes};
use crate::tiny_bert;
use crate::tiny_gguf::Tiny;

/// Longer than what is forgotten since it is read again in no time.
const FRANCE: &str = "What is the capital of France, which everybody has heard of at some time?";
const GERMANY: &str = "What is the capital of Germany, which everybody has heard of at some time?";

/// What these have in common, with the token that every text begins with.
const COMMON: u32 = 24;

fn in_slot(path: &Path, words: &str, slot: u32) -> CompletionRequest {
    CompletionRequest {
        slot: Some(slot),
        ..request(path, text(words), 20)
    }
}

fn answer(app: &App, path: &Path, words: &str, slot: u32) -> Made {
    make(app, in_slot(path, words, slot)).expect("an answer")
}

/// Tokens of its prompt that were computed, and not known before.
fn read(made: &Made) -> u32 {
    made.stats.prompt_tokens - made.stats.cached_tokens
}

fn change(app: &App, model: &LoadedModel, slot: u32, action: SlotAction) -> Result<SlotDone> {
    app.client.change_slot(model.id, slot, action).wait()
}

fn states(app: &App, model: &LoadedModel) -> Vec<SlotState> {
    app.client.slots(model.id).wait().expect("the slots")
}

#[test]
fn slots_are_as_many_as_are_answered_at_once() {
    let app = App::real();
    let path = app.tiny();
    let slots = |parallel_slots, batch| LoadOptions {
        parallel_slots,
        batch_size: batch,
        micro_batch_size: batch,
        ..context(256)
    };
    for (options, count) in [(slots(3, 512), 3), (slots(8, 2), 2)] {
        let model = app.load(&path, options).expect("it loads");
        assert_eq!((model.slots, states(&app, &model).len()), (count, count as usize));
    }
    let path = app.path("encoder.gguf");
    tiny_bert::write(&path, None);
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    assert_eq!(states(&app, &model), []);
    let refused = change(&app, &model, 0, SlotAction::Erase).expect_err("it has none");
    assert_eq!(refused.to_string(), "encoder makes embeddings; it has no slots.");
}

#[test]
fn slots_tell_what_they_do_and_know() {
    let app = App::real();
    let path = roomy(&app, 4);
    let model = app.loaded().remove(0);
    let idle = SlotState {
        slot: 0,
        at_work: false,
        prompt_tokens: 0,
        cached_tokens: 0,
        generated_tokens: 0,
    };
    let at = |slot| SlotState { slot, ..idle.clone() };
    assert_eq!(states(&app, &model), [at(0), at(1), at(2), at(3)]);
    answer(&app, &path, FRANCE, 2);
    let prompt_tokens = FRANCE.len() as u32 + 1;
    let done = SlotState {
        prompt_tokens,
        // The last token that was chosen is not computed.
        cached_tokens: prompt_tokens + 19,
        generated_tokens: 20,
        ..at(2)
    };
    assert_eq!(states(&app, &model), [at(0), at(1), done.clone(), at(3)]);
    // One that names no slot leaves the slots alone that were asked for.
    let events = app.client.complete(endless(&path, FRANCE));
    until_it_writes(&events);
    let now = states(&app, &model);
    let at_work: Vec<_> = now.iter().filter(|slot| slot.at_work).collect();
    let [slot] = &at_work[..] else {
        panic!("{now:?}");
    };
    assert_eq!((now[2].clone(), slot.prompt_tokens), (done, prompt_tokens));
    assert!(
        slot.cached_tokens >= prompt_tokens && slot.generated_tokens > 0,
        "{slot:?}"
    );
    let busy = change(&app, &model, slot.slot, SlotAction::Erase).expect_err("it is at work");
    assert_eq!(busy.kind(), ErrorKind::Busy);
}

#[test]
fn a_saved_slot_comes_back_in_another() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    let first = answer(&app, &path, FRANCE, 1);
    assert_eq!(read(&first), first.stats.prompt_tokens);
    let file = app.path("slot1.bin");
    let saved = change(&app, &model, 1, SlotAction::Save(file.clone())).expect("it is saved");
    let known = FRANCE.len() as u32 + 1 + 19;
    assert_eq!(saved.tokens, known);
    assert_eq!(saved.bytes, ByteSize(file.metadata().expect("a file").len()));

    // Only what differs is read.
    let germany = answer(&app, &path, GERMANY, 1);
    assert_eq!(germany.stats.cached_tokens, COMMON);
    let restored = change(&app, &model, 0, SlotAction::Restore(file.clone())).expect("it is restored");
    assert_eq!((restored.tokens, restored.bytes), (known, saved.bytes));
    assert_eq!(states(&app, &model)[0].cached_tokens, known);
    assert_eq!(answer(&app, &path, GERMANY, 0).stats.cached_tokens, COMMON);
    // The other slot is as it was.
    assert_eq!(read(&answer(&app, &path, GERMANY, 1)), 1);

    // What comes back is what was there: the answer is the same.
    change(&app, &model, 3, SlotAction::Restore(file.clone())).expect("it is restored");
    let again = answer(&app, &path, FRANCE, 3);
    assert_eq!((read(&again), again.text()), (1, first.text()));

    // It outlives the worker, too.
    kill(model.process);
    eventually("the end of the worker", || app.loaded().is_empty());
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    change(&app, &model, 0, SlotAction::Restore(file)).expect("it is restored");
    let again = answer(&app, &path, FRANCE, 0);
    assert_eq!((read(&again), again.text()), (1, first.text()));
}

#[test]
fn an_erased_slot_knows_nothing() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    let first = answer(&app, &path, FRANCE, 1);
    let erased = change(&app, &model, 1, SlotAction::Erase).expect("it is erased");
    assert_eq!(
        (erased.tokens, erased.bytes),
        (FRANCE.len() as u32 + 20, ByteSize(0))
    );
    assert_eq!(read(&answer(&app, &path, FRANCE, 1)), first.stats.prompt_tokens);
    change(&app, &model, 1, SlotAction::Erase).expect("it is erased");
    let again = change(&app, &model, 1, SlotAction::Erase).expect("there is nothing to do");
    assert_eq!(again.tokens, 0);
}

#[test]
fn a_slot_that_was_asked_for_knows_only_its_own() {
    let app = App::real();
    let path = app.tiny();
    app.load(&path, LoadOptions::default()).expect("it loads");
    answer(&app, &path, FRANCE, 0);
    assert_eq!(answer(&app, &path, FRANCE, 1).stats.cached_tokens, 0);
    // Whoever names none finds what any of them knows.
    let made = make(&app, request(&path, text(FRANCE), 3)).expect("an answer");
    assert_eq!(read(&made), 1);
}

#[test]
fn one_that_waits_for_its_slot_holds_up_nobody() {
    let app = App::real();
    let path = roomy(&app, 4);
    let begin = |slot| {
        app.client.complete(CompletionRequest {
            slot,
            ..endless(&path, "ab")
        })
    };
    let first = begin(Some(0));
    until_it_writes(&first);
    let waits = begin(Some(0));
    let passes = begin(None);
    until_it_writes(&passes);
    assert!(
        std::iter::from_fn(|| waits.try_next()).all(|event| !matches!(
            event.body,
            hearth_protocol::completion::CompletionEvent::Started(_)
        )),
        "its slot is at work"
    );
    drop(first);
    until_it_writes(&waits);
}

#[test]
fn a_file_that_is_not_this_models_is_refused() {
    let app = App::real();
    let path = app.tiny();
    let other = app.tiny_as(
        "other.gguf",
        &Tiny {
            seed: 2,
            ..Tiny::default()
        },
    );
    let words = |refused: Result<SlotDone>| match refused {
        Err(Error::File { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let model = app.load(&path, context(512)).expect("it loads");
    answer(&app, &path, FRANCE, 1);
    let file = app.path("slot.bin");
    change(&app, &model, 1, SlotAction::Save(file.clone())).expect("it is saved");

    let other = app.load(&other, context(512)).expect("it loads");
    let foreign = change(&app, &other, 0, SlotAction::Restore(file.clone()));
    assert!(words(foreign).starts_with("it was saved by another model"));
    let cache = LoadOptions {
        kv_type_k: KvType::F32,
        ..context(512)
    };
    let model = app.load(&path, cache).expect("it loads");
    let otherwise = change(&app, &model, 0, SlotAction::Restore(file.clone()));
    assert!(words(otherwise).starts_with("it was saved by another model"));
    // A shorter context may not hold it; what the slot knew stays.
    let model = app.load(&path, context(64)).expect("it loads");
    answer(&app, &path, "ab", 0);
    let too_long = change(&app, &model, 0, SlotAction::Restore(file.clone()));
    assert!(
        matches!(
            too_long,
            Err(Error::ContextOverflow {
                context_length: 64,
                ..
            })
        ),
        "{too_long:?}"
    );
    assert!(states(&app, &model)[0].cached_tokens > 0);

    let model = app.load(&path, context(512)).expect("it loads");
    let whole = std::fs::read(&file).expect("a file");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    for contents in [&b""[..], b"GGUF", &whole[..whole.len() - 9], &damaged] {
        std::fs::write(&file, contents).expect("written");
        let refused = change(&app, &model, 0, SlotAction::Restore(file.clone()));
        assert_eq!(
            words(refused),
            "it is no saved slot, or it is damaged; save the slot again"
        );
    }
    assert_eq!(
        words(change(&app, &model, 0, SlotAction::Restore(app.path("")))),
        "it is no file"
    );
    assert!(matches!(
        change(&app, &model, 0, SlotAction::Restore(app.path("none.bin"))),
        Err(Error::File { .. })
    ));
    // The model goes on.
    assert_eq!(answer(&app, &path, FRANCE, 0).stats.generated_tokens, 20);
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing_behind() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load(&path, context(512)).expect("it loads");
    let empty = change(&app, &model, 1, SlotAction::Save(app.path("slot.bin")));
    assert!(matches!(empty, Err(Error::Invalid { .. })), "{empty:?}");
    answer(&app, &path, FRANCE, 1);
    let folder = app.path("folder");
    std::fs::create_dir(&folder).expect("a folder");
    let nowhere = app.path("nowhere").join("slot.bin");
    for path in [folder.clone(), nowhere] {
        let refused = change(&app, &model, 1, SlotAction::Save(path.clone()));
        let named = path.display().to_string();
        assert!(
            matches!(&refused, Err(Error::File { path, .. }) if *path == named),
            "{refused:?}"
        );
    }
    let left = std::fs::read_dir(app.path("")).expect("the folder");
    let left: Vec<_> = left
        .flatten()
        .filter(|entry| entry.path().to_string_lossy().contains(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_slot_that_there_is_not_is_named() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    let words = "slot is 4 and must be from 0 to 3.";
    let refused = make(&app, in_slot(&path, "ab", 4)).expect_err("there is none");
    assert_eq!(refused.to_string(), words);
    let refused = change(&app, &model, 4, SlotAction::Erase).expect_err("there is none");
    assert_eq!(refused.to_string(), words);
}
