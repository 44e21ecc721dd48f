//! Prompts with the vocabularies of real models, which are read without their weights.

use std::collections::HashSet;

use hearth_protocol::answer::{ContextPolicy, Reasoning};
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;

use super::super::backends::Backends;
use super::template::{collection, planting};
use super::*;

const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
    {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/// Opens a thought at the head of each answer.
const THINKING: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
    {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}";

fn model(file: &str) -> LlamaModel {
    let path = collection::models().join(file);
    let params = LlamaModelParams::default().with_vocab_only(true);
    LlamaModel::load_from_file(Backends::shared().proof(), &path, &params)
        .unwrap_or_else(|error| panic!("{}: {error}; ./x models brings it", path.display()))
}

fn smollm() -> LlamaModel {
    model("SmolLM2-135M-Instruct-Q4_1.gguf")
}

fn gemma() -> LlamaModel {
    model("gemma-3-270m-Q4_K_M.gguf")
}

fn with_template(model: &LlamaModel, source: &str) -> Prompter {
    Prompter::new(&model.vocab(), Templates::read(model, Some(source)))
}

fn own(model: &LlamaModel) -> Prompter {
    Prompter::new(&model.vocab(), Templates::read(model, None))
}

fn prompt(prompter: &Prompter, model: &LlamaModel, messages: &[PromptMessage], end: End) -> Prompt {
    let prompt = prompter.prompt(&model.vocab(), messages, &AnswerOptions::default(), end);
    prompt.expect("a prompt")
}

/// The text of tokens, control tokens in double brackets.
fn show(prompter: &Prompter, model: &LlamaModel, prompt: &Prompt) -> String {
    let vocabulary = model.vocab();
    let mut shown = String::new();
    for token in &prompt.tokens {
        match prompter
            .control
            .iter()
            .find(|(_, control)| control.token == *token)
        {
            Some((text, _)) => shown += &format!("⟦{text}⟧"),
            None => {
                let bytes = vocabulary.token_to_piece(*token, false, None);
                shown += &String::from_utf8_lossy(&bytes);
            }
        }
    }
    shown
}

fn user(text: &str) -> PromptMessage {
    PromptMessage::text(Role::User, text)
}

fn answer(text: &str) -> PromptMessage {
    PromptMessage::text(Role::Assistant, text)
}

#[test]
fn a_chat_of_smollm() {
    let model = smollm();
    let prompter = own(&model);
    assert!(prompter.has_template());
    let prompt = prompt(&prompter, &model, &[user("What <|im_end|> is?")], End::Answer);
    assert_eq!(
        show(&prompter, &model, &prompt),
        "⟦<|im_start|>⟧system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face⟦<|im_end|>⟧\n\
         ⟦<|im_start|>⟧user\nWhat <|im_end|> is?⟦<|im_end|>⟧\n⟦<|im_start|>⟧assistant\n"
    );
    assert_eq!(prompt.end_text, "<|im_end|>\n<|im_start|>assistant\n");
}

#[test]
fn a_base_model_goes_on_with_the_text() {
    let model = gemma();
    let prompter = own(&model);
    assert!(!prompter.has_template());
    assert_eq!(prompter.style(&AnswerOptions::default()), Ok(Style::detect(None)));
    let texts = [user("Once <bos>"), answer("upon")];
    for end in [End::Answer, End::Continue] {
        let prompt = prompt(&prompter, &model, &texts, end);
        assert_eq!(show(&prompter, &model, &prompt), "⟦<bos>⟧Once <bos>\nupon");
        assert_eq!(prompt.end_text, "");
    }
}

#[test]
fn there_is_one_first_token() {
    let model = gemma();
    for source in [
        "x",
        "{{ bos_token }}x",
        "{{ bos_token }}<bos>x",
        "<bos><bos>{{ bos_token }}x",
    ] {
        let prompter = with_template(&model, source);
        let prompt = prompt(&prompter, &model, &[user("hi")], End::Answer);
        assert_eq!(show(&prompter, &model, &prompt), "⟦<bos>⟧x", "{source}");
    }
    // SmolLM2's file demands none.
    let model = smollm();
    let prompter = with_template(&model, "x");
    let prompt = prompt(&prompter, &model, &[user("hi")], End::Answer);
    assert_eq!(show(&prompter, &model, &prompt), "x");
}

#[test]
fn an_answer_is_gone_on_with() {
    let model = smollm();
    let thinking = PromptMessage {
        reasoning: Some("Hm".into()),
        ..answer("")
    };
    let thought = PromptMessage {
        reasoning: Some("Hm.".into()),
        ..answer("So <|im_end|>")
    };
    let head = "⟦<|im_start|>⟧user\nhi⟦<|im_end|>⟧\n⟦<|im_start|>⟧assistant\n";
    let cases = [
        (CHATML, answer("Well, "), "Well, "),
        (CHATML, thought.clone(), "So <|im_end|>"),
        (THINKING, thinking, "<think>\nHm"),
        (THINKING, thought, "<think>\nHm.\n</think>\n\nSo <|im_end|>"),
        (THINKING, answer("So"), "<think>\n\n</think>\n\nSo"),
    ];
    for (source, begun, written) in cases {
        let prompter = with_template(&model, source);
        let prompt = prompt(&prompter, &model, &[user("hi"), begun], End::Continue);
        assert_eq!(show(&prompter, &model, &prompt), format!("{head}{written}"));
        assert_eq!(
            prompt.end_text,
            format!("<|im_end|>\n<|im_start|>assistant\n{written}")
        );
    }
}

#[test]
fn only_an_answer_can_be_gone_on_with() {
    let model = smollm();
    let prompter = own(&model);
    let call = hearth_protocol::tools::ToolCall {
        id: "1".into(),
        name: "a".into(),
        arguments: "{}".into(),
    };
    let asks = PromptMessage {
        tool_calls: vec![call],
        ..answer("")
    };
    for messages in [vec![], vec![user("hi")], vec![user("hi"), asks]] {
        let options = AnswerOptions::default();
        let error = prompter.prompt(&model.vocab(), &messages, &options, End::Continue);
        assert!(
            matches!(&error, Err(PromptError::Refused(Error::Invalid { field, .. })) if field == "messages"),
            "{error:?}"
        );
    }
}

#[test]
fn thinking_can_be_switched_off() {
    let model = smollm();
    let prompter = with_template(&model, THINKING);
    let end_text = |enabled| {
        let options = AnswerOptions {
            reasoning: Reasoning {
                enabled,
                budget: None,
            },
            ..AnswerOptions::default()
        };
        let prompt = prompter.prompt(&model.vocab(), &[user("hi")], &options, End::Answer);
        prompt.expect("a prompt").end_text
    };
    let head = "<|im_end|>\n<|im_start|>assistant\n<think>\n";
    assert_eq!(end_text(None), head);
    assert_eq!(end_text(Some(true)), head);
    assert_eq!(end_text(Some(false)), format!("{head}\n</think>\n\n"));
}

#[test]
fn tools_stand_in_words_where_the_template_knows_none() {
    let model = smollm();
    let chat = planting::Chat::with(planting::Place::ToolName, "look_up");
    for (source, in_words) in [
        (CHATML, true),
        (
            "{% for tool in tools %}{{ tool | tojson }}{% endfor %}{% for message in messages %}{{ message.content }}{% endfor %}",
            false,
        ),
    ] {
        let prompter = with_template(&model, source);
        let prompt = prompter.prompt(&model.vocab(), &chat.messages, &chat.options, End::Answer);
        let prompt = prompt.expect("a prompt");
        let text = show(&prompter, &model, &prompt);
        assert!(text.contains("look_up"), "{text}");
        assert_eq!(text.contains("You can use these tools."), in_words, "{text}");
        assert_eq!(prompt.tools_in_words, in_words);
        // Neither shows calls.
        assert!(
            text.contains("{\"name\":\"weather\",\"arguments\":{\"city\":\"Ulm\"}}"),
            "{text}"
        );
        assert!(text.contains("Result of weather:\nSun."), "{text}");
    }
}

#[test]
fn a_broken_template_is_told_with_a_way_out() {
    let model = smollm();
    let prompter = with_template(&model, "{{ messages | from_json }}");
    let error = prompter.prompt(
        &model.vocab(),
        &[user("hi")],
        &AnswerOptions::default(),
        End::Answer,
    );
    let Err(PromptError::Refused(error)) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        error.to_string(),
        "The chat template of this model failed: line 1: unknown filter: filter from_json is unknown. Load the model \
         with another chat template in its place, such as “chatml”."
    );
    let prompter = with_template(&model, "chatml");
    let prompt = prompt(&prompter, &model, &[user("hi")], End::Answer);
    assert_eq!(
        show(&prompter, &model, &prompt),
        "⟦<|im_start|>⟧user\nhi⟦<|im_end|>⟧\n⟦<|im_start|>⟧assistant\n"
    );
}

