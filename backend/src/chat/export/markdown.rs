//! The shown path of a chat as Markdown, for people: title, names, models; thoughts, tools and files folded.

use std::fmt::Write;

use hearth_protocol::chat::Role;

use crate::chat::attach::fence_around;
use crate::chat::whole::{WholeChat, WholeMessage};

/// The contents of the file.
pub(super) fn write(chat: &WholeChat) -> String {
    let mut text = format!("# {}\n", chat.title);
    if let Some(system_prompt) = &chat.options.system_prompt {
        section(&mut text, "System", system_prompt);
    }
    for message in chat.shown() {
        write_message(&mut text, message);
    }
    text
}

fn write_message(text: &mut String, message: &WholeMessage) {
    let name = match (message.role, &message.model) {
        (Role::User, _) => "You",
        (Role::System, _) => "System",
        (Role::Tool, _) => "Tool",
        (Role::Assistant, Some(model)) => model,
        (Role::Assistant, None) => "Assistant",
    };
    section(text, name, "");
    if let Some(reasoning) = message
        .reasoning
        .as_deref()
        .filter(|thought| !thought.trim().is_empty())
    {
        folded(text, "Thoughts", reasoning.trim());
    }
    for file in &message.attachments {
        let fence = fence_around(&file.text);
        folded(
            text,
            &file.name,
            &format!("{fence}\n{}\n{fence}", file.text.trim_end_matches('\n')),
        );
    }
    for call in &message.tool_calls {
        let fence = fence_around(&call.arguments);
        folded(
            text,
            &format!("Tool: {}", call.name),
            &format!("{fence}json\n{}\n{fence}", call.arguments),
        );
    }
    if !message.text.trim().is_empty() {
        push(text, format_args!("\n{}\n", message.text.trim()));
    }
}

fn section(text: &mut String, name: &str, body: &str) {
    push(text, format_args!("\n## {}\n", name.replace(['\r', '\n'], " ")));
    if !body.trim().is_empty() {
        push(text, format_args!("\n{}\n", body.trim()));
    }
}

/// What shows only its name until it is opened. The empty lines make Markdown of what is between.
fn folded(text: &mut String, name: &str, body: &str) {
    let name = name
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace(['\r', '\n'], " ");
    push(
        text,
        format_args!("\n<details>\n<summary>{name}</summary>\n\n{body}\n\n</details>\n"),
    );
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    text.write_fmt(what).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use hearth_protocol::UnixMillis;
    use hearth_protocol::chat::TurnOptions;
    use hearth_protocol::chat::attachment::Attachment;
    use hearth_protocol::tools::ToolCall;

    use super::*;

    #[test]
    fn the_shown_path_as_markdown() {
        let message = |role, text: &str, parent| WholeMessage::text(role, text.into(), parent, UnixMillis(0));
        let asked = WholeMessage {
            attachments: vec![Attachment {
                name: "a<b>.md".into(),
                text: "```\ncode\n```\n".into(),
            }],
            ..message(Role::User, "What is it?\n", None)
        };
        let chosen = WholeMessage {
            choice: 2,
            reasoning: Some("Hm.\n".into()),
            tool_calls: vec![ToolCall {
                id: "1".into(),
                name: "look".into(),
                arguments: "{\"at\":1}".into(),
            }],
            model: Some("Tiny 1B".into()),
            ..message(Role::Assistant, "**Code**", Some(0))
        };
        let chat = WholeChat {
            title: "Files".into(),
            title_by_person: false,
            pinned: false,
            created_at: UnixMillis(0),
            updated_at: UnixMillis(0),
            options: TurnOptions {
                system_prompt: Some("Be brief.".into()),
                ..TurnOptions::default()
            },
            messages: vec![
                asked,
                chosen,
                message(Role::Assistant, "another version", Some(0)),
                message(Role::User, "Thanks", Some(1)),
            ],
        };
        expect![[r##"
            # Files

            ## System

            Be brief.

            ## You

            <details>
            <summary>a&lt;b>.md</summary>

            ````
            ```
            code
            ```
            ````

            </details>

            What is it?

            ## Tiny 1B

            <details>
            <summary>Thoughts</summary>

            Hm.

            </details>

            <details>
            <summary>Tool: look</summary>

            ```json
            {"at":1}
            ```

            </details>

            **Code**

            ## You

            Thanks
        "##]]
        .assert_eq(&write(&chat));
    }
}
