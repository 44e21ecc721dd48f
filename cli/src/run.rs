//! `hearth-cli run`: one question, or a chat in the terminal.

mod chat;
mod json;
mod plain;
mod turn;

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::engine::{ContextLength, KeepLoaded, LoadOptions, LoadRequest, ModelRef};
use hearth_protocol::generate::{SamplingParams, StopReason};
use hearth_protocol::settings::Settings;
use hearth_protocol::{Client, Error, Image};

use crate::arguments::RunArguments;
use crate::exit::{Exit, Failure};
use crate::get::find_or_get;
use crate::interrupts::Interrupts;
use json::JsonLines;
use plain::PlainText;
use turn::{Conversation, View};

/// The prompt that stands for standard input.
const FROM_STANDARD_INPUT: &str = "-";

/// Answers one prompt, or chats where there is none and a person sits at the terminal.
pub(crate) fn run(
    client: &Client,
    interrupts: &Interrupts,
    arguments: RunArguments,
    history: &Path,
) -> Result<Exit, Failure> {
    let prompt = match &arguments.prompt {
        Some(prompt) if prompt != FROM_STANDARD_INPUT => Some(prompt.clone()),
        None if io::stdin().is_terminal() => None,
        _ => Some(read_prompt()?),
    };
    if prompt.as_ref().is_some_and(|prompt| prompt.trim().is_empty()) {
        return Err(Failure::Usage(
            "The prompt is empty. Write it behind the model, or send it on standard input.",
        ));
    }
    if prompt.is_none() && arguments.json {
        return Err(Failure::Usage("--json needs a PROMPT."));
    }
    if prompt.is_none() && !arguments.image.is_empty() {
        return Err(Failure::Usage("--image needs a PROMPT."));
    }
    let images = read_images(&arguments.image)?;
    let settings = client.read_settings().wait()?;
    let sampling = sampling(&arguments, &settings);
    sampling.validate()?;
    let options = load_options(&arguments, &settings);
    options.validate()?;
    let model = find_or_get(
        client,
        interrupts,
        model_ref(&arguments.model),
        arguments.download,
    )?;
    let turn = TurnOptions {
        model: Some(model.clone()),
        sampling: Some(sampling),
        system_prompt: arguments.system,
        ..TurnOptions::default()
    };
    let load = LoadRequest {
        model,
        options: Some(options),
        force: false,
        keep: KeepLoaded::Default,
    };
    let mut conversation = Conversation::new(client, interrupts, load, turn);
    let mut view: Box<dyn View> = if arguments.json {
        Box::new(JsonLines)
    } else {
        Box::new(PlainText::new(arguments.stats))
    };
    let Some(prompt) = prompt else {
        return chat::chat(conversation, view.as_mut(), interrupts, history);
    };
    let answer = conversation.send(view.as_mut(), prompt, images);
    let answer = answer.map_err(|failure| match failure {
        // The view has, with what there is of the answer.
        Failure::Hearth(error) if arguments.json => Failure::Told(error),
        failure => failure,
    })?;
    Ok(match answer.stop {
        Some(StopReason::UserStopped) => Exit::Interrupted,
        _ => Exit::Done,
    })
}

/// All of standard input, without the line end that `echo` adds.
fn read_prompt() -> io::Result<String> {
    let mut prompt = String::new();
    io::stdin().lock().read_to_string(&mut prompt)?;
    prompt.truncate(prompt.trim_end_matches(['\r', '\n']).len());
    Ok(prompt)
}

/// The pictures in these files.
fn read_images(paths: &[PathBuf]) -> Result<Vec<Image>, Error> {
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).map_err(|error| unread(path, &error))?;
        Image::new(bytes).map_err(|_| {
            Error::invalid(
                &path.display().to_string(),
                "is no PNG, JPEG, WebP or GIF picture",
            )
        })
    };
    paths.iter().map(read).collect()
}

