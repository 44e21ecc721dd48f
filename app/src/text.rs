//! What the window says, in the person's language. The words stand in `resources/texts`, one file a language, in the
//! format of Project Fluent; they are compiled in.
//!
//! Rust asks by [`say!`](crate::text::say) and names words for later by [`key!`](crate::text::key); designs name a
//! constant of `ui::texts`.

#[cfg(test)]
mod tests;

use std::fmt;
use std::rc::Rc;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use hearth_protocol::settings::Language;
use unic_langid::{LanguageIdentifier, langid};

pub(crate) use fluent_bundle::FluentValue as Value;

const ENGLISH: &str = include_str!("../../resources/texts/en.ftl");
const GERMAN: &str = include_str!("../../resources/texts/de.ftl");

/// Names words in the files of texts. Made by [`key!`] only, so that a test finds each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key(pub(crate) &'static str);

/// The words of one language.
#[derive(Clone)]
pub(crate) struct Texts {
    language: Language,
    bundle: Rc<FluentBundle<FluentResource>>,
}

impl Texts {
    /// The words of a language.
    pub(crate) fn of(language: Language) -> Self {
        let (id, text) = source(language);
        let mut bundle = FluentBundle::new(vec![id]);
        // The marks around what is put in are for scripts that run both ways, and no font here draws them.
        bundle.set_use_isolating(false);
        // What is wrong in a file is told by a test; what can be read of it is said.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        Self {
            language,
            bundle: Rc::new(bundle),
        }
    }

    /// Their language.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// The words of this name, with these values in them; the name itself where there are none.
    pub(crate) fn say(&self, key: Key, values: &[(&str, Value<'_>)]) -> String {
        let message = self.bundle.get_message(key.0);
        let Some(pattern) = message.and_then(|message| message.value()) else {
            return key.0.to_owned();
        };
        let values: FluentArgs<'_> = values.iter().cloned().collect();
        let mut errors = Vec::new();
        let said = self.bundle.format_pattern(pattern, Some(&values), &mut errors);
        debug_assert!(errors.is_empty(), "{}: {errors:?}", key.0);
        said.into_owned()
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.language == other.language
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::of(Language::default())
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Texts").field(&self.language).finish()
    }
}

fn source(language: Language) -> (LanguageIdentifier, &'static str) {
    match language {
        Language::English => (langid!("en"), ENGLISH),
        Language::German => (langid!("de"), GERMAN),
    }
}

/// Names words: `key!("settings-title")`.
macro_rules! key {
    ($key:literal) => {
        $crate::text::Key($key)
    };
}

/// Says words, with what stands in them: `say!(texts, "zoom-value", percent = 130)`.
macro_rules! say {
    ($texts:expr, $key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $texts.say(
            $crate::text::Key($key),
            &[$((stringify!($name), $crate::text::Value::from($value))),*],
        )
    };
}

pub(crate) use {key, say};
