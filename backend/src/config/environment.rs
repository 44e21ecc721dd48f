//! The variables of the environment, with the meaning they have for other programs of the hub (`huggingface_hub`,
//! `constants.py`).

use std::ffi::OsString;
use std::path::PathBuf;

use hearth_protocol::{Error, Result};

/// Gives each variable that is set.
pub(super) struct Environment<'a>(pub(super) &'a dyn Fn(&str) -> Option<OsString>);

impl Environment<'_> {
    /// A path; any bytes that the system takes for one.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        let value = (self.0)(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    }

    /// A text that is more than blanks.
    ///
    /// # Errors
    /// [`Error::Invalid`] where it is none. What it holds is not told: it may be a token.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>> {
        let text = (self.0)(name).map(OsString::into_string).transpose();
        let text = text.map_err(|_| {
            let problem = "holds bytes that are no text in UTF-8; set it anew, or unset it";
            Error::invalid(name, problem)
        })?;
        Ok(text.filter(|text| !text.trim().is_empty()))
    }

    /// Those of these variables that are set, as text; the paths in them whole.
    pub(super) fn kept(&self, names: &[&str]) -> Vec<(String, String)> {
        let kept = names.iter().filter_map(|name| {
            let path = std::path::absolute(self.path(name)?).ok()?;
            Some(((*name).to_owned(), path.into_os_string().into_string().ok()?))
        });
        kept.collect()
    }

    /// Whether it is what Python's hub client takes for yes.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub(super) fn is_on(&self, name: &str) -> Result<bool> {
        let text = self.text(name)?.unwrap_or_default();
        Ok(["1", "on", "yes", "true"].contains(&text.trim().to_lowercase().as_str()))
    }

    /// The folder of the hub's cache.
    pub(super) fn hub_cache(&self) -> PathBuf {
        let named = self.path("HF_HUB_CACHE");
        let named = named.or_else(|| self.path("HUGGINGFACE_HUB_CACHE"));
        named.unwrap_or_else(|| self.hub_home().join("hub"))
    }

    /// The file of `hf auth login`.
    pub(super) fn token_file(&self) -> PathBuf {
        let named = self.path("HF_TOKEN_PATH");
        named.unwrap_or_else(|| self.hub_home().join("token"))
    }

    /// The folder of all that the hub's programs keep.
    fn hub_home(&self) -> PathBuf {
        let caches = || {
            let home = directories::BaseDirs::new();
            let home = home.map(|dirs| dirs.home_dir().join(".cache"));
            self.path("XDG_CACHE_HOME").or(home).unwrap_or_default()
        };
        let named = self.path("HF_HOME");
        named.unwrap_or_else(|| caches().join("huggingface"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder of the cache and the file of the token, by these variables.
    fn places(set: &[(&str, &str)]) -> (PathBuf, PathBuf) {
        let variable = |name: &str| {
            let found = set.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let environment = Environment(&variable);
        (environment.hub_cache(), environment.token_file())
    }

    #[test]
    fn the_hubs_places_are_where_its_other_programs_have_them() {
        let xdg = ("XDG_CACHE_HOME", "/x");
        let cases = [
            (vec![xdg], "/x/huggingface/hub", "/x/huggingface/token"),
            (vec![xdg, ("HF_HOME", "/h")], "/h/hub", "/h/token"),
            (vec![("HF_HOME", "/h"), ("HF_HUB_CACHE", "/c")], "/c", "/h/token"),
            (
                vec![("HF_HOME", "/h"), ("HUGGINGFACE_HUB_CACHE", "/o")],
                "/o",
                "/h/token",
            ),
            (
                vec![xdg, ("HF_HOME", ""), ("HF_TOKEN_PATH", "/t")],
                "/x/huggingface/hub",
                "/t",
            ),
        ];
        for (set, cache, token) in cases {
            assert_eq!(places(&set), (cache.into(), token.into()), "{set:?}");
        }
        assert!(places(&[]).0.ends_with(".cache/huggingface/hub"));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_may_hold_any_bytes_and_a_text_that_is_none_is_refused_by_name() {
        use std::os::unix::ffi::OsStringExt;

        let odd = || OsString::from_vec(b"/odd-\xff".to_vec());
        let environment = Environment(&|_| Some(odd()));
        assert_eq!(environment.hub_cache(), PathBuf::from(odd()));
        assert_eq!(environment.token_file(), PathBuf::from(odd()));
        for refused in [
            environment.text("HF_TOKEN").map(drop),
            environment.is_on("HF_TOKEN").map(drop),
        ] {
            let error = refused.expect_err("it is no text");
            let expected = "HF_TOKEN holds bytes that are no text in UTF-8; set it anew, or unset it.";
            assert_eq!(error.to_string(), expected);
        }
    }
}
