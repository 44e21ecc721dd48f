//! Templates of the shapes that models have, with the prompts they give.

use super::*;

const TALK: [&str; 4] = ["S:Be brief.", "U: Hello! ", "A:Hi.", "U:How are you?\n"];

#[test]
fn chatml() {
    check(
        shapes::CHATML,
        &TALK,
        expect![[r#"
        ⟦<|im_start|>⟧system
        «Be brief.»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧user
        « Hello! »⟦<|im_end|>⟧
        ⟦<|im_start|>⟧assistant
        «Hi.»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧user
        «How are you?
        »⟦<|im_end|>⟧
        ⟦<|im_start|>⟧assistant
    "#]],
    );
    check(
        shapes::CHATML,
        &["U:Hello"],
        expect![[r#"
        ⟦<|im_start|>⟧system
        You are a helpful model⟦<|im_end|>⟧
        ⟦<|im_start|>⟧user
        «Hello»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧assistant
    "#]],
    );
}

#[test]
fn llama_3_with_a_date() {
    check(
        shapes::LLAMA_3,
        &TALK,
        expect![[r#"
        ⟦<s>⟧⟦<|start_header_id|>⟧system⟦<|end_header_id|>⟧

        Today: 05 Jul 2026

        «Be brief.»⟦<|eot_id|>⟧⟦<|start_header_id|>⟧user⟦<|end_header_id|>⟧

        «Hello!»⟦<|eot_id|>⟧⟦<|start_header_id|>⟧assistant⟦<|end_header_id|>⟧

        «Hi.»⟦<|eot_id|>⟧⟦<|start_header_id|>⟧user⟦<|end_header_id|>⟧

        «How are you?»⟦<|eot_id|>⟧⟦<|start_header_id|>⟧assistant⟦<|end_header_id|>⟧

    "#]],
    );
}

#[test]
fn mistral_with_the_system_prompt_in_the_last_turn() {
    check(
        shapes::MISTRAL,
        &TALK,
        expect![[r#"
        ⟦<s>⟧⟦[INST]⟧ « Hello! »⟦[/INST]⟧ «Hi.»⟦</s>⟧⟦[INST]⟧ «Be brief.»

        «How are you?
        »⟦[/INST]⟧"#]],
    );
}

#[test]
fn qwen_drops_old_thoughts_and_takes_no_tools() {
    check(
        shapes::QWEN,
        &[
            "S:Be brief.",
            "U:2+2?",
            "A:<think>\nEasy.\n</think>\n\n4",
            "U:3+3?",
        ],
        expect![[r#"
            ⟦<|im_start|>⟧system
            «Be brief.»⟦<|im_end|>⟧
            ⟦<|im_start|>⟧user
            «2+2?»⟦<|im_end|>⟧
            ⟦<|im_start|>⟧assistant
            ⟦<think>⟧
            «Easy.»
            ⟦</think>⟧

            «4»⟦<|im_end|>⟧
            ⟦<|im_start|>⟧user
            «3+3?»⟦<|im_end|>⟧
            ⟦<|im_start|>⟧assistant
        "#]],
    );
}

#[test]
fn deepseek_gathers_system_prompts() {
    check(
        shapes::DEEPSEEK,
        &[
            "S:Be brief.",
            "S:Be kind.",
            "U:2+2?",
            "A:<think>Easy.</think>4",
            "U:3+3?",
        ],
        expect![[r#"
            ⟦<s>⟧«Be brief.»

            «Be kind.»⟦<|User|>⟧«2+2?»⟦<|Assistant|>⟧«4»⟦<|end|>⟧⟦<|User|>⟧«3+3?»⟦<|Assistant|>⟧⟦<think>⟧
        "#]],
    );
}

#[test]
fn phi_names_the_role_in_the_control_token() {
    check(
        shapes::PHI,
        &TALK,
        expect![[r#"
        ⟦<|system|>⟧«Be brief.»⟦<|end|>⟧⟦<|user|>⟧« Hello! »⟦<|end|>⟧⟦<|assistant|>⟧«Hi.»⟦<|end|>⟧⟦<|user|>⟧«How are you?
        »⟦<|end|>⟧⟦<|assistant|>⟧"#]],
    );
}

#[test]
fn gemma_gets_the_system_prompt_in_the_first_turn_of_the_user() {
    check(
        shapes::GEMMA,
        &TALK,
        expect![[r#"
        ⟦<s>⟧⟦<start_of_turn>⟧user
        «Be brief.

         Hello!»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧model
        «Hi.»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧user
        «How are you?»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧model
    "#]],
    );
}

#[test]
fn a_chat_the_template_takes_keeps_its_shape() {
    check(
        shapes::CHATML,
        &["S:One.", "S:Two.", "U:a", "U:b"],
        expect![[r#"
        ⟦<|im_start|>⟧system
        «One.»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧system
        «Two.»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧user
        «a»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧user
        «b»⟦<|im_end|>⟧
        ⟦<|im_start|>⟧assistant
    "#]],
    );
}

#[test]
fn roles_that_must_alternate_are_merged() {
    check(
        shapes::MISTRAL,
        &["S:Be brief.", "U:a", "U:b", "A:c", "A:", "U:d"],
        expect![[r#"
        ⟦<s>⟧⟦[INST]⟧ «a

        b»⟦[/INST]⟧ «c»⟦</s>⟧⟦[INST]⟧ «Be brief.»

        «d»⟦[/INST]⟧"#]],
    );
    check(
        shapes::GEMMA,
        &["U:a", "U:b"],
        expect![[r#"
        ⟦<s>⟧⟦<start_of_turn>⟧user
        «a

        b»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧model
    "#]],
    );
}

#[test]
fn a_late_system_prompt_goes_into_the_next_turn_of_the_user() {
    check(
        shapes::GEMMA,
        &["U:a", "A:b", "S:late", "U:c"],
        expect![[r#"
        ⟦<s>⟧⟦<start_of_turn>⟧user
        «a»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧model
        «b»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧user
        «late

        c»⟦<end_of_turn>⟧
        ⟦<start_of_turn>⟧model
    "#]],
    );
}

#[test]
fn what_no_shape_mends_is_refused_in_the_words_of_the_template() {
    assert_eq!(
        refusal(shapes::MISTRAL, &["A:I begin.", "U:Why?"]),
        "it refuses this chat: After the optional system message, roles must alternate"
    );
    assert_eq!(
        refusal(shapes::GEMMA, &["A:I begin.", "S:Be brief."]),
        "it refuses this chat: Conversation roles must alternate user/assistant/user/assistant/..."
    );
}

#[test]
fn the_head_of_the_answer_is_written_only_where_it_is_wanted() {
    let template = ChatTemplate::parse(shapes::CHATML, "", "").expect("a template");
    let (chat, options) = (chat(&["S:x", "U:a", "A:b"]), AnswerOptions::default());
    let render = |head| {
        let talk = Talk {
            head,
            ..talk(&chat, &options)
        };
        template.render_at(talk, &control(), &noon()).expect("renders")
    };
    let (with, without) = (render(true), render(false));
    assert_eq!(with.text, without.text + "<|im_start|>assistant\n");
}
