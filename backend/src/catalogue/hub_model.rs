//! A model of the hub as the catalogue has it. Pure. Whatever the hub says may be missing or of another kind.

use hearth_protocol::catalogue::{Capability, CatalogueFile, FileRole, ModelCard, ModelSummary};
use hearth_protocol::{ByteSize, ModelId, UnixMillis};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::files::{RepositoryFile, fold};
use super::recommend::usual;
use super::{fit, licence};
use crate::hub::shapes::{ModelInfo, is_safe_path};
use crate::library::quant;
use crate::store::catalogue::NewModel;

/// Endings of repositories' names that say what all of them hold.
const ENDINGS: [&str; 2] = ["-gguf", "_gguf"];

/// Codes of languages among the tags have so many letters.
const CODE_LENGTH: usize = 2;

/// Tags of two letters that are no languages.
const NO_CODES: [&str; 2] = ["ai", "tf"];

/// How much the hub told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// An entry of a list: names of files only.
    Briefly,
    /// All of it.
    Whole,
}

/// The model, as it was told at this moment; `None` where its name is none, where it was switched off, and of a list where
/// it has files and none of them is one that Hearth can use.
pub(super) fn read(info: ModelInfo, told: Told, now: UnixMillis) -> Option<NewModel> {
    let id = ModelId(info.id);
    let (author, name) = id.as_str().split_once('/')?;
    if !is_safe_path(author) || !is_safe_path(name) || name.contains('/') {
        tracing::warn!(model = %id, "a model of the hub has a name that is none");
        return None;
    }
    let about = About(info.about);
    if about.value("disabled") == Some(&Value::Bool(true)) {
        return None;
    }
    let has_files = !info.siblings.is_empty();
    let files: Vec<_> = info
        .siblings
        .into_iter()
        .map(|file| RepositoryFile {
            repository: id.clone(),
            revision: info.sha.clone(),
            name: file.path,
            size: file.size.map(ByteSize),
            sha256: file.sha256,
        })
        .collect();
    let files = fold(files);
    if told == Told::Briefly && has_files && files.is_empty() {
        return None;
    }
    let parameters = about.number("gguf", "total").filter(|number| *number > 0);
    let context_length = about
        .number("gguf", "context_length")
        .and_then(|tokens| u32::try_from(tokens).ok())
        .filter(|tokens| *tokens > 0);
    Some(NewModel {
        place: None,
        card: about.card(&id),
        usual_file: None,
        least_memory: least_memory(&files, parameters, context_length),
        trending_score: about.value("trendingScore").and_then(Value::as_f64),
        detailed_at: (told == Told::Whole).then_some(now),
        model: ModelSummary {
            name: display_name(name),
            author: author.to_owned(),
            summary: None,
            parameters,
            active_parameters: None,
            context_length,
            capabilities: about.capabilities(&files),
            licence: about.licence(),
            released_on: about.text("createdAt").and_then(day),
            download_size: usual(&files, parameters).and_then(|file| file.size),
            downloads: about.value("downloads").and_then(Value::as_u64),
            likes: about.value("likes").and_then(Value::as_u64),
            updated_at: about.text("lastModified").and_then(moment),
            fetched_at: Some(now),
            // `"auto"` and `"manual"` both mean that something must be accepted.
            gated: about
                .value("gated")
                .is_some_and(|gated| gated.is_string() || gated == true),
            featured: false,
            favourite: false,
            hidden: false,
            id,
        },
        files,
    })
}

/// What the hub says of a model beside its files.
struct About(Map<String, Value>);

impl About {
    fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    fn within(&self, object: &str, name: &str) -> Option<&Value> {
        self.value(object)?.get(name)
    }

    fn number(&self, object: &str, name: &str) -> Option<u64> {
        self.within(object, name)?.as_u64()
    }

