//! The chat template that is built in, for models whose own cannot be used.

/// What to name as a chat template to get this one.
pub(crate) const CHATML_NAME: &str = "chatml";

/// ChatML, which most models have seen.
const CHATML: &str = "\
{%- for message in messages -%}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{- '<|im_start|>assistant\\n' -}}
{%- endif -%}
";

/// The template that a text stands for: the one it names, or itself.
pub(crate) fn source_of(template: &str) -> &str {
    if template.trim().eq_ignore_ascii_case(CHATML_NAME) {
        CHATML
    } else {
        template
    }
}
