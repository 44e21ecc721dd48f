//! What went wrong, in the person's language. Causes from below, such as what the system said, stay as they are.

use hearth_protocol::Error;

use super::format;
use crate::text::{Key, Texts, key, say};

/// What happened and what to do.
pub(crate) fn words(texts: &Texts, error: &Error) -> String {
    match error {
        Error::NotYet { command } => say!(texts, "error-not-yet", command = command.as_str()),
        Error::BackendGone => say!(texts, "error-backend-gone"),
        Error::NotFound { what, name, known } => match known.is_empty() {
            true => say!(
                texts,
                "error-not-found",
                what = what.as_str(),
                name = name.as_str()
            ),
            false => say!(
                texts,
                "error-not-found-known",
                what = what.as_str(),
                name = name.as_str(),
                known = known.join(", "),
            ),
        },
        Error::NoModel => say!(texts, "error-no-model"),
        Error::Invalid { field, problem } => say!(
            texts,
            "error-invalid",
            field = field.as_str(),
            problem = problem.as_str(),
        ),
        Error::ContextOverflow {
            prompt_tokens,
            context_length,
        } => say!(
            texts,
            "error-context-overflow",
            tokens = prompt_tokens.to_string(),
            length = context_length.to_string(),
        ),
        Error::TextTooLong { place, tokens, most } => say!(
            texts,
            "error-text-too-long",
            place = place.to_string(),
            tokens = tokens.to_string(),
            most = most.to_string(),
        ),
        Error::PortTaken { port, free: None } => {
            say!(texts, "error-port-taken", port = port.to_string())
        }
        Error::PortTaken {
            port,
            free: Some(free),
        } => say!(
            texts,
            "error-port-taken-free",
            port = port.to_string(),
            free = free.to_string(),
        ),
        Error::ServerStopped => say!(texts, "error-server-stopped"),
        Error::Cancelled => say!(texts, "error-cancelled"),
        Error::Storage { reason } => say!(texts, "error-storage", reason = reason.as_str()),
        Error::NewerDatabase { found, known } => say!(
            texts,
            "error-newer-database",
            found = found.to_string(),
            known = known.to_string(),
        ),
        Error::File { path, reason } => say!(
            texts,
            "error-file",
            path = path.as_str(),
            reason = reason.as_str(),
        ),
        Error::DiskFull { folder, needs, has } => say!(
            texts,
            "error-disk-full",
            folder = folder.as_str(),
            needs = format::size(texts, *needs),
            has = format::size(texts, *has),
        ),
        Error::Busy { what, reason } => {
            say!(
                texts,
                "error-busy",
                what = what.as_str(),
                reason = reason.as_str()
            )
        }
        Error::Unconfirmed { file, owner } => say!(
            texts,
            "error-unconfirmed",
            file = file.as_str(),
            owner = owner.as_str(),
        ),
        Error::OtherHearth { problem } => {
            say!(texts, "error-other-hearth", problem = problem.as_str())
        }
        Error::Internal { reason } => say!(texts, "error-internal", reason = reason.as_str()),
        Error::BadModelFile { file, reason } => say!(
            texts,
            "error-bad-model-file",
            file = file.as_str(),
            reason = reason.as_str(),
        ),
        Error::LoadFailed { reason, .. } => say!(texts, "error-load-failed", reason = reason.as_str()),
        Error::MemoryShort { model, reason } => say!(
            texts,
            "error-memory-short",
            model = model.as_str(),
            reason = reason.as_str(),
        ),
        Error::WorkerDied { during, cause, .. } => say!(
            texts,
            "error-worker-died",
            during = during.as_str(),
            cause = cause.as_str(),
        ),
        Error::ModelCannot { model, problem } => say!(
            texts,
            "error-model-cannot",
            model = model.as_str(),
            problem = problem.as_str(),
        ),
        Error::ModelEjected { model } => say!(texts, "error-model-ejected", model = model.as_str()),
        Error::Template { reason } => say!(texts, "error-template", reason = reason.as_str()),
        Error::Offline { what, reason } => say!(
            texts,
            "error-offline",
            what = what.as_str(),
            reason = reason.as_str(),
        ),
        Error::NotSignedIn => say!(texts, "error-not-signed-in"),
        Error::TokenNeeded { model } => say!(texts, "error-token-needed", model = model.as_str()),
        Error::TokenRefused { page } => say!(texts, "error-token-refused", page = page.as_str()),
        Error::NoAccess { model, page } => say!(
            texts,
            "error-no-access",
            model = model.as_str(),
            page = page.as_str(),
        ),
        Error::Renamed { from, to } => {
            say!(texts, "error-renamed", from = from.as_str(), to = to.as_str())
        }
        Error::TooManyRequests { seconds } => {
            say!(texts, "error-too-many-requests", seconds = seconds.to_string())
        }
        Error::HubDown { reason } => say!(texts, "error-hub-down", reason = reason.as_str()),
        Error::Transfer { file, reason } => say!(
            texts,
            "error-transfer",
            file = file.as_str(),
            reason = reason.as_str(),
        ),
        Error::WrongHash { file } => say!(texts, "error-wrong-hash", file = file.as_str()),
    }
}