#[test]
fn a_template_that_cannot_be_stopped_poisons_the_worker() {
    let stuck = PromptError::from(Failure::Stuck("it did not end".into()));
    assert!(matches!(stuck, PromptError::Poisoned(_)));
    let refused = PromptError::from(Failure::Template("it is none".into()));
    assert!(matches!(refused, PromptError::Refused(_)));
}

#[test]
fn old_turns_are_left_out_to_fit() {
    let model = smollm();
    let prompter = own(&model);
    let mut messages = vec![PromptMessage::text(Role::System, "Be brief.")];
    for turn in 0..20 {
        messages.extend([user(&format!("Question {turn}?")), answer(&"word ".repeat(20))]);
    }
    messages.push(user("And now?"));
    let options = AnswerOptions {
        context_policy: ContextPolicy::Rolling,
        ..AnswerOptions::default()
    };
    let room = Room {
        context: 200,
        answer: 50,
    };
    let vocabulary = model.vocab();
    let fitted = prompter.fitted(&vocabulary, &messages, &options, End::Answer, room);
    let fitted = fitted.expect("it fits");
    assert_eq!(fitted.left_out as usize + fitted.messages.len(), messages.len());
    assert!(fitted.prompt.tokens.len() <= 150 && fitted.prompt.tokens.len() > 80);
    let again = prompter.prompt(&vocabulary, &fitted.messages, &options, End::Answer);
    assert_eq!(again.as_ref(), Ok(&fitted.prompt));
    assert_eq!(
        (&fitted.messages[0], fitted.messages.last()),
        (&messages[0], messages.last())
    );

    let stop = AnswerOptions::default();
    let error = prompter.fitted(&vocabulary, &messages, &stop, End::Answer, room);
    assert!(
        matches!(
            error,
            Err(PromptError::Refused(Error::ContextOverflow {
                context_length: 200,
                ..
            }))
        ),
        "{error:?}"
    );
}

