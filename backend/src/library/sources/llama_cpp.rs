//! llama.cpp's own cache: all files side by side as `PUBLISHER_REPOSITORY_FILE`, and for each repository a file called
//! `manifest=PUBLISHER=REPOSITORY=TAG.json`, which alone tells where one name ends and the next begins. Newer versions use
//! the Hugging Face cache.

use std::path::Path;

use hearth_protocol::ModelId;
use hearth_protocol::library::Source;

use super::super::found::Found;
use super::super::scan::Told;

/// Adds the models of the cache.
pub(super) fn look_through(found: &mut Found, cache: &Path) {
    let repositories = repositories(cache);
    found.walk(Source::LlamaCpp, cache, cache, |below| {
        below
            .to_str()
            .and_then(|name| tell(&repositories, name))
            .unwrap_or_default()
    });
}

fn tell(repositories: &[(String, String)], name: &str) -> Option<Told> {
    repositories.iter().find_map(|(publisher, repository)| {
        let rest = name
            .strip_prefix(publisher)?
            .strip_prefix('_')?
            .strip_prefix(repository)?
            .strip_prefix('_')?;
        Some(Told {
            called: Some(rest.to_owned()),
            model: Some(ModelId(format!("{publisher}/{repository}"))),
            ..Told::default()
        })
    })
}

/// The publishers and repositories that manifests name. A cache that cannot be read is told by the walk.
fn repositories(cache: &Path) -> Vec<(String, String)> {
    let entries = cache.read_dir().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let repositories = names.filter_map(|name| {
        let mut parts = name.strip_prefix("manifest=")?.split('=');
        let (publisher, repository) = (parts.next()?, parts.next()?);
        parts.next()?;
        Some((publisher.to_owned(), repository.to_owned()))
    });
    repositories.collect()
}
