//! The templates that tests render: those of llama.cpp's collection, one of each family of models.
//!
//! `./x models` brings them. They are not part of this tree.

use std::path::PathBuf;

/// Names the folder with the models of the tests; the templates lie in a folder in it.
const MODELS_VARIABLE: &str = "HEARTH_TEST_MODELS";

/// Folder of what `./x models` brought.
pub(crate) fn models() -> PathBuf {
    std::env::var_os(MODELS_VARIABLE).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/models")),
        PathBuf::from,
    )
}

/// Names and sources, by name.
pub(crate) fn templates() -> Vec<(String, String)> {
    let folder = models().join("templates");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; ./x models brings the templates, or {MODELS_VARIABLE} names the folder they lie in",
            folder.display()
        )
    });
    let mut templates: Vec<(String, String)> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jinja"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a template is UTF-8"))
        })
        .collect();
    templates.sort();
    templates
}
