//! What makes a system start `hearth-cli serve` when its person signs in.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use directories::BaseDirs;
use hearth_protocol::Error;

use crate::arguments::{ServeArguments, ServeOptions, System};
use crate::exit::{Exit, Failure};
use crate::text::printable;

/// The variables that say where data lie, which the started Hearth needs as this one has them.
const KEPT_VARIABLES: [&str; 3] = ["HEARTH_HOME", "HF_HOME", "HF_HUB_CACHE"];

/// What the system is told to start.
struct Service {
    program: String,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
}

/// Prints it, or writes it to its place.
pub(crate) fn install(arguments: &ServeArguments) -> Result<Exit, Failure> {
    let here = if cfg!(windows) {
        System::Windows
    } else if cfg!(target_os = "macos") {
        System::Macos
    } else {
        System::Linux
    };
    let system = arguments.system.unwrap_or(here);
    let contents = Service::new(&arguments.options)?.contents(system);
    if !arguments.yes {
        write!(io::stdout().lock(), "{contents}")?;
        return Ok(Exit::Done);
    }
    let place = place(system)?;
    write_new(&place, &contents)?;
    let place = place.display().to_string();
    let mut output = io::stdout().lock();
    writeln!(output, "{}", printable(&place))?;
    writeln!(
        io::stderr().lock(),
        "Now start it: {}",
        printable(&next(system, &place))
    )?;
    Ok(Exit::Done)
}

impl Service {
    fn new(options: &ServeOptions) -> Result<Self, Failure> {
        let text = |what: OsString| {
            what.into_string()
                .map_err(|what| Error::invalid(&what.display().to_string(), "is no Unicode text"))
        };
        let program = std::env::current_exe()?;
        let mut arguments = vec!["serve".to_owned()];
        let mut add = |name: &str, value: Option<String>| {
            arguments.push(name.to_owned());
            arguments.extend(value);
        };
        if let Some(port) = options.port {
            add("--port", Some(port.to_string()));
        }
        options
            .hosts
            .iter()
            .for_each(|host| add("--host", Some(host.clone())));
        options
            .cors_origins
            .iter()
            .for_each(|origin| add("--cors", Some(origin.clone())));
        let files = [
            ("--tls-certificate", &options.tls_certificate),
            ("--tls-key", &options.tls_key),
        ];
        for (name, file) in files {
            if let Some(file) = file {
                add(name, Some(text(std::path::absolute(file)?.into_os_string())?));
            }
        }
        let switches = [
            ("--network", options.network),
            ("--require-key", options.require_key),
            ("--log-prompts", options.log_prompts),
        ];
        for (name, _) in switches.into_iter().filter(|(_, is_on)| *is_on) {
            add(name, None);
        }
        let mut variables = Vec::new();
        for name in KEPT_VARIABLES {
            if let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) {
                let value = std::path::absolute(PathBuf::from(value))?;
                variables.push((name, text(value.into_os_string())?));
            }
        }
        Ok(Self {
            program: text(program.into_os_string())?,
            arguments,
            variables,
        })
    }

    fn contents(&self, system: System) -> String {
        match system {
            System::Linux => self.systemd(),
            System::Macos => self.launchd(),
            System::Windows => self.task(),
        }
    }

    /// A user unit (systemd.service(5), systemd.syntax(7)).
    fn systemd(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let command: Vec<_> = words.map(|word| systemd_word(word).replace('$', "$$")).collect();
        let variables: String = self
            .variables
            .iter()
            .map(|(name, value)| format!("Environment={}\n", systemd_word(&format!("{name}={value}"))))
            .collect();
        format!(
            "[Unit]\nDescription=Hearth, local language models\n\n[Service]\nExecStart={}\n{variables}\
             Restart=on-failure\n\n[Install]\nWantedBy=default.target\n",
            command.join(" ")
        )
    }

    /// An agent (launchd.plist(5)).
    fn launchd(&self) -> String {
        let words: String = std::iter::once(&self.program)
            .chain(&self.arguments)
            .map(|word| format!("    <string>{}</string>\n", xml(word)))
            .collect();
        let variables: String = self
            .variables
            .iter()
            .map(|(name, value)| format!("    <key>{name}</key>\n    <string>{}</string>\n", xml(value)))
            .collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
             \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
             <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{LABEL}</string>\n  \
             <key>ProgramArguments</key>\n  <array>\n{words}  </array>\n  \
             <key>EnvironmentVariables</key>\n  <dict>\n{variables}  </dict>\n  \
             <key>RunAtLoad</key>\n  <true/>\n  <key>KeepAlive</key>\n  <dict>\n    \
             <key>SuccessfulExit</key>\n    <false/>\n  </dict>\n</dict>\n</plist>\n"
        )
    }

    /// A task (Task Scheduler Schema). A task has no variables of its own, so a shell sets them.
    fn task(&self) -> String {
        let arguments: Vec<_> = self.arguments.iter().map(|word| windows_word(word)).collect();
        let (command, arguments) = if self.variables.is_empty() {
            (self.program.clone(), arguments.join(" "))
        } else {
            let sets: String = self
                .variables
                .iter()
                .map(|(name, value)| format!("set \"{name}={value}\"&& "))
                .collect();
            let program = windows_word(&self.program);
            (
                "cmd.exe".to_owned(),
                format!("/d /s /c \"{sets}{program} {}\"", arguments.join(" ")),
            )
        };
        format!(
            "<?xml version=\"1.0\"?>\n\
             <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n  \
             <RegistrationInfo>\n    <Description>Hearth, local language models</Description>\n  \
             </RegistrationInfo>\n  <Triggers>\n    <LogonTrigger/>\n  </Triggers>\n  <Settings>\n    \
             <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>\n    \
             <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n    \
             <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n    \
             <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n  </Settings>\n  <Actions>\n    <Exec>\n      \
             <Command>{}</Command>\n      <Arguments>{}</Arguments>\n    </Exec>\n  </Actions>\n</Task>\n",
            xml(&command),
            xml(&arguments)
        )
    }
}