    /// A text or a list of texts on the model's card.
    fn of_card(&self, name: &str) -> Vec<&str> {
        match self.within("cardData", name) {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        let tags = self.value("tags").and_then(Value::as_array);
        tags.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Tags of this beginning, without it.
    fn tags_of<'a>(&'a self, beginning: &'a str) -> impl Iterator<Item = &'a str> {
        self.tags().filter_map(move |tag| tag.strip_prefix(beginning))
    }

    fn licence(&self) -> Option<String> {
        let word = self.tags_of("license:").next();
        let word = word.or_else(|| self.of_card("license").first().copied())?;
        // `other` has a name on the card.
        let own = self.of_card("license_name").first().copied();
        Some(match (word, own) {
            ("other", Some(own)) => own.to_owned(),
            (word, _) => licence::name(word),
        })
    }

    fn card(&self, id: &ModelId) -> ModelCard {
        let link = self.of_card("license_link").first().copied();
        let mut languages: Vec<String> = self
            .of_card("language")
            .into_iter()
            .map(str::to_lowercase)
            .collect();
        if languages.is_empty() {
            let is_code = |tag: &&str| {
                tag.len() == CODE_LENGTH
                    && tag.bytes().all(|byte| byte.is_ascii_lowercase())
                    && !NO_CODES.contains(tag)
            };
            languages = self.tags().filter(is_code).map(str::to_owned).collect();
        }
        languages.retain(|code| !code.contains(char::is_whitespace));
        let mut base_models: Vec<ModelId> = self
            .of_card("base_model")
            .into_iter()
            .map(ModelId::from)
            .collect();
        if base_models.is_empty() {
            let named = self.tags_of("base_model:").filter(|name| !name.contains(':'));
            base_models = named.map(ModelId::from).collect();
        }
        ModelCard {
            licence_url: link
                .filter(|link| link.starts_with("https://"))
                .map(str::to_owned),
            architecture: self
                .within("gguf", "architecture")
                .and_then(Value::as_str)
                .map(str::to_owned),
            languages,
            repositories: vec![id.clone()],
            base_models,
            ..ModelCard::default()
        }
    }

    /// What its tags, its task and its chat template say that it can do.
    fn capabilities(&self, files: &[CatalogueFile]) -> Vec<Capability> {
        let task = self.text("pipeline_tag").unwrap_or_default();
        let template = self.within("gguf", "chat_template").and_then(Value::as_str);
        let template = template.unwrap_or_default();
        let has_tag = |wanted: &[&str]| {
            self.tags()
                .any(|tag| wanted.contains(&tag.to_lowercase().as_str()))
        };
        let can = |capability| match capability {
            Capability::Tools => template.contains("tools") || has_tag(&["function-calling", "tool-use"]),
            Capability::Vision => {
                matches!(
                    task,
                    "image-text-to-text" | "any-to-any" | "visual-question-answering"
                ) || files.iter().any(|file| file.role == FileRole::Projector)
            }
            Capability::Reasoning => {
                ["<think>", "enable_thinking", "reasoning_content"]
                    .iter()
                    .any(|word| template.contains(word))
                    || has_tag(&["reasoning", "thinking"])
            }
            Capability::Embedding => {
                matches!(task, "feature-extraction" | "sentence-similarity")
                    || has_tag(&[
                        "sentence-transformers",
                        "feature-extraction",
                        "sentence-similarity",
                    ])
            }
            Capability::Rerank => task == "text-ranking" || has_tag(&["reranker", "text-ranking"]),
            Capability::Code => has_tag(&["code", "coder", "coding", "code-generation"]),
        };
        Capability::ALL.into_iter().filter(|one| can(*one)).collect()
    }
}

/// What the smallest file takes in memory, about: by its size, else by the bits that the names of the files tell.
fn least_memory(
    files: &[CatalogueFile],
    parameters: Option<u64>,
    context_length: Option<u32>,
) -> Option<u64> {
    let models = || files.iter().filter(|file| file.role == FileRole::Model);
    let weights = |file: &CatalogueFile| {
        let size = file.size.map(|size| size.0);
        size.or_else(|| {
            let bits = quant::bits(file.quantisation.as_deref()?)?;
            // Scales take half a bit to one of each weight, where there are any.
            let tenths = if bits < 16 {
                u64::from(bits) * 10 + 7
            } else {
                u64::from(bits) * 10
            };
            Some(parameters?.saturating_mul(tenths) / 80)
        })
    };
    let weights = models().filter_map(weights).min()?;
    let tokens = fit::default_context(context_length);
    let context = fit::ContextBytes::rough(parameters, Some(ByteSize(weights)), tokens)?;
    Some(weights.saturating_add(context.bytes))
}

/// The repository's name without the ending that all of them have.
fn display_name(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.into_iter().find(|ending| lower.ends_with(ending));
    let cut = ending.map_or(name, |ending| &name[..name.len() - ending.len()]);
    if cut.is_empty() { name } else { cut }.to_owned()
}

/// The day of a moment, as `YYYY-MM-DD`.
fn day(text: &str) -> Option<String> {
    let moment: Timestamp = text.parse().ok()?;
    Some(moment.strftime("%Y-%m-%d").to_string())
}

fn moment(text: &str) -> Option<UnixMillis> {
    let moment: Timestamp = text.parse().ok()?;
    Some(UnixMillis(moment.as_millisecond()))
}

#[cfg(test)]
mod tests;
