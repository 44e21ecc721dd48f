//! The chat in a terminal.

use std::io::{self, Write};
use std::path::Path;

use hearth_protocol::Error;
use hearth_protocol::engine::LoadedModel;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::turn::{Conversation, View};
use crate::exit::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::text::grouped;

const PROMPT: &str = "> ";

const HELP: &str = "  /new     begin another chat
  /help    show this
  /bye     leave, as Ctrl-D does
  Ctrl-C   stop the answer; twice leaves";

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    Message(&'a str),
    Blank,
    New,
    Help,
    Bye,
    Unknown(&'a str),
}

/// Chats until the person leaves. A turn that fails is told, and the chat goes on.
pub(crate) fn chat(
    mut conversation: Conversation<'_>,
    view: &mut dyn View,
    interrupts: &Interrupts,
    history: &Path,
) -> Result<Exit, Failure> {
    let model = conversation.load(view)?;
    let mut editor = DefaultEditor::new().map_err(terminal)?;
    if let Err(error) = editor.load_history(history) {
        tracing::debug!(%error, "no input history yet");
    }
    say(&greeting(&model))?;
    let mut interrupted = false;
    loop {
        // Between two lines the terminal sends Ctrl-C as a signal.
        let line = if interrupts.was_pressed() {
            Err(ReadlineError::Interrupted)
        } else {
            editor.readline(PROMPT)
        };
        let line = match line {
            Ok(line) => line,
            Err(ReadlineError::Eof) => break,
            Err(ReadlineError::Interrupted) if interrupted => break,
            Err(ReadlineError::Interrupted) => {
                interrupted = true;
                say("Ctrl-C again leaves.")?;
                continue;
            }
            Err(error) => return Err(terminal(error)),
        };
        interrupted = false;
        match parse(&line) {
            Line::Blank => (),
            Line::Bye => break,
            Line::Help => say(HELP)?,
            Line::New => {
                conversation.start_anew();
                say("A new chat.")?;
            }
            Line::Unknown(word) => say(&format!("There is no command {word}. /help shows them."))?,
            Line::Message(text) => {
                remember(&mut editor, text, history);
                interrupts.clear();
                match conversation.send(view, text.to_owned(), Vec::new()) {
                    Ok(_) if interrupts.shall_end() => break,
                    Ok(_) => (),
                    Err(Failure::Hearth(Error::Cancelled)) => break,
                    Err(Failure::Hearth(error)) => {
                        Failure::Hearth(error).report(false);
                    }
                    Err(failure) => return Err(failure),
                }
            }
        }
    }
    Ok(Exit::Done)
}

fn greeting(model: &LoadedModel) -> String {
    let mut parts = vec![model.name.clone()];
    parts.extend(model.quantisation.clone());
    parts.push(format!("{} tokens of context", grouped(model.context_length)));
    let mut greeting = parts.join(" · ");
    if !model.has_chat_template {
        greeting.push_str("\nThis model has no chat template: it goes on with your text.");
    }
    greeting.push_str("\n/help shows the commands, Ctrl-D leaves.");
    greeting
}

/// One word behind a slash is a command; a path such as `/etc/hosts` is not.
fn parse(line: &str) -> Line<'_> {
    let line = line.trim();
    match line {
        "" => Line::Blank,
        "/bye" | "/exit" | "/quit" => Line::Bye,
        "/help" | "/?" => Line::Help,
        "/new" => Line::New,
        line => match line.strip_prefix('/') {
            Some(word) if word.chars().all(char::is_alphanumeric) => Line::Unknown(line),
            _ => Line::Message(line),
        },
    }
}

/// Keeps a line for the arrow keys. A history that cannot be kept is no reason to stop the chat.
fn remember(editor: &mut DefaultEditor, line: &str, history: &Path) {
    let kept = editor
        .add_history_entry(line)
        .and_then(|_| editor.append_history(history));
    if let Err(error) = kept {
        tracing::debug!(%error, "the input history is not kept");
    }
}

fn say(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}

fn terminal(error: ReadlineError) -> Failure {
    Failure::Terminal(io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_word_behind_a_slash_is_a_command() {
        let cases = [
            ("  ", Line::Blank),
            ("/bye", Line::Bye),
            (" /help ", Line::Help),
            ("/new", Line::New),
            ("/nwe", Line::Unknown("/nwe")),
            ("/etc/hosts is what?", Line::Message("/etc/hosts is what?")),
            ("hello", Line::Message("hello")),
        ];
        for (line, expected) in cases {
            assert_eq!(parse(line), expected, "{line}");
        }
    }
}
