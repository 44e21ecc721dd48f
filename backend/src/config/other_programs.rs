//! Where other programs keep their models: what their variables and their settings say, else their own defaults.

use std::path::{Path, PathBuf};

use directories::BaseDirs;
use hearth_protocol::library::Source;
use serde_json::Value;

use super::ProgramFolder;

/// Longest file of settings that is read; real ones have a few kB.
const MAX_SETTINGS: u64 = 1 << 20;

/// Where Ollama's service on Linux keeps its models.
const OLLAMA_SERVICE: &str = "/usr/share/ollama/.ollama/models";

/// The folders of all programs on this machine.
pub(super) fn from_environment() -> Vec<ProgramFolder> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let Some(dirs) = BaseDirs::new() else {
        return Vec::new();
    };
    let machine = Machine {
        home: dirs.home_dir(),
        data: dirs.data_dir(),
        local_data: dirs.data_local_dir(),
        config: dirs.config_dir(),
        cache: dirs.cache_dir(),
        variable: &variable,
    };
    machine.folders()
}

/// What decides where programs keep their files.
struct Machine<'a> {
    home: &'a Path,
    data: &'a Path,
    local_data: &'a Path,
    config: &'a Path,
    cache: &'a Path,
    variable: &'a dyn Fn(&str) -> Option<PathBuf>,
}

impl Machine<'_> {
    fn folders(&self) -> Vec<ProgramFolder> {
        let by_program = [
            (Source::LmStudio, self.lm_studio()),
            (Source::Ollama, self.ollama()),
            (Source::Jan, self.jan()),
            (
                Source::Gpt4All,
                vec![self.local_data.join("nomic.ai").join("GPT4All")],
            ),
            (Source::LlamaCpp, vec![self.llama_cpp()]),
        ];
        let mut found: Vec<ProgramFolder> = Vec::new();
        for (program, folders) in by_program {
            for folder in folders {
                // A variable may hold a path that is not absolute, and so may another program's settings.
                let folder = std::path::absolute(&folder).unwrap_or(folder);
                let folder = ProgramFolder { program, folder };
                if !found.contains(&folder) {
                    found.push(folder);
                }
            }
        }
        found
    }

    /// `~/.lmstudio`, in older installations `~/.cache/lm-studio`, or where `~/.lmstudio-home-pointer` leads to; in it
    /// `models`, or the folder that its settings name, and the models that come with it.
    fn lm_studio(&self) -> Vec<PathBuf> {
        let pointer = text(&self.home.join(".lmstudio-home-pointer"))
            .map(|text| PathBuf::from(text.trim()))
            .filter(|path| path.is_absolute());
        let homes = pointer.into_iter().chain([
            self.home.join(".lmstudio"),
            self.home.join(".cache").join("lm-studio"),
        ]);
        homes
            .flat_map(|home| {
                let named = path_in(&home.join("settings.json"), "downloadsFolder");
                let bundled = home.join(".internal").join("bundled-models");
                [Some(home.join("models")), named, Some(bundled)]
            })
            .flatten()
            .collect()
    }

    /// As its `envconfig` has it: `OLLAMA_MODELS`, else below the home of whoever runs it, which is a user of its own
    /// where it is a service.
    fn ollama(&self) -> Vec<PathBuf> {
        if let Some(folder) = (self.variable)("OLLAMA_MODELS") {
            return vec![folder];
        }
        let own = self.home.join(".ollama").join("models");
        let service = cfg!(target_os = "linux").then(|| PathBuf::from(OLLAMA_SERVICE));
        [own].into_iter().chain(service).collect()
    }

    /// The folder that its settings name, its default, and the one of its versions up to 0.4.
    fn jan(&self) -> Vec<PathBuf> {
        let settings = [
            self.config.join("Jan"),
            self.data.join("Jan"),
            self.data.join("jan.ai.app"),
        ];
        let named = settings
            .into_iter()
            .filter_map(|folder| path_in(&folder.join("settings.json"), "data_folder"));
        let defaults = [self.data.join("Jan").join("data"), self.home.join("jan")];
        named.chain(defaults).collect()
    }

    /// As its `fs_get_cache_directory` has it.
    fn llama_cpp(&self) -> PathBuf {
        (self.variable)("LLAMA_CACHE").unwrap_or_else(|| self.cache.join("llama.cpp"))
    }
}

