mod builtin;
mod hostile;
mod jinja2;
mod marking;
mod models;
mod oracle;
mod planted;
mod tools;

use expect_test::{Expect, expect};
use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use jiff::Zoned;

use super::marks::Marked;
use super::{ChatTemplate, ControlTokens, Failure, Rendered, Segment, Talk};

/// Templates of the shapes that models have, written for these tests.
mod shapes {
    pub(super) const CHATML: &str = concat!(
        "{% for message in messages %}",
        "{% if loop.first and messages[0]['role'] != 'system' %}",
        "{{ '<|im_start|>system\\nYou are a helpful model<|im_end|>\\n' }}",
        "{% endif %}",
        "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}",
        "{% endfor %}",
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    );

    pub(super) const LLAMA_3: &str = r#"
{{- bos_token }}
{%- if strftime_now is defined %}
    {%- set today = strftime_now("%d %b %Y") %}
{%- else %}
    {%- set today = "26 Jul 2024" %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_text = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_text = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\n\n" }}
{{- "Today: " + today + "\n\n" }}
{{- system_text }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' + message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}
"#;

    pub(super) const GEMMA: &str = concat!(
        "{{ bos_token }}",
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}",
        "{% for message in messages %}",
        "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}",
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}",
        "{% endif %}",
        "{% if message['role'] == 'assistant' %}{% set role = 'model' %}",
        "{% else %}{% set role = message['role'] %}{% endif %}",
        "{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}",
        "{% endfor %}",
        "{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}",
    );

    pub(super) const MISTRAL: &str = r#"{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- set user_messages = loop_messages | selectattr("role", "equalto", "user") | list %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if (message["role"] == "user") != (loop.index0 % 2 == 0) %}
        {{- raise_exception("After the optional system message, roles must alternate.") }}
    {%- endif %}
    {%- if message["role"] == "user" %}
        {%- if message == user_messages[-1] and system_message is defined %}
            {{- "[INST] " + system_message + "\n\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST] " + message["content"] + "[/INST]" }}
        {%- endif %}
    {%- else %}
        {{- " " + message["content"] + eos_token }}
    {%- endif %}
{%- endfor %}
"#;