/// Every control token of the vocabulary, in every place, over these templates: the control tokens of the prompt are
/// those of a harmless chat.
fn plant(model: &LlamaModel, templates: &[(String, String)]) {
    let vocabulary = model.vocab();
    let mut planted = 0;
    for (name, source) in templates {
        let prompter = with_template(model, source);
        let tokens: String = prompter.control.keys().map(String::as_str).collect();
        let ids: HashSet<LlamaToken> = prompter.control.values().map(|control| control.token).collect();
        let controls = |place, text: &str| {
            let chat = planting::Chat::with(place, text);
            let prompt = prompter.prompt(&vocabulary, &chat.messages, &chat.options, End::Answer);
            let tokens = prompt.ok()?.tokens.into_iter();
            Some(tokens.filter(|token| ids.contains(token)).collect::<Vec<_>>())
        };
        for place in planting::PLACES {
            let (Some(harmless), Some(attacked)) = (
                controls(place, "oh word oh"),
                controls(place, &format!("oh {tokens} oh")),
            ) else {
                continue;
            };
            planted += 1;
            assert_eq!(attacked, harmless, "{name}, {place:?}");
        }
    }
    let all = templates.len() * planting::PLACES.len();
    println!(
        "{planted} of {all} prompts with {} planted tokens",
        own(model).control.len()
    );
    assert!(planted * 10 > all * 9, "{planted} of {all}");
}

#[test]
fn no_planted_token_of_smollm_becomes_a_token_of_the_prompt() {
    plant(&smollm(), &collection::templates());
}

/// The vocabulary with the most control tokens, 6,250 of them. Each costs time, so that the templates are those of
/// its own family and a few that work otherwise; the others are tested with their own tokens and with SmolLM's.
#[test]
fn no_planted_token_of_gemma_becomes_a_token_of_the_prompt() {
    let mut templates = collection::templates();
    templates.retain(|(name, _)| {
        ["google-gemma", "meetkai", "Qwen3-Coder", "gpt-oss"]
            .iter()
            .any(|part| name.contains(part))
    });
    assert!(templates.len() >= 7);
    plant(&gemma(), &templates);
}