/// A path in a JSON object on the disk. A file that is missing, damaged or too long holds none.
fn path_in(file: &Path, key: &str) -> Option<PathBuf> {
    let settings: Value = serde_json::from_str(&text(file)?).ok()?;
    let path = settings.get(key)?.as_str()?;
    Some(PathBuf::from(path)).filter(|path| path.is_absolute())
}

fn text(file: &Path) -> Option<String> {
    let about = file.metadata().ok()?;
    (about.is_file() && about.len() <= MAX_SETTINGS).then(|| std::fs::read_to_string(file).ok())?
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The folders of a machine whose home is `home`, in the order in which they are looked through.
    fn folders(home: &Path, variable: &dyn Fn(&str) -> Option<PathBuf>) -> Vec<(Source, String)> {
        let machine = Machine {
            home,
            data: &home.join("data"),
            local_data: &home.join("local"),
            config: &home.join("config"),
            cache: &home.join("cache"),
            variable,
        };
        let below = |folder: &Path| match folder.strip_prefix(home) {
            Ok(below) => below.display().to_string().replace('\\', "/"),
            Err(_) => folder.display().to_string(),
        };
        let folders = machine.folders().into_iter();
        let folders = folders.map(|folder| (folder.program, below(&folder.folder)));
        folders.filter(|(_, folder)| folder != OLLAMA_SERVICE).collect()
    }

    fn write(path: PathBuf, text: &str) {
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    #[test]
    fn each_program_has_its_own_defaults() {
        let home = tempfile::tempdir().expect("a folder");
        let expected = [
            (Source::LmStudio, ".lmstudio/models"),
            (Source::LmStudio, ".lmstudio/.internal/bundled-models"),
            (Source::LmStudio, ".cache/lm-studio/models"),
            (Source::LmStudio, ".cache/lm-studio/.internal/bundled-models"),
            (Source::Ollama, ".ollama/models"),
            (Source::Jan, "data/Jan/data"),
            (Source::Jan, "jan"),
            (Source::Gpt4All, "local/nomic.ai/GPT4All"),
            (Source::LlamaCpp, "cache/llama.cpp"),
        ];
        let expected = expected.map(|(source, folder)| (source, folder.to_owned()));
        assert_eq!(folders(home.path(), &|_| None), expected);
    }

    #[test]
    fn what_programs_and_variables_say_goes_before_the_defaults() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        let json = |key: &str, path: PathBuf| serde_json::json!({ key: path }).to_string();
        write(
            at(".lmstudio/settings.json"),
            &json("downloadsFolder", at("big disk")),
        );
        write(
            at(".lmstudio-home-pointer"),
            &format!("{}\n", at("elsewhere").display()),
        );
        write(at("config/Jan/settings.json"), &json("data_folder", at("jan's")));
        // What is damaged, or leads nowhere in particular, is passed over.
        write(at(".cache/lm-studio/settings.json"), "{\"downloadsFolder\": ");
        write(
            at("data/Jan/settings.json"),
            &json("data_folder", "relative".into()),
        );
        let variable = |name: &str| match name {
            "OLLAMA_MODELS" => Some(at("ollama's")),
            "LLAMA_CACHE" => Some(at("llama's")),
            _ => None,
        };
        let found = folders(home.path(), &variable);
        for expected in [
            (Source::LmStudio, "elsewhere/models"),
            (Source::LmStudio, ".lmstudio/models"),
            (Source::LmStudio, "big disk"),
            (Source::Ollama, "ollama's"),
            (Source::Jan, "jan's"),
            (Source::Jan, "data/Jan/data"),
            (Source::LlamaCpp, "llama's"),
        ] {
            let expected = (expected.0, expected.1.to_owned());
            assert!(found.contains(&expected), "{expected:?} is missing in {found:?}");
        }
        let count = |source| found.iter().filter(|(from, _)| *from == source).count();
        assert_eq!((count(Source::Ollama), count(Source::Jan)), (1, 3));
    }
}
