//! What makes the system start the local server when the person signs in: one file, which is there or is not.

use std::path::{Path, PathBuf};
use std::{fs, io};

use hearth_protocol::{Error, Result};

/// The file, and what it starts.
#[derive(Debug, Clone)]
pub struct LoginEntry {
    /// The file, in the folder that the system looks through when a person signs in.
    pub file: PathBuf,
    /// `hearth-cli`.
    pub program: PathBuf,
    /// The variables that say where data lie, with which it starts.
    pub variables: Vec<(String, String)>,
}

impl LoginEntry {
    /// Where this system looks.
    #[cfg(target_os = "linux")]
    pub(crate) fn place(folders: &directories::BaseDirs) -> PathBuf {
        folders.config_dir().join("autostart/hearth-server.desktop")
    }

    /// Where this system looks.
    #[cfg(target_os = "macos")]
    pub(crate) fn place(folders: &directories::BaseDirs) -> PathBuf {
        folders
            .home_dir()
            .join("Library/LaunchAgents/hearth.server.plist")
    }

    /// Where this system looks.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub(crate) fn place(folders: &directories::BaseDirs) -> PathBuf {
        folders
            .data_dir()
            .join("Microsoft/Windows/Start Menu/Programs/Startup/hearth-server.cmd")
    }

    /// Whether the server starts with the next time the person signs in. What is on already is written anew, since the
    /// program may have moved.
    ///
    /// # Errors
    /// [`Error::File`] where the file cannot be written or removed, and where a path is no Unicode text.
    pub(crate) fn set(&self, on: bool) -> Result<()> {
        let done = match on {
            true => self.write(),
            false => match fs::remove_file(&self.file) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            },
        };
        done.map_err(|error| Error::File {
            path: self.file.display().to_string(),
            reason: error.to_string(),
        })
    }

    fn write(&self) -> io::Result<()> {
        let Some(program) = self.program.to_str() else {
            return Err(io::Error::other(format!(
                "{} is no Unicode text",
                self.program.display()
            )));
        };
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let contents = match self.file.extension().and_then(|ending| ending.to_str()) {
            Some("plist") => agent(program, &self.variables),
            Some("cmd") => script(program, &self.variables),
            _ => desktop_entry(program, &self.variables),
        };
        fs::write(&self.file, contents)
    }
}

/// The program of the terminal, which lies beside the window's.
pub(crate) fn server_program(window: &Path) -> PathBuf {
    window.with_file_name(format!("hearth-cli{}", std::env::consts::EXE_SUFFIX))
}

/// For every desktop of Linux (Desktop Application Autostart Specification).
fn desktop_entry(program: &str, variables: &[(String, String)]) -> String {
    let sets: String = variables
        .iter()
        .map(|(name, value)| format!("{} ", desktop_word(&format!("{name}={value}"))))
        .collect();
    format!(
        "[Desktop Entry]\nType=Application\nName=Hearth, local server\nExec=env {sets}{} serve\nTryExec={}\n\
         NoDisplay=true\nTerminal=false\n",
        desktop_word(program),
        program.replace('\\', "\\\\"),
    )
}

/// A word in quotes, in which a desktop expands nothing: first as in a shell, then as a value of the file.
fn desktop_word(word: &str) -> String {
    let mut quoted = String::new();
    for char in word.chars() {
        match char {
            '"' | '`' | '$' | '\\' => quoted.extend(['\\', char]),
            '%' => quoted.push_str("%%"),
            char => quoted.push(char),
        }
    }
    let value = quoted.replace('\\', "\\\\").replace('\n', "\\n");
    format!("\"{value}\"")
}

/// For macOS (launchd.plist(5)).
fn agent(program: &str, variables: &[(String, String)]) -> String {
    let xml = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    let variables: String = variables
        .iter()
        .map(|(name, value)| format!("<key>{}</key><string>{}</string>", xml(name), xml(value)))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\n\
         <key>Label</key><string>hearth.server</string>\n\
         <key>ProgramArguments</key><array><string>{}</string><string>serve</string></array>\n\
         <key>EnvironmentVariables</key><dict>{variables}</dict>\n\
         <key>RunAtLoad</key><true/>\n</dict></plist>\n",
        xml(program)
    )
}

/// For Windows, which runs what lies in the folder of its start menu. A sign of per cent is written twice in it.
fn script(program: &str, variables: &[(String, String)]) -> String {
    let sets: String = variables
        .iter()
        .map(|(name, value)| format!("set \"{name}={}\"\r\n", value.replace('%', "%%")))
        .collect();
    format!(
        "@echo off\r\n{sets}start \"Hearth\" /min \"{}\" serve\r\n",
        program.replace('%', "%%")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &Path) -> LoginEntry {
        LoginEntry {
            file: file.to_owned(),
            program: "/opt/a b/100%/hearth-cli".into(),
            variables: vec![("HEARTH_HOME".into(), "/data/$my <\"hearth\">".into())],
        }
    }

    #[test]
    fn it_is_there_as_long_as_it_is_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("autostart/hearth-server.desktop");
        let entry = entry(&file);
        assert_eq!(entry.set(false), Ok(()), "it never was there");
        assert_eq!((entry.set(true), entry.set(true)), (Ok(()), Ok(())));
        let text = fs::read_to_string(&file).expect("the file");
        assert!(text.starts_with("[Desktop Entry]\n"), "{text}");
        assert_eq!(entry.set(false), Ok(()));
        assert!(!file.exists());
        // Where a file stands in place of the folder, the person hears of it.
        fs::write(folder.path().join("taken"), "").expect("written");
        let refused = self::entry(&folder.path().join("taken/x.desktop")).set(true);
        assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
    }

    #[test]
    fn no_character_of_a_path_is_read_as_something_else() {
        let entry = entry(Path::new("x"));
        let program = entry.program.to_str().expect("text");
        let desktop = desktop_entry(program, &entry.variables);
        assert!(
            desktop.contains(
                "Exec=env \"HEARTH_HOME=/data/\\\\$my <\\\\\"hearth\\\\\">\" \"/opt/a b/100%%/hearth-cli\" serve\n"
            ),
            "{desktop}"
        );
        let agent = agent(program, &entry.variables);
        assert!(
            agent.contains("<string>/data/$my &lt;\"hearth\"&gt;</string>"),
            "{agent}"
        );
        let script = script(program, &entry.variables);
        assert!(
            script.contains("\"/opt/a b/100%%/hearth-cli\" serve\r\n"),
            "{script}"
        );
    }
}
