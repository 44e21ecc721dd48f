use proptest::prelude::*;

use super::ContextPolicy::{KeepEnds, Rolling, Stop};
use super::*;

/// Messages such as `u3`: the role's first letter and the tokens.
fn chat(messages: &[&str]) -> Vec<PromptMessage> {
    let read = |text: &&str| {
        let role = [Role::System, Role::User, Role::Assistant, Role::Tool];
        let at = "suat".find(&text[..1]).expect("a role");
        PromptMessage::text(role[at], &text[1..])
    };
    messages.iter().map(read).collect()
}

/// A template that costs a token, and messages that cost what they say.
fn count(messages: &[PromptMessage]) -> Result<u32, Error> {
    let cost = |message: &PromptMessage| message.text.parse::<u32>().expect("a number");
    Ok(1 + messages.iter().map(cost).sum::<u32>())
}

fn show(messages: &[PromptMessage]) -> Vec<String> {
    let show = |message: &PromptMessage| {
        let role = match message.role {
            Role::System => 's',
            Role::User => 'u',
            Role::Assistant => 'a',
            Role::Tool => 't',
        };
        format!("{role}{}", message.text)
    };
    messages.iter().map(show).collect()
}

fn kept(messages: &[&str], context: u32, answer: u32, policy: ContextPolicy) -> Vec<String> {
    let room = Room { context, answer };
    let fitted = fit(&chat(messages), 0, room, policy, count).expect("it fits");
    assert_eq!(fitted.left_out as usize + fitted.messages.len(), messages.len());
    show(&fitted.messages)
}

fn overflow(messages: &[&str], context: u32, policy: ContextPolicy) -> Error {
    let room = Room { context, answer: 0 };
    fit(&chat(messages), 0, room, policy, count).expect_err("it does not fit")
}

const CHAT: [&str; 7] = ["s1", "u2", "a3", "u4", "a5", "u6", "a7"];

#[test]
fn what_fits_stays_whole() {
    for policy in [Stop, Rolling, KeepEnds] {
        assert_eq!(kept(&CHAT, 29, 0, policy), CHAT);
        assert_eq!(kept(&["s1"], 2, 0, policy), ["s1"]);
        assert_eq!(kept(&[], 1, 0, policy), [""; 0]);
    }
}

#[test]
fn without_a_policy_nothing_is_left_out() {
    let error = Error::ContextOverflow {
        prompt_tokens: 29,
        context_length: 28,
    };
    assert_eq!(overflow(&CHAT, 28, Stop), error);
    // The answer ends where the context does.
    assert_eq!(kept(&CHAT, 29, 20, Stop), CHAT);
}

#[test]
fn the_oldest_turns_go_first() {
    assert_eq!(kept(&CHAT, 28, 0, Rolling), ["s1", "u4", "a5", "u6", "a7"]);
    assert_eq!(kept(&CHAT, 24, 0, Rolling), ["s1", "u4", "a5", "u6", "a7"]);
    assert_eq!(kept(&CHAT, 23, 0, Rolling), ["s1", "u6", "a7"]);
    assert_eq!(kept(&CHAT, 15, 0, Rolling), ["s1", "u6", "a7"]);
}

#[test]
fn the_ends_stay_as_long_as_they_can() {
    assert_eq!(kept(&CHAT, 28, 0, KeepEnds), ["s1", "u2", "a3", "u6", "a7"]);
    assert_eq!(kept(&CHAT, 20, 0, KeepEnds), ["s1", "u2", "a3", "u6", "a7"]);
    assert_eq!(kept(&CHAT, 19, 0, KeepEnds), ["s1", "u6", "a7"]);
    assert_eq!(kept(&["u2", "a3", "u4"], 9, 0, KeepEnds), ["u4"]);
}

#[test]
fn a_turn_is_all_that_came_of_what_a_person_said() {
    let chat = ["u1", "a1", "t1", "t1", "a1", "u1", "a1", "t1"];
    assert_eq!(kept(&chat, 8, 0, Rolling), ["u1", "a1", "t1"]);
    // The assistant spoke first.
    assert_eq!(
        kept(&["s1", "a5", "u1", "a1", "u1"], 6, 0, Rolling),
        ["s1", "u1", "a1", "u1"]
    );
    // A late system prompt stays.
    assert_eq!(kept(&["u5", "a1", "s1", "u1"], 4, 0, Rolling), ["s1", "u1"]);
}

#[test]
fn room_for_the_answer_is_made_where_it_can_be() {
    assert_eq!(kept(&CHAT, 29, 5, Rolling), ["s1", "u4", "a5", "u6", "a7"]);
    assert_eq!(kept(&CHAT, 29, 25, Rolling), ["s1", "u6", "a7"]);
    assert_eq!(kept(&["u9"], 10, 5, Rolling), ["u9"]);
}

#[test]
fn a_newest_turn_that_does_not_fit_is_refused_with_both_numbers() {
    let error = Error::ContextOverflow {
        prompt_tokens: 15,
        context_length: 14,
    };
    assert_eq!(overflow(&CHAT, 14, Rolling), error);
    assert_eq!(overflow(&CHAT, 14, KeepEnds), error);
    assert_eq!(overflow(&["s1", "u13"], 14, Rolling), error);
}