    pub(super) const QWEN: &str = r#"{%- if tools %}
    {{- '<|im_start|>system\n' }}
    {%- for tool in tools %}
        {{- tool | tojson }}
    {%- endfor %}
    {{- '<|im_end|>\n' }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
{%- endif %}
{%- set ns = namespace(last_query=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if message.role == "user" and ns.last_query == messages|length - 1 %}
        {%- set ns.last_query = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if message.role == "user" or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\n' + content + '<|im_end|>' + '\n' }}
    {%- elif message.role == "assistant" %}
        {%- set thought = '' %}
        {%- if '</think>' in content %}
            {%- set thought = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query and thought %}
            {{- '<|im_start|>' + message.role + '\n<think>\n' + thought + '\n</think>\n\n' + content }}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\n' + content }}
        {%- endif %}
        {{- '<|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}"#;

    pub(super) const DEEPSEEK: &str = concat!(
        "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}",
        "{% set ns = namespace(is_first=true, system_prompt='') %}",
        "{%- for message in messages %}{%- if message['role'] == 'system' %}",
        "{%- if ns.is_first %}{% set ns.system_prompt = ns.system_prompt + message['content'] %}",
        "{% set ns.is_first = false %}",
        "{%- else %}{% set ns.system_prompt = ns.system_prompt + '\\n\\n' + message['content'] %}{%- endif %}",
        "{%- endif %}{%- endfor %}",
        "{{ bos_token }}{{ ns.system_prompt }}",
        "{%- for message in messages %}",
        "{%- if message['role'] == 'user' %}{{'<|User|>' + message['content']}}{%- endif %}",
        "{%- if message['role'] == 'assistant' and message['content'] is not none %}",
        "{% set content = message['content'] %}",
        "{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}",
        "{{'<|Assistant|>' + content + '<|end|>'}}{%- endif %}",
        "{%- endfor %}",
        "{% if add_generation_prompt %}{{'<|Assistant|><think>\\n'}}{% endif %}",
    );

    /// Names the role within the control token.
    pub(super) const PHI: &str = concat!(
        "{% for message in messages %}",
        "{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}",
        "{% endfor %}",
        "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% else %}{{ eos_token }}{% endif %}",
    );

    pub(super) const ALL: [(&str, &str); 7] = [
        ("chatml", CHATML),
        ("llama 3", LLAMA_3),
        ("gemma", GEMMA),
        ("mistral", MISTRAL),
        ("qwen", QWEN),
        ("deepseek", DEEPSEEK),
        ("phi", PHI),
    ];
}

/// The control tokens of all the shapes.
const CONTROL: [&str; 19] = [
    "<s>",
    "</s>",
    "<|im_start|>",
    "<|im_end|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[INST]",
    "[/INST]",
    "<|User|>",
    "<|Assistant|>",
    "<|end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<think>",
    "</think>",
];

fn control() -> ControlTokens {
    ControlTokens::new(CONTROL.map(str::to_owned))
}

fn noon() -> Zoned {
    "2026-07-05T12:00:00+00:00[UTC]".parse().expect("a date")
}

fn message(role: Role, text: &str) -> PromptMessage {
    PromptMessage::text(role, text)
}

/// Messages that begin with S, U, A or T and a colon.
fn chat(messages: &[&str]) -> Vec<PromptMessage> {
    let read = |text: &&str| {
        let (role, text) = text.split_once(':').expect("a role");
        let role = match role {
            "S" => Role::System,
            "U" => Role::User,
            "A" => Role::Assistant,
            "T" => Role::Tool,
            _ => panic!("no role {role}"),
        };
        message(role, text)
    };
    messages.iter().map(read).collect()
}

/// A chat of texts alone, to be answered.
fn talk<'a>(messages: &'a [PromptMessage], options: &'a AnswerOptions) -> Talk<'a> {
    Talk {
        messages,
        options,
        head: true,
        begun: None,
    }
}

fn render(source: &str, messages: &[PromptMessage]) -> Result<Rendered, Failure> {
    let options = AnswerOptions::default();
    let template = ChatTemplate::parse(source, "<s>", "</s>")?;
    template.render_at(talk(messages, &options), &control(), &noon())
}

/// Why a template does not give a prompt.
fn refusal(source: &str, messages: &[&str]) -> String {
    match render(source, &chat(messages)) {
        Ok(rendered) => panic!("it rendered {:?}", rendered.text),
        Err(failure) => failure.reason().to_owned(),
    }
}

/// The prompt with `⟦` and `⟧` around control tokens and `«` and `»` around content.
fn show(rendered: &Rendered) -> String {
    let control = control();
    let mut shown = String::new();
    let mut at = 0;
    let edge = |at: usize, shown: &mut String| {
        if rendered.content.iter().any(|content| content.end == at) {
            shown.push('»');
        }
        if rendered.content.iter().any(|content| content.start == at) {
            shown.push('«');
        }
    };
    for segment in rendered.segments(&control) {
        edge(at, &mut shown);
        match segment {
            Segment::Control(text) => {
                shown += &format!("⟦{text}⟧");
                at += text.len();
            }
            Segment::Text(text) => {
                let end = at + text.len();
                for c in text.chars() {
                    shown.push(c);
                    at += c.len_utf8();
                    if at < end {
                        edge(at, &mut shown);
                    }
                }
            }
        }
    }
    edge(at, &mut shown);
    shown
}

fn check(source: &str, messages: &[&str], expected: Expect) {
    let rendered = render(source, &chat(messages)).expect("the template renders");
    expected.assert_eq(&show(&rendered));
}
