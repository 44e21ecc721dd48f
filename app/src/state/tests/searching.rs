//! Searching the chats.

use expect_test::expect;
use hearth_protocol::chat::list::SearchHit;

use super::*;

fn words(words: &str) -> Msg {
    Msg::SearchChanged(words.into())
}

fn hit(chat: i64, message: Option<i64>, snippet: &str, word: &str) -> SearchHit {
    let at = snippet.find(word).expect("the word");
    SearchHit {
        chat: summary(chat, &format!("Chat {chat}"), NOW),
        message: message.map(MessageId),
        snippet: snippet.into(),
        matches: vec![(at, at + word.len())],
    }
}

fn found(run: u64, hits: impl IntoIterator<Item = SearchHit>) -> Msg {
    Msg::Backend(News::Found {
        run: Run(run),
        result: Ok(hits.into_iter().collect()),
    })
}

#[test]
fn hits_stand_in_groups_with_their_words_marked() {
    let mut desk = Desk::with_chats();
    desk.all([
        words("sea"),
        found(
            1,
            [
                hit(2, None, "By the sea", "sea"),
                hit(1, Some(12), "a lighthouse keeper and the sea", "sea"),
            ],
        ),
    ]);
    expect![[r#"
        -> Search { run: Run(1), words: "sea" }
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        search "sea"
          [Titles]
          - Chat 2: By the sea ["sea"] chosen
          [Messages]
          - Chat 1: …keeper and the sea ["sea"]
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn only_the_newest_question_is_answered_and_the_hits_before_stay_meanwhile() {
    let mut desk = Desk::with_chats();
    desk.all([words("se"), found(1, [hit(1, None, "sea", "se")]), words("sea")]);
    assert_eq!(
        desk.state.search.rows(&desk.state.chats).len(),
        2,
        "the hits stay"
    );
    desk.all([
        found(1, []),
        found(2, [hit(1, None, "sea", "sea"), hit(3, None, "seal", "sea")]),
    ]);
    assert_eq!(desk.state.search.rows(&desk.state.chats).len(), 3);
    assert!(
        desk.log.contains("Search { run: Run(2), words: \"sea\" }"),
        "{}",
        desk.log
    );
}

#[test]
fn blanks_around_the_words_ask_nothing_new() {
    let mut desk = Desk::with_chats();
    desk.all([words(" "), words("sea"), words("sea ")]);
    assert_eq!(desk.log.matches("Search {").count(), 1, "{}", desk.log);
}

#[test]
fn the_field_that_searches_has_the_keyboard_and_nothing_else() {
    for page in [Page::Chat, Page::Settings] {
        let mut desk = Desk::with_chats();
        desk.all([Msg::ShowPage(page)]);
        desk.log.clear();
        desk.all([Msg::FocusSearch]);
        assert_eq!(desk.log, "-> FocusSearch\n");
    }
}

#[test]
fn nothing_found_and_a_failure_are_told() {
    let mut desk = Desk::with_chats();
    desk.all([words("xyz"), found(1, [])]);
    assert!(desk.told().contains("search \"xyz\"\n  nothing"));
    desk.all([
        words("abc"),
        Msg::Backend(News::Found {
            run: Run(2),
            result: Err(trouble()),
        }),
    ]);
    assert!(desk.told().contains("  failed: The database of chats"));
}

#[test]
fn hits_in_a_chat_that_is_gone_are_not_shown() {
    let mut desk = Desk::with_chats();
    desk.all([
        words("sea"),
        found(1, [hit(2, None, "sea", "sea")]),
        Msg::DeleteChat(ChatId(2)),
    ]);
    assert!(desk.told().contains("  nothing"));
}

#[test]
fn the_keys_choose_a_hit_and_open_it_at_its_message() {
    let mut desk = Desk::with_chats();
    desk.all([
        words("sea"),
        found(
            1,
            [
                hit(3, None, "sea", "sea"),
                hit(2, Some(21), "the sea", "sea"),
                hit(2, Some(22), "a sea", "sea"),
            ],
        ),
        Msg::StepHit { back: false },
        Msg::StepHit { back: false },
        Msg::StepHit { back: false },
        Msg::StepHit { back: true },
        Msg::OpenChosenHit,
        opened(2),
    ]);
    expect![[r#"
        -> Search { run: Run(1), words: "sea" }
        -> FocusComposer
        -> OpenChat(ChatId(2))
        -> ShowNewest
        -> ShowNewest
        -> ShowPlace(ScrollPlace { message: MessageId(21), offset: 0.0 })
        [Today]
        - First 14:32
        - Second 14:31 open
        [Yesterday]
        - Third 14:32
        search "sea"
          [Titles]
          - Chat 3: sea ["sea"]
          [Messages]
          - Chat 2: the sea ["sea"] chosen
          - Chat 2: a sea ["sea"]
        header Off Choose a model: Nothing loaded
        chat 2
          > 21 "Question"
          < 22 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::OpenHit(2)]);
    assert!(
        desk.told().contains("message: MessageId(22), offset: 0.0"),
        "it is here already"
    );
}

#[test]
fn a_hit_in_a_version_that_is_not_shown_is_selected_once() {
    let mut desk = Desk::with_chats();
    desk.all([
        words("sea"),
        found(1, [hit(1, Some(99), "sea", "sea")]),
        Msg::OpenHit(0),
    ]);
    let asked = "version: None";
    assert!(desk.log.contains(asked), "{}", desk.log);
    desk.log.clear();
    // An answer without it ends the search for it.
    let key = desk.state.open().key;
    let Msg::Backend(News::Opened { result, .. }) = opened(1) else {
        panic!("another message");
    };
    desk.all([Msg::Backend(News::Changed {
        conversation: key,
        change: ChatChange::Version {
            message: MessageId(99),
            version: None,
        },
        result,
    })]);
    assert!(!desk.log.contains(asked), "{}", desk.log);
}

#[test]
fn escape_leaves_the_search_before_it_stops_an_answer() {
    let mut desk = Desk::with_answer_begun();
    desk.all([words("sea"), Msg::Escape]);
    assert!(!desk.state.search.is_on());
    assert!(!desk.log.contains("Stop"), "{}", desk.log);
    desk.all([Msg::Escape]);
    assert!(desk.log.contains("Stop"), "{}", desk.log);
}
