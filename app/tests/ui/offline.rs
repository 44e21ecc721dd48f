//! The window on a computer without a network: it opens, chats and ends, and in offline mode it does not even try to
//! reach another one.

use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use crate::chat::answer;
use crate::home;
use crate::screen::Screen;
use crate::settings::show;
use crate::window::Window;

#[test]
fn without_a_network_the_window_opens_and_chats() -> Result<()> {
    let Some(network) = first_that_works(&["unshare --net", "unshare --map-root-user --net"]) else {
        println!("passed over: this system makes no network of its own for a program (unshare)");
        return Ok(());
    };
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start_within(&screen, home.path(), &network, &[])?;
    chat(&window)?;
    window.close()
}

#[test]
fn offline_the_window_opens_no_connection_and_asks_for_no_name() -> Result<()> {
    let Some(mut strace) = first_that_works(&["strace --follow-forks --seccomp-bpf -qq -e trace=connect"])
    else {
        println!("passed over: strace is not installed, or may not look at programs here");
        return Ok(());
    };
    let (screen, home) = (Screen::start()?, home()?);
    let trace = home.path().join("trace.txt");
    strace.extend(["-o".to_owned(), trace.display().to_string()]);
    let window = Window::start_within(&screen, home.path(), &strace, &["--offline"])?;
    chat(&window)?;
    window.close()?;
    let calls = std::fs::read_to_string(&trace)?;
    ensure!(
        calls.contains("AF_UNIX"),
        "the screen's own socket is missing: nothing was traced"
    );
    check(&calls)
}

#[test]
fn switched_offline_in_the_settings_the_window_reaches_nobody() -> Result<()> {
    let Some(mut strace) = first_that_works(&["strace --follow-forks --seccomp-bpf -qq -e trace=connect"])
    else {
        println!("passed over: strace is not installed, or may not look at programs here");
        return Ok(());
    };
    let (screen, home) = (Screen::start()?, home()?);
    let trace = home.path().join("trace.txt");
    strace.extend(["-o".to_owned(), trace.display().to_string()]);
    let window = Window::start_within(&screen, home.path(), &strace, &[])?;
    window.click("rail.settings")?;
    show(&window, "network")?;
    window.click("settings.offline.flip")?;
    window.wait_for("offline mode", |window| {
        Ok(window.state()?["settings"]["offline"] == true)
    })?;
    // Whose token it is could only the hub say.
    window.click("settings.token")?;
    window.type_text("hf_nobody")?;
    window.key("Return")?;
    window.wait_for("why not", |window| {
        let problem = window.element("settings.token.problem")?;
        Ok(problem.is_some_and(|it| it.visible && !it.text.is_empty()))
    })?;
    window.close()?;
    check(&std::fs::read_to_string(&trace)?)
}

/// No call goes by IP, not even to a resolver on this computer, or to one behind a socket.
fn check(calls: &str) -> Result<()> {
    for call in calls.lines() {
        let is_outward = call.contains("sa_family=AF_INET") || call.contains("/systemd/resolve/");
        ensure!(!is_outward, "{call}");
    }
    Ok(())
}

fn chat(window: &Window<'_>) -> Result<()> {
    window.click("composer.input")?;
    window.type_text("Say hello.")?;
    window.key("Return")?;
    window.wait_for("an answer", |window| Ok(!answer(window)?.is_empty()))
}

/// The first of these ways to start a program that this system allows.
fn first_that_works(ways: &[&str]) -> Option<Vec<String>> {
    let ways = ways.iter().map(|way| way.split(' ').map(str::to_owned).collect());
    ways.into_iter().find(|way: &Vec<String>| {
        let mut command = Command::new(&way[0]);
        command
            .args(&way[1..])
            .arg("true")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
