//! The hub's address, and the addresses below it.

use hearth_protocol::{Error, Result};
use url::Url;

/// The hub itself.
const DEFAULT: &str = "https://huggingface.co";

/// The address of a hub. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint(Url);

impl Endpoint {
    /// The hub at this address; `None` is the Hugging Face Hub.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the field where the address is none.
    pub(super) fn parse(address: Option<&str>, field: &str) -> Result<Self> {
        let invalid = || Error::invalid(field, "must begin with http:// or https:// and name a host");
        let mut url = Url::parse(address.unwrap_or(DEFAULT)).map_err(|_| invalid())?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(invalid());
        }
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The address below it with these parts, each encoded: a branch `refs/pr/1` stays one part.
    pub(super) fn at<'a>(&self, parts: impl IntoIterator<Item = &'a str>) -> Url {
        let mut url = self.0.clone();
        // Only addresses that cannot be a base have no parts, and http has none of those.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        url
    }

    /// Whether an address is the hub's own, so that the token may go there.
    pub(super) fn owns(&self, url: &Url) -> bool {
        self.0.origin() == url.origin()
    }
}

impl std::fmt::Display for Endpoint {
    /// Without a name and a password that it may hold.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut url = self.0.clone();
        // Only addresses without a host take neither.
        if url.set_username("").is_ok() && url.set_password(None).is_ok() {
            f.write_str(url.as_str().trim_end_matches('/'))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_encoded_and_stand_below_a_path() {
        let hub = Endpoint::parse(Some("https://mirror.example/hf/"), "x").expect("an address");
        let url = hub.at(["api", "models", "o", "n", "revision", "refs/pr/1 é"]);
        let expected = "https://mirror.example/hf/api/models/o/n/revision/refs%2Fpr%2F1%20%C3%A9";
        assert_eq!(url.as_str(), expected);
        assert_eq!(hub.to_string(), "https://mirror.example/hf");
        let hub = Endpoint::parse(Some("https://me:secret@mirror.example/hf"), "x").expect("an address");
        assert_eq!(hub.to_string(), "https://mirror.example/hf");
    }

    #[test]
    fn only_its_own_scheme_host_and_port_are_the_hub() {
        let hub = Endpoint::parse(None, "x").expect("an address");
        let owns = |url: &str| hub.owns(&Url::parse(url).expect("an address"));
        assert!(owns("https://huggingface.co/a") && owns("https://HuggingFace.co:443/"));
        assert!(!owns("http://huggingface.co/a"));
        assert!(!owns("https://cdn.huggingface.co/a"));
        assert!(!owns("https://huggingface.co:8443/"));
        assert!(!owns("https://huggingface.co.example/"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "hub", "ftp://hub", "file:///tmp", "data:x"] {
            assert!(Endpoint::parse(Some(text), "HF_ENDPOINT").is_err(), "{text}");
        }
    }
}
