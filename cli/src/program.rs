//! Whose a model is, as it is typed.

use clap::ValueEnum;
use hearth_protocol::library::Source;

/// Whose a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Program {
    /// It came with Hearth
    Starter,
    /// Hearth itself
    Hearth,
    /// The Hugging Face cache
    HuggingFace,
    /// LM Studio
    LmStudio,
    /// Ollama
    Ollama,
    /// Jan
    Jan,
    /// GPT4All
    #[value(name = "gpt4all")]
    Gpt4All,
    /// llama.cpp
    LlamaCpp,
    /// A folder of yours
    Folder,
}

impl Program {
    /// As the library knows it.
    pub(crate) fn source(self) -> Source {
        match self {
            Self::Starter => Source::Starter,
            Self::Hearth => Source::Hearth,
            Self::HuggingFace => Source::HuggingFace,
            Self::LmStudio => Source::LmStudio,
            Self::Ollama => Source::Ollama,
            Self::Jan => Source::Jan,
            Self::Gpt4All => Source::Gpt4All,
            Self::LlamaCpp => Source::LlamaCpp,
            Self::Folder => Source::Folder,
        }
    }

    /// Of what the library knows.
    pub(crate) fn of(source: Source) -> Self {
        match source {
            Source::Starter => Self::Starter,
            Source::Hearth => Self::Hearth,
            Source::HuggingFace => Self::HuggingFace,
            Source::LmStudio => Self::LmStudio,
            Source::Ollama => Self::Ollama,
            Source::Jan => Self::Jan,
            Source::Gpt4All => Self::Gpt4All,
            Source::LlamaCpp => Self::LlamaCpp,
            Source::Folder => Self::Folder,
        }
    }

    /// As it is typed.
    pub(crate) fn flag(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