/// The same below a title that says already what did not work: `The model did not load` leads no second time.
pub(crate) fn reason(texts: &Texts, error: &Error) -> String {
    match error {
        Error::LoadFailed { reason, .. } => sentence(reason),
        _ => words(texts, error),
    }
}

/// What an answer's card is titled with that ended so.
pub(super) fn title_of_answer(error: &Error) -> Key {
    match error {
        Error::LoadFailed { .. } | Error::BadModelFile { .. } => key!("failure-load"),
        Error::ContextOverflow { .. } => key!("failure-too-long"),
        Error::Storage { .. } => key!("failure-not-stored"),
        Error::Template { .. }
        | Error::NotFound { .. }
        | Error::NoModel
        | Error::Invalid { .. }
        | Error::ModelCannot { .. } => key!("failure-no-answer"),
        _ => key!("failure-stopped"),
    }
}

/// A cause as a sentence of its own.
pub(super) fn sentence(cause: &str) -> String {
    let mut rest = cause.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", rest.as_str())
}

#[cfg(test)]
mod tests {
    use hearth_protocol::ByteSize;
    use hearth_protocol::settings::Language;

    use super::*;

    fn text(text: &str) -> String {
        text.to_owned()
    }

    /// One of each.
    fn all() -> Vec<Error> {
        let log = Vec::new();
        vec![
            Error::not_yet("a.b"),
            Error::BackendGone,
            Error::NotFound {
                what: text("model"),
                name: text("x"),
                known: vec![],
            },
            Error::NotFound {
                what: text("model"),
                name: text("x"),
                known: vec![text("y"), text("z")],
            },
            Error::NoModel,
            Error::invalid("temperature", "must be 0 or more"),
            Error::BadModelFile {
                file: text("a.gguf"),
                reason: text("it is empty"),
            },
            Error::LoadFailed {
                reason: text("there is no room"),
                log: log.clone(),
            },
            Error::MemoryShort {
                model: text("m"),
                reason: text("it needs 2 GB"),
            },
            Error::WorkerDied {
                during: text("reading"),
                cause: text("signal 9"),
                log,
            },
            Error::ContextOverflow {
                prompt_tokens: 9000,
                context_length: 4096,
            },
            Error::TextTooLong {
                place: 2,
                tokens: 9000,
                most: 512,
            },
            Error::ModelCannot {
                model: text("m"),
                problem: text("only embeds"),
            },
            Error::ModelEjected { model: text("m") },
            Error::Template {
                reason: text("line 3"),
            },
            Error::Busy {
                what: text("the model"),
                reason: text("it answers"),
            },
            Error::PortTaken {
                port: 1234,
                free: None,
            },
            Error::PortTaken {
                port: 1234,
                free: Some(1235),
            },
            Error::ServerStopped,
            Error::Cancelled,
            Error::Storage {
                reason: text("it is locked"),
            },
            Error::NewerDatabase { found: 9, known: 8 },
            Error::File {
                path: text("/a"),
                reason: text("it is not there"),
            },
            Error::Offline {
                what: text("This"),
                reason: text("it is off"),
            },
            Error::NotSignedIn,
            Error::TokenNeeded { model: text("a/b") },
            Error::TokenRefused {
                page: text("https://hub.example"),
            },
            Error::NoAccess {
                model: text("a/b"),
                page: text("https://hub.example"),
            },
            Error::Renamed {
                from: text("a/b"),
                to: text("a/c"),
            },
            Error::TooManyRequests { seconds: 7 },
            Error::HubDown {
                reason: text("no answer"),
            },
            Error::DiskFull {
                folder: text("/m"),
                needs: ByteSize(7_300_000_000),
                has: ByteSize(10),
            },
            Error::Transfer {
                file: text("a.gguf"),
                reason: text("it ended early"),
            },
            Error::WrongHash { file: text("a.gguf") },
            Error::Unconfirmed {
                file: text("a.gguf"),
                owner: text("Jan"),
            },
            Error::OtherHearth {
                problem: text("it is older"),
            },
            Error::internal("oh"),
        ]
    }

    #[test]
    fn the_window_says_in_english_what_the_terminal_says() {
        for error in all() {
            let said = words(&Texts::default(), &error);
            assert_eq!(said.replace('\u{a0}', " "), error.to_string());
        }
    }

    #[test]
    fn every_failure_is_said_in_german_with_what_it_is_about() {
        let german = Texts::of(Language::German);
        for error in all() {
            let (said, english) = (words(&german, &error), error.to_string());
            assert_ne!(said, english);
            for part in [
                "a.gguf",
                "signal 9",
                "a/b",
                "1235",
                "4096",
                "https://hub.example",
                "temperature",
            ] {
                assert_eq!(said.contains(part), english.contains(part), "{said}");
            }
        }
    }

    #[test]
    fn a_reason_does_not_repeat_its_title() {
        let load = |reason: &str| Error::LoadFailed {
            reason: reason.into(),
            log: vec![],
        };
        let cases = [
            (load("there is not enough memory"), "There is not enough memory."),
            (load(""), "."),
            (Error::Cancelled, "Cancelled."),
        ];
        for (error, text) in cases {
            assert_eq!(reason(&Texts::default(), &error), text);
        }
    }
}
