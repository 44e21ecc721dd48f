//! Gaps between two texts.

use hearth_protocol::prompt::{Infill, InfillFile, TokenizeInput, TokenizeRequest};

use super::*;

/// What the model reads of a gap, control tokens written out.
fn read(app: &App, path: &Path, infill: Infill) -> String {
    let tokenized = app.client.tokenize(TokenizeRequest {
        model: Some(ModelRef::Path(path.to_owned())),
        input: TokenizeInput::Prompt {
            prompt: Prompt::Infill(infill),
            answer: Box::default(),
        },
    });
    tokenized.wait().expect("tokens").text
}

fn coder(app: &App) -> std::path::PathBuf {
    let coder = Tiny {
        fills_gaps: true,
        ..Tiny::default()
    };
    app.tiny_as("coder.gguf", &coder)
}

fn gap(before: &str, after: &str) -> Infill {
    Infill {
        before: before.into(),
        after: after.into(),
        ..Infill::default()
    }
}

fn file(name: &str, text: &str) -> InfillFile {
    InfillFile {
        name: name.into(),
        text: text.into(),
    }
}

#[test]
fn a_gap_is_filled_behind_what_is_around_it() {
    let app = App::real();
    let path = coder(&app);
    assert_eq!(
        read(&app, &path, gap("if a:", "\nelse:")),
        "<s><|fim_prefix|>if a:<|fim_suffix|>\nelse:<|fim_middle|>"
    );
    let mut with_more = gap("x", "y");
    with_more.begun = "z".into();
    with_more.files = vec![file("a.py", "one"), file("b.py", "two")];
    assert_eq!(
        read(&app, &path, with_more.clone()),
        "<s><|repo_name|>myproject\n<|file_sep|>a.py\none<|file_sep|>b.py\ntwo<|file_sep|>filename\n\
         <|fim_prefix|>x<|fim_suffix|>y<|fim_middle|>z"
    );
    let made = make(&app, request(&path, Prompt::Infill(with_more), 5)).expect("an answer");
    assert_eq!(made.text().len(), 5);
    // Nobody's text becomes a control token.
    let spelled =
        make(&app, request(&path, Prompt::Infill(gap("<|fim_middle|>", "")), 1)).expect("an answer");
    assert_eq!(spelled.stats.prompt_tokens, 1 + 3 + 14);
}

#[test]
fn what_is_far_from_the_gap_is_left_out_where_there_is_no_room() {
    let app = App::real();
    let path = coder(&app);
    app.load(&path, context(256)).expect("it loads");
    let long = |end: &str| format!("{}{end}", "-".repeat(300));
    let shown = read(&app, &path, gap(&long("b"), &format!("a{}", "+".repeat(300))));
    assert!(shown.contains("-b<|fim_suffix|>a+"), "{shown}");
    let count = |sign: char| shown.chars().filter(|found| *found == sign).count();
    // The room of 192 tokens but 4 that stand around, three quarters of it for what stands before.
    assert_eq!((count('-') + 1, count('+') + 1), (141, 47));
    // What the one does not need is the other's.
    let shown = read(&app, &path, gap("b", &"+".repeat(300)));
    assert_eq!(shown.matches('+').count(), 187);

    let mut with_files = gap("x", "y");
    with_files.files = vec![file("a", &"1".repeat(200)), file("b", "2"), file("c", "3")];
    let shown = read(&app, &path, with_files);
    assert!(
        shown.contains("b\n2<|file_sep|>c\n3") && !shown.contains("11"),
        "{shown}"
    );
}

#[test]
fn a_model_that_knows_no_gaps_says_so() {
    let app = App::real();
    let path = app.tiny();
    let refused = make(&app, request(&path, Prompt::Infill(gap("a", "b")), 5));
    assert_eq!(
        refused.expect_err("it cannot").to_string(),
        "tiny was not trained to fill gaps; choose a model that was, such as one for code."
    );
}
