//! `hearth-cli search` and `hearth-cli show`.

mod follow;

pub(crate) use follow::files;

use std::io::{self, Write};

use hearth_protocol::catalogue::search::{AskHub, CatalogueQuery, CatalogueSort};
use hearth_protocol::catalogue::{
    AdvisedSampling, Capability, CatalogueFile, DetailsRequest, FileRole, HubPart, ModelDetails, ModelSummary,
};
use hearth_protocol::{Client, Error, ErrorKind, ModelId};

use crate::arguments::{CanDo, Order, SearchArguments, ShowArguments, YesNo};
use crate::exit::{Exit, Failure};
use crate::get::HubName;
use crate::interrupts::Interrupts;
use crate::list::{json, table};
use crate::text::{grouped, or_dash, printable, write_table};

const NOTHING_FOUND: &str = "No model is like this. Fewer or shorter words find more.";

/// Names offered where several models are meant.
const MAX_SUGGESTIONS: usize = 5;

/// Characters of the names of what is told of a model.
const LABEL_WIDTH: usize = 14;

/// Searches what this computer knows, and the hub unless that is not wanted. What the hub refuses is told beside what was
/// found.
pub(crate) fn search(
    client: &Client,
    interrupts: &Interrupts,
    arguments: SearchArguments,
) -> Result<Exit, Failure> {
    let (as_json, page) = (arguments.json, arguments.page);
    let found = follow::page(client, interrupts, query(arguments))?;
    follow::tell(&found.hub, found.cached_at, found.named.as_ref())?;
    if as_json {
        return json(&found.models);
    }
    let rows: Vec<_> = found.models.iter().map(row).collect();
    let header = ["MODEL", "NAME", "PARAMETERS", "SIZE", "LICENCE", "CAN"];
    let exit = table(header, &rows, NOTHING_FOUND)?;
    if found.more {
        writeln!(
            io::stderr().lock(),
            "There are more: --page {}",
            page.saturating_add(1)
        )?;
    }
    Ok(exit)
}

fn query(arguments: SearchArguments) -> CatalogueQuery {
    CatalogueQuery {
        text: arguments.words.join(" "),
        capabilities: arguments.capabilities.into_iter().map(capability).collect(),
        licences: arguments.licences,
        language: arguments.language,
        min_parameters: arguments.min_params,
        max_parameters: arguments.max_params,
        gated: arguments.gated.map(|answer| matches!(answer, YesNo::Yes)),
        fits_only: arguments.fits,
        favourites_only: arguments.favourites,
        with_hidden: false,
        sort: match arguments.sort {
            Order::Match => CatalogueSort::BestMatch,
            Order::Name => CatalogueSort::Name,
            Order::Params => CatalogueSort::Parameters,
            Order::Downloads => CatalogueSort::Downloads,
            Order::Likes => CatalogueSort::Likes,
            Order::Trending => CatalogueSort::Trending,
            Order::Updated => CatalogueSort::Updated,
            Order::Created => CatalogueSort::Created,
            Order::Favourites => CatalogueSort::Favourites,
        },
        page: arguments.page - 1,
        ask_hub: if arguments.local {
            AskHub::Never
        } else {
            AskHub::AtOnce
        },
    }
}

fn capability(can: CanDo) -> Capability {
    match can {
        CanDo::Tools => Capability::Tools,
        CanDo::Vision => Capability::Vision,
        CanDo::Reasoning => Capability::Reasoning,
        CanDo::Embedding => Capability::Embedding,
        CanDo::Rerank => Capability::Rerank,
        CanDo::Code => Capability::Code,
    }
}

fn row(model: &ModelSummary) -> [String; 6] {
    [
        model.id.to_string(),
        model.name.clone(),
        or_dash(parameters(model)),
        or_dash(model.download_size.map(|size| size.to_string())),
        or_dash(model.licence.clone()),
        or_dash(abilities(model)),
    ]
}

