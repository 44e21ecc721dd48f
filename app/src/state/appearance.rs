//! How the window looks: what the settings say, with what the desktop says where they leave it to the desktop.

use hearth_protocol::settings::{Accent, Density, Language, Settings, TextSize, Theme, Zoom};

/// The colours of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Shade {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
}

impl Shade {
    /// The other one.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Dark,
        }
    }

    /// The theme that always has it.
    pub(crate) fn theme(self) -> Theme {
        match self {
            Self::Dark => Theme::Dark,
            Self::Light => Theme::Light,
        }
    }
}

/// What the desktop wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Desktop {
    /// Its colours; dark where it says nothing.
    pub(crate) shade: Shade,
    /// The person's language, where Hearth speaks it; else English.
    pub(crate) language: Language,
}

/// All that counts for what the window looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Look {
    /// Dark or light.
    pub(crate) shade: Shade,
    /// The one colour.
    pub(crate) accent: Accent,
    /// Size of messages and code.
    pub(crate) text_size: TextSize,
    /// Room around rows.
    pub(crate) density: Density,
    /// Size of everything.
    pub(crate) zoom: Zoom,
    /// The language.
    pub(crate) language: Language,
}

impl Look {
    /// The look that the settings ask for on this desktop.
    pub(crate) fn of(settings: &Settings, desktop: Desktop) -> Self {
        Self {
            shade: match settings.theme {
                Theme::System => desktop.shade,
                Theme::Dark => Shade::Dark,
                Theme::Light => Shade::Light,
            },
            accent: settings.accent,
            text_size: settings.text_size,
            density: settings.density,
            zoom: settings.zoom,
            language: settings.language.unwrap_or(desktop.language),
        }
    }
}

/// The language of a locale's name such as `de_AT.UTF-8` or `de-AT`; English where Hearth does not speak it.
pub(crate) fn language_of(locale: &str) -> Language {
    let language = locale.split(['-', '_', '.', '@']).next().unwrap_or_default();
    if language.eq_ignore_ascii_case("de") {
        Language::German
    } else {
        Language::English
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_settings_leave_open_is_as_the_desktop_has_it() {
        let desktop = Desktop {
            shade: Shade::Light,
            language: Language::German,
        };
        let look = |theme, language| {
            let settings = Settings {
                theme,
                language,
                ..Settings::default()
            };
            let look = Look::of(&settings, desktop);
            (look.shade, look.language)
        };
        assert_eq!(look(Theme::System, None), (Shade::Light, Language::German));
        assert_eq!(
            look(Theme::Dark, Some(Language::English)),
            (Shade::Dark, Language::English)
        );
        assert_eq!(look(Theme::Light, None).0, Shade::Light);
    }

    #[test]
    fn a_locale_names_its_language_first() {
        let cases = [
            ("de", Language::German),
            ("de-AT", Language::German),
            ("de_CH.UTF-8", Language::German),
            ("DE@euro", Language::German),
            ("den", Language::English),
            ("en-GB", Language::English),
            ("fr", Language::English),
            ("C", Language::English),
            ("", Language::English),
        ];
        for (locale, language) in cases {
            assert_eq!(language_of(locale), language, "{locale}");
        }
    }
}
