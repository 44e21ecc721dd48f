//! Presets: named sets of options, those that Hearth brings and those of the person.

use std::path::PathBuf;

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::chat::preset::Preset;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{Error, Result};
use serde::{Deserialize, Serialize};

use super::options::storable;
use super::title;
use crate::files::{blocking, file_error, read_small, write_new};
use crate::store::Store;

/// Those that Hearth brings, in `resources/presets`.
const SHIPPED: [&str; 4] = [
    include_str!("../../../resources/presets/writing.toml"),
    include_str!("../../../resources/presets/coding.toml"),
    include_str!("../../../resources/presets/translating.toml"),
    include_str!("../../../resources/presets/summarising.toml"),
];

/// Longest file of one that is read, in bytes.
const LONGEST_FILE: u64 = 4 << 20;

/// What files of presets are called in themselves.
const KIND: &str = "preset";

/// The form of these files: raised where an older Hearth would take one for something else.
const FORM: u32 = 1;

/// One that Hearth brings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shipped {
    name: String,
    options: TurnOptions,
}

/// A preset in a file of its own (`docs/chats.md`).
#[derive(Debug, Serialize, Deserialize)]
struct PresetFile {
    hearth: String,
    version: u32,
    name: String,
    options: TurnOptions,
}

/// All presets. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Presets {
    store: Store,
}

impl Presets {
    /// The presets of a database.
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// All of them, the person's own first, by name.
    pub(crate) async fn list(&self) -> Result<Vec<Preset>> {
        let own = self.store.own_presets().await?.into_iter();
        let own = own.map(|(name, options)| Preset {
            name,
            shipped: false,
            options,
        });
        let mut presets: Vec<Preset> = own.chain(shipped()?).collect();
        presets.sort_by_cached_key(|preset| (preset.shipped, preset.name.to_lowercase()));
        Ok(presets)
    }

    /// Saves a set under a name, in place of one of the person's that has it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a blank name, that of one which Hearth brings, and options that are not possible.
    pub(crate) async fn save(&self, name: &str, options: TurnOptions) -> Result<Preset> {
        options.validate()?;
        let name = title::from_person(name).ok_or_else(|| Error::invalid("name", "is empty"))?;
        let all = self.list().await?;
        refuse_shipped(&all, &name)?;
        let replaced = all.into_iter().filter(|preset| same(&preset.name, &name));
        let replaced: Vec<String> = replaced.map(|preset| preset.name).collect();
        self.put(&replaced, name, options).await
    }

    /// Gives one of the person's another name.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] for one that Hearth brings, a blank name, and one that is taken.
    pub(crate) async fn rename(&self, name: &str, to: &str) -> Result<Preset> {
        let to = title::from_person(to).ok_or_else(|| Error::invalid("name", "is empty"))?;
        let all = self.list().await?;
        refuse_shipped(&all, name)?;
        let preset = find(&all, name)?.clone();
        if all
            .iter()
            .any(|other| same(&other.name, &to) && other.name != preset.name)
        {
            return Err(Error::invalid(
                "name",
                "is that of another preset; choose another one",
            ));
        }
        self.put(&[preset.name], to, preset.options).await
    }

    /// Deletes one of the person's.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] for one that Hearth brings.
    pub(crate) async fn delete(&self, name: &str) -> Result<()> {
        let all = self.list().await?;
        refuse_shipped(&all, name)?;
        self.store.remove_preset(&find(&all, name)?.name).await
    }

    /// Writes one to a file that is not there yet. A model that is named by a path is left out.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::File`].
    pub(crate) async fn export(&self, name: &str, path: PathBuf) -> Result<()> {
        let all = self.list().await?;
        let mut preset = find(&all, name)?.clone();
        preset.options.model = preset
            .options
            .model
            .filter(|model| !matches!(model, ModelRef::Path(_)));
        let file = PresetFile {
            hearth: KIND.into(),
            version: FORM,
            name: preset.name,
            options: preset.options,
        };
        let mut text = serde_json::to_string_pretty(&file).map_err(Error::internal)?;
        text.push('\n');
        blocking(move || write_new(&path, text.as_bytes())).await
    }

    /// Reads one from a file. Where its name is taken it gets a number behind it.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Invalid`] says what is wrong with the file.
    pub(crate) async fn import(&self, path: PathBuf) -> Result<Preset> {
        let file = blocking(move || read(&path)).await?;
        let all = self.list().await?;
        let is_taken = |name: &str| all.iter().any(|preset| same(&preset.name, name));
        let name = match is_taken(&file.name) {
            true => title::of_copy(&file.name, is_taken),
            false => file.name,
        };
        self.put(&[], name, file.options).await
    }

    async fn put(&self, replaced: &[String], name: String, options: TurnOptions) -> Result<Preset> {
        let options = storable(options);
        self.store
            .put_preset(replaced, &(name.clone(), options.clone()))
            .await?;
        Ok(Preset {
            name,
            shipped: false,
            options,
        })
    }
}

