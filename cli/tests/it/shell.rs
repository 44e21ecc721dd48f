//! What shells and systems are given: completions, and what starts the server.

use std::path::PathBuf;

use crate::hearth::{Finished, Hearth};

#[test]
fn each_shell_gets_its_completions() {
    let hearth = Hearth::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = hearth.run(&["completions", shell]).expect_code(0).stdout;
        for word in ["hearth-cli", "serve", "tls-certificate", "completions"] {
            assert!(script.contains(word), "{shell} has no {word}");
        }
    }
    hearth.run(&["completions", "cmd"]).expect_code(2);
    // Nothing was opened for it.
    assert!(!hearth.folder().join("home").exists());
}

#[test]
#[cfg(unix)]
fn bash_can_read_its_completions() {
    let hearth = Hearth::new();
    let script = hearth.run(&["completions", "bash"]).expect_code(0).stdout;
    let path = hearth.folder().join("completions");
    std::fs::write(&path, script).expect("written");
    // As an interactive bash does it: the function that is registered fills the list of replies.
    let complete = r#"source "$0"; registered=$(complete -p hearth-cli)
        COMP_WORDS=(hearth-cli ser) COMP_CWORD=1
        function=${registered#*-F }; "${function%% *}" hearth-cli ser hearth-cli; echo "${COMPREPLY[@]}""#;
    let output = std::process::Command::new("bash")
        .args(["-c", complete])
        .arg(&path)
        .output();
    let output = Finished::new(&output.expect("bash runs")).expect_code(0);
    assert_eq!(output.stdout, "serve\n");
}

#[test]
fn each_system_gets_what_starts_the_server() {
    let hearth = Hearth::new();
    for (system, words) in [
        ("linux", ["[Service]", "ExecStart=\"", "\"--port\" \"8080\""]),
        (
            "macos",
            ["<plist", "<string>--port</string>", "<key>RunAtLoad</key>"],
        ),
        ("windows", ["<Task", "--port 8080", "<LogonTrigger/>"]),
    ] {
        let arguments = ["serve", "--install", "--port", "8080", "--system", system];
        let text = hearth.run(&arguments).expect_code(0).stdout;
        for word in words {
            assert!(text.contains(word), "{system}: {text}");
        }
        // It starts on the same data.
        assert!(text.contains("HEARTH_HOME"), "{system}: {text}");
    }
    hearth.run(&["serve", "--yes"]).expect_code(2);
    hearth.run(&["serve", "--tls-key", "k.pem"]).expect_code(2);
}

#[test]
#[cfg(target_os = "linux")]
fn it_is_written_to_its_place_and_replaces_nothing() {
    let hearth = Hearth::new();
    let install = |arguments: &[&str]| {
        let mut command = hearth.command(&["serve", "--install", "--yes"]);
        command
            .args(arguments)
            .env("XDG_CONFIG_HOME", hearth.folder().join("config"));
        Finished::new(&command.output().expect("starts"))
    };
    let written = install(&[]).expect_code(0);
    let place = hearth.folder().join("config/systemd/user/hearth.service");
    assert_eq!(PathBuf::from(written.stdout.trim_end()), place);
    assert!(written.stderr.contains("systemctl --user"), "{written:?}");
    let unit = std::fs::read_to_string(&place).expect("the unit");
    assert_eq!(unit, hearth.run(&["serve", "--install"]).expect_code(0).stdout);
    install(&[]).expect_code(0);
    let other = install(&["--port", "4000"]).expect_code(1);
    assert!(other.stderr.contains("with other contents"), "{other:?}");
    assert_eq!(std::fs::read_to_string(&place).expect("the unit"), unit);
}
