//! The chat templates that are built in, for models whose own is missing or cannot be used. They know no tools; those
//! are told in words (`tools::spell`).

use hearth_protocol::engine::BUILT_IN_TEMPLATES;

/// What a template of no use is replaced with first: most models have seen it.
pub(crate) const CHATML_NAME: &str = "chatml";

/// Sources in the order of [`BUILT_IN_TEMPLATES`].
const SOURCES: [&str; BUILT_IN_TEMPLATES.len()] = [
    include_str!("../../../../../resources/templates/chatml.jinja"),
    include_str!("../../../../../resources/templates/deepseek-r1.jinja"),
    include_str!("../../../../../resources/templates/gemma.jinja"),
    include_str!("../../../../../resources/templates/gemma4.jinja"),
    include_str!("../../../../../resources/templates/glm4.jinja"),
    include_str!("../../../../../resources/templates/granite.jinja"),
    include_str!("../../../../../resources/templates/harmony.jinja"),
    include_str!("../../../../../resources/templates/llama-3.jinja"),
    include_str!("../../../../../resources/templates/mistral.jinja"),
    include_str!("../../../../../resources/templates/phi-4.jinja"),
    include_str!("../../../../../resources/templates/phi-4-mini.jinja"),
];

/// The template that a text stands for: the one it names, or itself.
pub(crate) fn source_of(template: &str) -> &str {
    let named = BUILT_IN_TEMPLATES.iter().zip(SOURCES);
    named
        .into_iter()
        .find(|(name, _)| template.trim().eq_ignore_ascii_case(name))
        .map_or(template, |(_, source)| source)
}