fn read(path: &std::path::Path) -> Result<PresetFile> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let bytes = read_small(path, LONGEST_FILE).map_err(|error| file_error(path, &error))?;
    let damaged = |reason: String| Error::invalid(&name, format!("is no preset of Hearth's: {reason}"));
    let mut file: PresetFile = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if file.hearth != KIND {
        return Err(damaged(format!("it holds a {}", file.hearth)));
    }
    if file.version > FORM {
        return Err(Error::invalid(
            &name,
            "was written by a newer Hearth; update this one to read it",
        ));
    }
    file.options.validate()?;
    file.name = title::from_person(&file.name).ok_or_else(|| damaged("its name is empty".into()))?;
    Ok(file)
}

fn shipped() -> Result<Vec<Preset>> {
    let read = |text: &&str| {
        let shipped: Shipped = toml::from_str(text).map_err(Error::internal)?;
        Ok(Preset {
            name: shipped.name,
            shipped: true,
            options: shipped.options,
        })
    };
    SHIPPED.iter().map(read).collect()
}

/// Names that differ in case alone could not be told apart.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn find<'a>(presets: &'a [Preset], name: &str) -> Result<&'a Preset> {
    let found = presets.iter().find(|preset| same(&preset.name, name));
    found.ok_or_else(|| Error::NotFound {
        what: "preset".into(),
        name: name.into(),
        known: presets.iter().map(|preset| preset.name.clone()).collect(),
    })
}

fn refuse_shipped(presets: &[Preset], name: &str) -> Result<()> {
    match presets
        .iter()
        .any(|preset| preset.shipped && same(&preset.name, name))
    {
        true => Err(Error::invalid(
            name,
            "came with Hearth and stays as it is; save yours under another name",
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_that_hearth_brings_are_whole() {
        let shipped = shipped().expect("they are read");
        let names: Vec<&str> = shipped.iter().map(|preset| preset.name.as_str()).collect();
        assert_eq!(names, ["Writing", "Coding", "Translating", "Summarising"]);
        for preset in &shipped {
            preset.options.validate().expect("possible");
            let prompt = preset.options.system_prompt.as_deref().unwrap_or_default();
            assert!(prompt.len() > 100 && prompt.trim() == prompt, "{prompt:?}");
            assert!(!prompt.contains("  ") && !prompt.contains('\n'), "{prompt:?}");
            assert!(preset.options.sampling.is_some() && preset.options.model.is_none());
        }
    }

    #[tokio::test]
    async fn presets_are_saved_renamed_carried_and_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("hearth.db")).await.expect("open");
        let presets = Presets::new(store);
        let brief = TurnOptions {
            system_prompt: Some("Be brief.".into()),
            ..TurnOptions::default()
        };
        let own = async || {
            let all = presets.list().await.expect("list").into_iter();
            all.filter(|preset| !preset.shipped)
                .map(|preset| preset.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        presets.save(" Brief\n", brief.clone()).await.expect("saved");
        presets.save("Ärger", brief.clone()).await.expect("saved");
        presets
            .save("BRIEF", TurnOptions::default())
            .await
            .expect("saved again");
        assert_eq!(own().await, "BRIEF, Ärger", "one name stands once");
        presets.save("brief", brief.clone()).await.expect("saved again");

        let file = folder.path().join("brief.json");
        presets.export("Brief", file.clone()).await.expect("exported");
        let again = presets.export("brief", file.clone()).await;
        assert!(matches!(again, Err(Error::File { .. })), "{again:?}");
        let imported = presets.import(file.clone()).await.expect("imported");
        assert_eq!((imported.name.as_str(), &imported.options), ("brief (2)", &brief));

        assert_eq!(
            presets.rename("brief (2)", "Short").await.expect("renamed").name,
            "Short"
        );
        assert_eq!(
            presets.rename("short", "SHORT").await.expect("renamed").name,
            "SHORT"
        );
        presets.delete("ärger").await.expect("deleted");
        assert_eq!(own().await, "brief, SHORT");

        let hot = TurnOptions {
            sampling: Some(hearth_protocol::generate::SamplingParams {
                temperature: 9.0,
                ..Default::default()
            }),
            ..TurnOptions::default()
        };
        let refused = [
            presets.save(" ", brief.clone()).await.err(),
            presets.save("coding", brief.clone()).await.err(),
            presets.save("Hot", hot).await.err(),
            presets.rename("Coding", "Mine").await.err(),
            presets.rename("brief", "short").await.err(),
            presets.rename("brief", "Writing").await.err(),
            presets.delete("Coding").await.err(),
        ];
        for error in refused {
            assert!(matches!(error, Some(Error::Invalid { .. })), "{error:?}");
        }
        let missing = presets.delete("none").await;
        assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
        for contents in [
            "",
            "{",
            "[]",
            r#"{"hearth":"chat","version":1,"name":"a","options":{}}"#,
            r#"{"hearth":"preset","version":2,"name":"a","options":{}}"#,
            r#"{"hearth":"preset","version":1,"name":" ","options":{}}"#,
            r#"{"hearth":"preset","version":1,"name":"a","options":{"sampling":{"top_p":7}}}"#,
        ] {
            std::fs::write(&file, contents).expect("written");
            let refused = presets.import(file.clone()).await;
            assert!(
                matches!(refused, Err(Error::Invalid { .. })),
                "{contents}: {refused:?}"
            );
        }
        assert_eq!(own().await, "brief, SHORT");
    }
}