/// The agent's name, by which launchd knows it.
const LABEL: &str = "hearth.serve";

/// Where the system looks for it; of a task, from where it is registered.
fn place(system: System) -> Result<PathBuf, Failure> {
    let folders = BaseDirs::new().ok_or_else(|| Error::File {
        path: "home folder".into(),
        reason: "there is none".into(),
    })?;
    Ok(match system {
        System::Linux => folders.config_dir().join("systemd/user/hearth.service"),
        System::Macos => folders
            .home_dir()
            .join(format!("Library/LaunchAgents/{LABEL}.plist")),
        System::Windows => folders.data_local_dir().join("Hearth").join("hearth-serve.xml"),
    })
}

/// What makes the system heed it now.
fn next(system: System, place: &str) -> String {
    match system {
        System::Linux => "systemctl --user daemon-reload && systemctl --user enable --now hearth".into(),
        System::Macos => format!("launchctl bootstrap gui/$(id -u) \"{place}\""),
        System::Windows => format!("schtasks /Create /TN Hearth /XML \"{place}\""),
    }
}

/// Writes a file that is not there. One that is there with the same contents is as good; any other stays.
fn write_new(place: &Path, contents: &str) -> Result<(), Failure> {
    let failed = |error: &io::Error| Error::File {
        path: place.display().to_string(),
        reason: error.to_string(),
    };
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    }
    match std::fs::File::create_new(place) {
        Ok(mut file) => file
            .write_all(contents.as_bytes())
            .map_err(|error| failed(&error))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if std::fs::read(place).map_err(|error| failed(&error))? != contents.as_bytes() {
                return Err(Error::File {
                    path: place.display().to_string(),
                    reason: "it is there with other contents and stays as it is; remove it to have it written anew"
                        .into(),
                }
                .into());
            }
        }
        Err(error) => return Err(failed(&error).into()),
    }
    Ok(())
}

/// A word in quotes, in which systemd expands nothing.
fn systemd_word(word: &str) -> String {
    let word = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
    format!("\"{}\"", word.replace('\n', "\\n"))
}

/// A word as Windows programs split their command line.
fn windows_word(word: &str) -> String {
    match word.contains([' ', '\t', '"']) || word.is_empty() {
        true => format!("\"{}\"", word.replace('"', "\\\"")),
        false => word.to_owned(),
    }
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service() -> Service {
        Service {
            program: "/opt/a b/100%/hearth-cli".into(),
            arguments: vec!["serve".into(), "--cors".into(), "https://a.example/<x>&$y".into()],
            variables: vec![("HEARTH_HOME", "/data/my \"hearth\"".into())],
        }
    }

    #[test]
    fn no_character_of_a_path_is_read_as_something_else() {
        let unit = service().systemd();
        assert!(
            unit.contains(
                r#"ExecStart="/opt/a b/100%%/hearth-cli" "serve" "--cors" "https://a.example/<x>&$$y""#
            ),
            "{unit}"
        );
        assert!(
            unit.contains(r#"Environment="HEARTH_HOME=/data/my \"hearth\"""#),
            "{unit}"
        );
        let agent = service().launchd();
        assert!(
            agent.contains("<string>https://a.example/&lt;x&gt;&amp;$y</string>"),
            "{agent}"
        );
        assert!(agent.contains("<key>HEARTH_HOME</key>"), "{agent}");
        let mut plain = service();
        plain.variables.clear();
        let task = plain.task();
        assert!(
            task.contains("<Command>/opt/a b/100%/hearth-cli</Command>"),
            "{task}"
        );
        assert!(
            task.contains("<Arguments>serve --cors https://a.example/&lt;x&gt;&amp;$y</Arguments>"),
            "{task}"
        );
    }

    #[test]
    fn a_file_that_is_there_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("a/b/hearth.service");
        write_new(&place, "one").expect("written");
        write_new(&place, "one").expect("the same");
        let refused = write_new(&place, "two").expect_err("another");
        assert!(matches!(refused, Failure::Hearth(Error::File { .. })));
        assert_eq!(std::fs::read_to_string(&place).expect("the file"), "one");
    }
}
