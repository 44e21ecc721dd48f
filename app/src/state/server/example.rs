//! Examples to copy, one for each endpoint and language. Those of the chat stand in `docs/server.md`, the others in
//! `docs/examples.md`, from where `./x clients` runs them.

/// The model of the examples where there is none on this machine.
pub(super) const MODEL: &str = "SmolLM2-135M-Instruct-Q4_1";

/// Stands for the key where one is needed.
const KEY: &str = "YOUR_KEY";

/// The example that is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Example {
    /// Of which endpoint.
    pub(crate) endpoint: Endpoint,
    /// In which language.
    pub(crate) language: Language,
}

/// An endpoint that has examples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// `GET /v1/models`
    Models,
    /// `POST /v1/chat/completions`
    #[default]
    Chat,
    /// `POST /v1/completions`
    Text,
    /// `POST /v1/embeddings`
    Vectors,
}

/// A language of the examples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// A shell.
    #[default]
    Curl,
    /// With the `openai` package.
    Python,
    /// With the `openai` package.
    JavaScript,
}

/// Where the server is and what it is asked with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The root of its addresses.
    pub(super) base: &'a str,
    /// The model.
    pub(super) model: &'a str,
    /// Whether a request must bring a key.
    pub(super) needs_key: bool,
}

impl Language {
    /// Its name for the colours of code.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Curl => "sh",
            Self::Python => "python",
            Self::JavaScript => "js",
        }
    }
}

impl Example {
    /// The example itself.
    pub(super) fn text(self, place: &Place<'_>) -> String {
        match self.language {
            Language::Curl => curl(self.endpoint, place),
            Language::Python => python(self.endpoint, place),
            Language::JavaScript => java_script(self.endpoint, place),
        }
    }
}

fn curl(endpoint: Endpoint, place: &Place<'_>) -> String {
    let (path, body) = match endpoint {
        Endpoint::Models => ("models", None),
        Endpoint::Chat => (
            "chat/completions",
            Some(r#"{"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 32}"#),
        ),
        Endpoint::Text => (
            "completions",
            Some(r#"{"prompt": "Once upon a time", "max_tokens": 32}"#),
        ),
        Endpoint::Vectors => ("embeddings", Some(r#"{"input": "Hi"}"#)),
    };
    let mut text = format!("curl {}/v1/{path}", place.base);
    if body.is_some() {
        text += " -H 'content-type: application/json'";
    }
    if place.needs_key {
        text += &format!(" \\\n  -H 'authorization: Bearer {KEY}'");
    }
    if let Some(body) = body {
        text += &format!(" \\\n  -d '{body}'");
    }
    text
}

fn python(endpoint: Endpoint, place: &Place<'_>) -> String {
    let model = place.model;
    let call = match endpoint {
        Endpoint::Models => "for model in client.models.list():\n    print(model.id)".into(),
        Endpoint::Chat => format!(
            "for chunk in client.chat.completions.create(\n    \
                 model={model:?}, messages=[{{\"role\": \"user\", \"content\": \"Hi\"}}], stream=True\n\
             ):\n    \
                 print(chunk.choices[0].delta.content or \"\", end=\"\")"
        ),
        Endpoint::Text => format!(
            "answer = client.completions.create(\n    \
                 model={model:?}, prompt=\"Once upon a time\", max_tokens=32\n\
             )\n\
             print(answer.choices[0].text)"
        ),
        Endpoint::Vectors => format!(
            "answer = client.embeddings.create(model={model:?}, input=\"Hi\")\n\
             print(answer.data[0].embedding)"
        ),
    };
    format!(
        "from openai import OpenAI\n\
         client = OpenAI(base_url=\"{}/v1\", api_key=\"{}\")\n\
         {call}",
        place.base,
        key(place)
    )
}

fn java_script(endpoint: Endpoint, place: &Place<'_>) -> String {
    let model = place.model;
    let call = match endpoint {
        Endpoint::Models => "for await (const model of client.models.list()) console.log(model.id);".into(),
        Endpoint::Chat => format!(
            "const answer = await client.chat.completions.create({{\n  \
               model: {model:?}, messages: [{{ role: \"user\", content: \"Hi\" }}],\n\
             }});\n\
             console.log(answer.choices[0].message.content);"
        ),
        Endpoint::Text => format!(
            "const answer = await client.completions.create({{\n  \
               model: {model:?}, prompt: \"Once upon a time\", max_tokens: 32,\n\
             }});\n\
             console.log(answer.choices[0].text);"
        ),
        Endpoint::Vectors => format!(
            "const answer = await client.embeddings.create({{ model: {model:?}, input: \"Hi\" }});\n\
             console.log(answer.data[0].embedding);"
        ),
    };
    format!(
        "import OpenAI from \"openai\";\n\
         const client = new OpenAI({{ baseURL: \"{}/v1\", apiKey: \"{}\" }});\n\
         {call}",
        place.base,
        key(place)
    )
}

fn key(place: &Place<'_>) -> &'static str {
    if place.needs_key { KEY } else { "none" }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    const LANGUAGES: [Language; 3] = [Language::Curl, Language::Python, Language::JavaScript];
    const ENDPOINTS: [Endpoint; 4] = [
        Endpoint::Models,
        Endpoint::Chat,
        Endpoint::Text,
        Endpoint::Vectors,
    ];

    /// As the documentation has it.
    fn documented(endpoint: Endpoint, language: Language) -> String {
        let example = Example { endpoint, language };
        example.text(&Place {
            base: "http://127.0.0.1:1234",
            model: MODEL,
            needs_key: false,
        })
    }

    #[test]
    fn the_examples_of_the_chat_are_those_of_the_documentation() {
        let page = include_str!("../../../../docs/server.md");
        for language in LANGUAGES {
            let text = documented(Endpoint::Chat, language);
            assert!(page.contains(&text), "{text}");
        }
    }

    #[test]
    fn the_other_examples_are_those_of_their_page() {
        let mut page = String::from(
            "# Examples of other endpoints\n\n\
             The window's page of the local server shows these, with the address, the model and the place of the key \
             that are\nits own at the time; `./x clients` runs them as they stand here. Those of the chat are in \
             [server.md](server.md).\n",
        );
        for (endpoint, name) in [
            (Endpoint::Models, "GET /v1/models"),
            (Endpoint::Text, "POST /v1/completions"),
            (Endpoint::Vectors, "POST /v1/embeddings"),
        ] {
            page += &format!("\n## `{name}`\n");
            for language in LANGUAGES {
                let text = documented(endpoint, language);
                page += &format!("\n```{}\n{text}\n```\n", language.code());
            }
        }
        expect_file!["../../../../docs/examples.md"].assert_eq(&page);
    }

    #[test]
    fn every_example_names_the_server_and_the_key_where_one_is_needed() {
        for endpoint in ENDPOINTS {
            for language in LANGUAGES {
                let example = Example { endpoint, language };
                for needs_key in [false, true] {
                    let text = example.text(&Place {
                        base: "https://127.0.0.1:4321",
                        model: "a \"b\"",
                        needs_key,
                    });
                    assert!(text.contains("https://127.0.0.1:4321/v1"), "{text}");
                    assert_eq!(text.contains(KEY), needs_key, "{text}");
                    assert!(!text.contains("a \"b\""), "quotes are escaped: {text}");
                }
            }
        }
    }
}