/// Why a file that was named cannot be read.
fn unread(path: &Path, error: &io::Error) -> Error {
    let path = path.display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::NotFound {
            what: "file".into(),
            name: path,
            known: Vec::new(),
        },
        _ => Error::File {
            path,
            reason: error.to_string(),
        },
    }
}

/// What is written as a path is a path, and so is what looks like a model file's and is there, whatever it is; all
/// else is a name. A path is given from the root on: whoever is asked may work in another folder.
pub(crate) fn model_ref(text: &str) -> ModelRef {
    let path = Path::new(text);
    let is_written_as_path = path.is_absolute() || text.starts_with("./") || text.starts_with("../");
    let looks_like_file =
        text.contains(std::path::is_separator) || text.to_ascii_lowercase().ends_with(".gguf");
    // The link itself, not what it leads to: that may be nothing.
    let is_there = path.symlink_metadata().is_ok();
    if is_written_as_path || path.is_file() || (looks_like_file && is_there) {
        ModelRef::Path(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    } else {
        ModelRef::Name(text.to_owned())
    }
}

/// The settings' way to choose tokens, with what was typed in place of it.
fn sampling(arguments: &RunArguments, settings: &Settings) -> SamplingParams {
    let base = settings.sampling.clone();
    SamplingParams {
        temperature: arguments.temp.unwrap_or(base.temperature),
        top_k: arguments.top_k.unwrap_or(base.top_k),
        top_p: arguments.top_p.unwrap_or(base.top_p),
        min_p: arguments.min_p.unwrap_or(base.min_p),
        repeat_penalty: arguments.repeat_penalty.unwrap_or(base.repeat_penalty),
        seed: arguments.seed.or(base.seed),
        max_tokens: arguments.max_tokens.or(base.max_tokens),
        stop: if arguments.stop.is_empty() {
            base.stop.clone()
        } else {
            arguments.stop.clone()
        },
        ..base
    }
}

/// The settings' way to load, with what was typed in place of it.
fn load_options(arguments: &RunArguments, settings: &Settings) -> LoadOptions {
    let base = settings.load.clone();
    LoadOptions {
        context_length: arguments.ctx.map_or(base.context_length, ContextLength::Tokens),
        threads: arguments.threads.or(base.threads),
        ..base
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn parse(words: &[&str]) -> RunArguments {
        let words = ["hearth-cli", "run"].iter().chain(words);
        match Arguments::try_parse_from(words).expect("valid").command {
            Command::Run(arguments) => arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_written_as_a_path_is_a_path() {
        let here = std::env::current_dir().expect("a folder");
        let path = |text: &str| ModelRef::Path(here.join(text));
        let name = |text: &str| ModelRef::Name(text.to_owned());
        let cases = [
            ("./x.gguf", path("./x.gguf")),
            ("../x.gguf", path("../x.gguf")),
            ("/models/x.gguf", path("/models/x.gguf")),
            ("x.gguf", name("x.gguf")),
            ("starter/x.gguf", name("starter/x.gguf")),
            ("src", name("src")),
            ("src/run", path("src/run")),
            ("Cargo.toml", path("Cargo.toml")),
        ];
        for (text, expected) in cases {
            assert_eq!(model_ref(text), expected);
        }
    }

    #[test]
    fn typed_options_take_the_place_of_the_settings() {
        let settings = Settings {
            sampling: SamplingParams {
                top_k: 7,
                stop: vec!["A".into()],
                ..SamplingParams::default()
            },
            ..Settings::default()
        };
        assert_eq!(sampling(&parse(&["m"]), &settings), settings.sampling);
        let typed = parse(&[
            "m", "--temp", "0", "--seed", "3", "--stop", "B", "--stop", "C", "--ctx", "64",
        ]);
        let params = sampling(&typed, &settings);
        assert_eq!((params.temperature, params.top_k, params.seed), (0.0, 7, Some(3)));
        assert_eq!(params.stop, ["B", "C"]);
        assert_eq!(
            load_options(&typed, &settings).context_length,
            ContextLength::Tokens(64)
        );
    }
}