/// Shows a model.
pub(crate) fn show(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &ShowArguments,
) -> Result<Exit, Failure> {
    let details = find(client, interrupts, arguments)?;
    let is_old = matches!(details.hub, HubPart::Offline | HubPart::Failed { .. });
    let told_at = details.fetched_at.filter(|_| is_old);
    follow::tell(&details.hub, told_at, details.access.as_ref())?;
    if arguments.json {
        return json(&details);
    }
    let mut output = io::stdout().lock();
    describe(&mut output, &details)?;
    writeln!(output)?;
    let header = ["FILE", "QUANT", "SIZE", "NEEDS", "FIT"];
    let rows: Vec<_> = details.files.iter().map(file_row).collect();
    write_table(&mut output, header, &rows)?;
    if let Some((file, reason)) = details
        .files
        .iter()
        .find_map(|file| Some((file, file.recommended.as_ref()?)))
    {
        writeln!(output, "\nRecommended: {} ({reason})", printable(&file.name))?;
    }
    Ok(Exit::Done)
}

/// The model with this id, else the only one that these words find.
fn find(client: &Client, interrupts: &Interrupts, arguments: &ShowArguments) -> Result<ModelDetails, Error> {
    let (name, file) = match HubName::typed(client, &arguments.model) {
        Some(name) => (name.model, name.file),
        None => match arguments.model.split_once(':') {
            Some((name, file)) => (name.into(), Some(file.to_owned())),
            None => (arguments.model.as_str().into(), None),
        },
    };
    let details = |model: ModelId| {
        let request = DetailsRequest {
            model,
            context_length: arguments.ctx,
            file: file.clone(),
            read_headers: true,
        };
        follow::details(client, interrupts, request)
    };
    let error = match details(name) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Offline) => error,
        answer => return answer,
    };
    let search = |ask_hub| {
        let query = CatalogueQuery {
            text: arguments.model.clone(),
            ask_hub,
            ..CatalogueQuery::default()
        };
        follow::page(client, interrupts, query)
    };
    let mut models = search(AskHub::Never)?.models;
    if models.is_empty() {
        models = search(AskHub::AtOnce)?.models;
    }
    let named = |model: &&ModelSummary| model.name.to_lowercase() == arguments.model.to_lowercase();
    match (models.iter().find(named), models.as_slice()) {
        (Some(model), _) | (None, [model]) => details(model.id.clone()),
        (None, []) => Err(error),
        (None, several) => Err(Error::NotFound {
            what: "model".into(),
            name: arguments.model.clone(),
            known: several
                .iter()
                .take(MAX_SUGGESTIONS)
                .map(|model| model.id.to_string())
                .collect(),
        }),
    }
}