#[test]
fn an_error_of_the_count_is_passed_on() {
    let room = Room {
        context: 9,
        answer: 0,
    };
    let error = Error::invalid("messages", "are odd");
    let fitted = fit(&chat(&CHAT), 0, room, Rolling, |_| Err::<u32, _>(error.clone()));
    assert_eq!(fitted, Err(error));
}

#[test]
fn a_long_chat_is_counted_a_few_times_and_never_as_a_whole() {
    let long = "1000".to_owned() + &" ".repeat(4_000);
    let messages: Vec<PromptMessage> = (0..10_000)
        .map(|_| PromptMessage::text(Role::User, &long))
        .collect();
    let room = Room {
        context: 16_001,
        answer: 0,
    };
    let (mut calls, mut longest) = (0, 0);
    let fitted = fit(&messages, 0, room, Rolling, |messages| {
        calls += 1;
        longest = longest.max(messages.len());
        Ok::<_, Error>(1 + messages.len() as u32 * 1_000)
    });
    assert_eq!(fitted.map(|fitted| fitted.messages.len()), Ok(16));
    assert!(calls <= 10, "{calls} calls");
    assert!(longest <= 32, "{longest} messages");
}

proptest! {
    #[test]
    fn as_much_as_possible_is_kept_and_never_more(
        costs in prop::collection::vec((0_usize..4, 0_u32..9), 1..30),
        // More than there are messages, so that each of them is counted.
        context in 30_u32..100,
        answer in 0_u32..30,
    ) {
        let roles = [Role::System, Role::User, Role::Assistant, Role::Tool];
        let messages: Vec<PromptMessage> =
            costs.iter().map(|(role, cost)| PromptMessage::text(roles[*role], cost.to_string())).collect();
        let room = Room { context, answer };
        for policy in [Stop, Rolling, KeepEnds] {
            let plans = Plans::new(&messages, policy);
            let sizes: Vec<u32> =
                (0..plans.count()).map(|plan| count(&plans.messages(plan)).expect("counts")).collect();
            let wanted = if policy == Stop { context } else { context.saturating_sub(answer) };
            let best = sizes.iter().position(|size| *size <= wanted).unwrap_or(sizes.len() - 1);
            match fit(&messages, 0, room, policy, count) {
                Ok(fitted) => {
                    prop_assert_eq!(&fitted, &plans.fitted(best));
                    let newest = messages.iter().rev().find(|message| message.role == Role::User);
                    prop_assert!(newest.is_none_or(|newest| fitted.messages.contains(newest)));
                    let systems = |messages: &[PromptMessage]| {
                        messages.iter().filter(|message| message.role == Role::System).count()
                    };
                    prop_assert_eq!(systems(&fitted.messages), systems(&messages));
                }
                Err(error) => {
                    let least = sizes[sizes.len() - 1];
                    prop_assert!(least > context);
                    let expected = Error::ContextOverflow { prompt_tokens: least, context_length: context };
                    prop_assert_eq!(error, expected);
                }
            }
        }
    }
}

#[test]
fn a_text_is_far_too_long_from_a_byte_on() {
    let room = Room::for_text(100);
    let most = room.most_bytes();
    assert_eq!(
        (room.far_too_long(most), room.far_too_long(most + 1)),
        (None, Some(101))
    );
}

/// Sixty megabytes in one message once held up everyone while they were counted.
#[test]
fn what_is_far_too_long_is_refused_without_being_counted() {
    let bytes = BYTES_PER_TOKEN * 101;
    for (policy, beside) in [(Stop, 0), (Rolling, 0), (KeepEnds, 0), (Stop, bytes - 1)] {
        let huge = PromptMessage::text(Role::User, "x".repeat(bytes - beside));
        let room = Room {
            context: 100,
            answer: 0,
        };
        let refused = fit(std::slice::from_ref(&huge), beside, room, policy, |_| {
            panic!("it is counted");
        });
        let overflow = Error::ContextOverflow {
            prompt_tokens: 101,
            context_length: 100,
        };
        assert_eq!(refused, Err(overflow));
    }
}

/// A hundred thousand empty messages once held up everyone while the template wrote them.
#[test]
fn more_messages_than_the_context_has_tokens_are_not_even_written() {
    let messages = vec![PromptMessage::text(Role::User, ""); 101];
    let room = Room {
        context: 100,
        answer: 0,
    };
    let refused = fit(&messages, 0, room, Stop, |_| panic!("they are counted"));
    let overflow = Error::ContextOverflow {
        prompt_tokens: 101,
        context_length: 100,
    };
    assert_eq!(refused, Err(overflow));
    for policy in [Rolling, KeepEnds] {
        let mut longest = 0;
        let fitted = fit(&messages, 0, room, policy, |messages| {
            longest = longest.max(messages.len());
            Ok::<_, Error>(messages.len() as u32)
        });
        assert_eq!(fitted.map(|fitted| fitted.left_out), Ok(1));
        assert_eq!(longest, 100);
    }
}