fn describe(output: &mut impl Write, details: &ModelDetails) -> io::Result<()> {
    let (model, card, edits) = (&details.model, &details.card, &details.edits);
    writeln!(
        output,
        "{} ({})",
        printable(&model.name),
        printable(model.id.as_str())
    )?;
    if let Some(summary) = &model.summary {
        writeln!(output, "{}", printable(summary))?;
    }
    writeln!(output)?;
    let with = |name: String, page: &Option<String>| match page {
        Some(page) => format!("{name}, {page}"),
        None => name,
    };
    let languages = match card.language_count {
        Some(count) => Some(format!("{count}, by its maker's count")),
        None => Some(card.languages.join(", ")).filter(|list| !list.is_empty()),
    };
    let lines = [
        ("Good for", Some(card.good_for.join("; "))),
        ("By", Some(with(model.author.clone(), &card.author_url))),
        (
            "Licence",
            model
                .licence
                .clone()
                .map(|licence| with(licence, &card.licence_url)),
        ),
        ("Parameters", parameters(model)),
        (
            "Context",
            model
                .context_length
                .map(|tokens| format!("{} tokens", grouped(tokens))),
        ),
        ("Architecture", card.architecture.clone()),
        ("Released", model.released_on.clone()),
        ("Languages", languages),
        ("Can", abilities(model)),
        (
            "Vectors",
            card.embedding_length.map(|length| format!("of {length} numbers")),
        ),
        ("Sampling", card.sampling.as_ref().map(sampling)),
        ("Thinking", card.sampling_thinking.as_ref().map(sampling)),
        (
            "From",
            Some(
                card.repositories
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        ),
        (
            "Made from",
            Some(
                card.base_models
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        ),
        ("Your tags", Some(edits.tags.join(", "))),
        ("Your notes", Some(edits.notes.clone())),
    ];
    for (label, text) in lines {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            writeln!(output, "{label:LABEL_WIDTH$}{}", printable(&text))?;
        }
    }
    Ok(())
}

fn file_row(file: &CatalogueFile) -> [String; 5] {
    let needs = file.estimate.map(|estimate| {
        let about = if estimate.is_rough { "about " } else { "" };
        format!("{about}{}", estimate.total())
    });
    let mut fit = match file.role {
        FileRole::Model => file.fit.words().to_owned(),
        FileRole::Projector => "for images".to_owned(),
        FileRole::Draft => "to guess ahead".to_owned(),
    };
    if let Some(problem) = &file.problem {
        fit = format!("damaged: {problem}");
    }
    if !file.missing_parts.is_empty() {
        fit = format!("{} of its parts are missing", file.missing_parts.len());
    }
    [
        file.name.clone(),
        or_dash(file.quantisation.clone()),
        or_dash(file.size.map(|size| size.to_string())),
        or_dash(needs),
        fit,
    ]
}

/// Such as `8.2B`, or `30B, 3B active`.
fn parameters(model: &ModelSummary) -> Option<String> {
    let all = short(model.parameters?);
    Some(match model.active_parameters {
        Some(active) => format!("{all}, {} active", short(active)),
        None => all,
    })
}

/// A number of parameters as model names have it, with one digit after the point below 10.
fn short(number: u64) -> String {
    let (value, unit) = match number {
        ..999_500_000 => (number as f64 / 1e6, "M"),
        _ => (number as f64 / 1e9, "B"),
    };
    let tenths = (value * 10.0).round() / 10.0;
    if tenths < 10.0 && tenths.fract() != 0.0 {
        format!("{tenths:.1}{unit}")
    } else {
        format!("{value:.0}{unit}")
    }
}

fn abilities(model: &ModelSummary) -> Option<String> {
    let names: Vec<_> = model
        .capabilities
        .iter()
        .map(|capability| capability.name())
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn sampling(advice: &AdvisedSampling) -> String {
    let settings = [
        ("temperature", advice.temperature),
        ("top-k", advice.top_k.map(|count| count as f32)),
        ("top-p", advice.top_p),
        ("min-p", advice.min_p),
        ("repeat penalty", advice.repeat_penalty),
        ("presence penalty", advice.presence_penalty),
    ];
    let told = settings
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} {}", (*value)?)));
    let mut text = told.collect::<Vec<_>>().join(", ");
    if let Some(source) = &advice.source {
        text = format!("{text} ({source})");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_parameters_read_as_in_names_of_models() {
        let cases = [
            (33_000_000, "33M"),
            (135_000_000, "135M"),
            (999_499_999, "999M"),
            (999_890_000, "1B"),
            (1_000_000_000, "1B"),
            (1_240_000_000, "1.2B"),
            (8_190_000_000, "8.2B"),
            (30_500_000_000, "30B"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn sampling_tells_only_what_is_advised() {
        let advice = AdvisedSampling {
            temperature: Some(0.6),
            top_k: Some(20),
            source: Some("its maker".into()),
            ..AdvisedSampling::default()
        };
        assert_eq!(sampling(&advice), "temperature 0.6, top-k 20 (its maker)");
    }
}
