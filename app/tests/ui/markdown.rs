//! An answer with everything in it that Markdown can hold: how it looks, what its buttons and links do, and that nothing
//! in it does anything by itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::chat::{answer, ask};
use crate::home;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::Window;

/// One of each kind.
const EVERYTHING: &str = include_str!("everything.md");

/// Puts a text in the place of the only answer, as a model that wrote it would have left it there.
const WRITE: &str = "
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute(\"update messages set text = ? where role = 'assistant'\", (sys.stdin.read(),))";

/// Stands for the system's browser: notes what it is to open.
const BROWSER: &str = "#!/bin/sh\necho \"$1\" >>\"$HOME/opened.txt\"\n";

/// A window on a chat whose answer is this text, and the number of the answer.
fn with_answer<'a>(screen: &'a Screen, home: &Path, text: &str) -> Result<(Window<'a>, i64)> {
    let window = Window::start(screen, home)?;
    ask(&window, "Say hello.")?;
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    window.close()?;

    let source = home.join("answer.md");
    fs::write(&source, text)?;
    let written = Command::new("python3")
        .args(["-c", WRITE])
        .arg(home.join("hearth.db"))
        .stdin(fs::File::open(&source)?)
        .output()?;
    ensure!(
        written.status.success(),
        "{}",
        String::from_utf8_lossy(&written.stderr)
    );

    let programs = home.join("programs");
    fs::create_dir_all(&programs)?;
    let browser = programs.join("xdg-open");
    fs::write(&browser, BROWSER)?;
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755))?;
    let path = std::env::var("PATH").unwrap_or_default();
    let outer = ["env".to_owned(), format!("PATH={}:{path}", programs.display())];
    let window = Window::start_within(screen, home, &outer, &[])?;
    window.click(&format!("list.row.{chat}"))?;
    window.wait_for("the answer", |window| Ok(answer(window)? == text))?;
    let id = window.state()?["messages"][1]["id"]
        .as_i64()
        .context("the answer's number")?;
    Ok((window, id))
}

/// What the browser was asked to open so far.
fn opened(home: &Path) -> Vec<String> {
    let noted = fs::read_to_string(home.join("opened.txt")).unwrap_or_default();
    noted.lines().map(str::to_owned).collect()
}

/// Scrolls until an element is in view.
fn scroll_to(window: &Window<'_>, name: &str, clicks: i32) -> Result<()> {
    for _ in 0..40 {
        if window.element(name)?.is_some_and(|element| element.visible) {
            return Ok(());
        }
        window.wheel("conversation.list", clicks)?;
    }
    window.visible(name).map(drop)
}

/// The first link of the last block in view that has any.
fn mail(window: &Window<'_>, id: i64) -> Result<String> {
    let number = |name: &str| -> Option<usize> {
        let block = name.strip_prefix(&format!("message.{id}.block."))?;
        block.strip_suffix(".link.0")?.parse().ok()
    };
    let blocks = window.elements()?.into_iter().filter(|element| element.visible);
    let last = blocks.filter_map(|element| number(&element.name)).max();
    let last = last.context("a link in view")?;
    Ok(format!("message.{id}.block.{last}.link.0"))
}

#[test]
fn links_open_on_a_click_alone_and_ask_where_they_are_no_web_page() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let text = "A [page](https://page.example/a_b), a [file](file:///etc/passwd) and \
                a [script](javascript:alert(1)).\n\n![x](http://far.example/?q=secret)";
    let (window, id) = with_answer(&screen, home.path(), text)?;
    let link = |number: usize| format!("message.{id}.block.0.link.{number}");

    // The address is shown before anything is clicked.
    window.hover(&link(0))?;
    window.wait_for("the tooltip", |window| {
        Ok(window.visible("tooltip")?.text == "https://page.example/a_b")
    })?;
    window.click(&link(0))?;
    window.wait_for("the browser", |_| {
        Ok(opened(home.path()) == ["https://page.example/a_b"])
    })?;

    // Anything else is asked about, and Escape leaves it.
    window.click(&link(1))?;
    ensure!(window.visible("link.address")?.text == "file:///etc/passwd");
    window.key("Escape")?;
    window.wait_gone("link.title")?;

    // The harmless answer has the keyboard.
    window.click(&link(1))?;
    window.wait_for("the keyboard at Cancel", |window| {
        Ok(window.visible("link.cancel")?.focus)
    })?;
    window.key("Return")?;
    window.wait_gone("link.title")?;

    // What would run is not opened at all.
    window.click(&link(2))?;
    window.visible("link.address")?;
    ensure!(window.element("link.open")?.is_none_or(|button| !button.visible));
    window.click("link.cancel")?;
    window.wait_gone("link.title")?;

    window.click(&link(1))?;
    window.click("link.open")?;
    window.wait_for("the file", |_| Ok(opened(home.path()).len() == 2))?;
    ensure!(
        opened(home.path()) == ["https://page.example/a_b", "file:///etc/passwd"],
        "nothing else was opened: {:?}",
        opened(home.path())
    );
    window.check_output()?;
    window.close()
}

#[test]
fn code_scrolls_sideways_wraps_and_is_copied() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let code = format!("let long = \"{}\";\nlet short = 1;", "word ".repeat(60));
    let text = format!("```rust\n{code}\n```\n\n$$\n\\frac{{a}}{{b}}\n$$");
    let (window, id) = with_answer(&screen, home.path(), &text)?;
    let block = format!("message.{id}.block.0");
    let height = |window: &Window<'_>| -> Result<f64> { Ok(window.visible(&block)?.place.3) };

    let flat = height(&window)?;
    window.click(&format!("{block}.wrap"))?;
    window.wait_for("wrapped lines", |window| Ok(height(window)? > flat + 40.0))?;
    window.click(&format!("{block}.wrap"))?;
    window.wait_for("whole lines again", |window| Ok(height(window)? == flat))?;

    let copied = |button: &str, expected: &str| -> Result<()> {
        window.click(button)?;
        window.click("composer.input")?;
        window.key("ctrl+a")?;
        window.key("ctrl+v")?;
        window.wait_for("what was copied", |window| {
            Ok(window.visible("composer.input")?.text == expected)
        })
    };
    copied(&format!("{block}.copy"), &code)?;
    copied(&format!("message.{id}.block.1.copy"), "\\frac{a}{b}")?;
    window.check_output()?;
    window.close()
}

#[test]
fn pictures_of_an_answer_with_everything_in_both_themes() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    // Written so that whoever reads the file sees it.
    let text = EVERYTHING.replace("{U+202E}", "\u{202e}");
    let (window, id) = with_answer(&screen, home.path(), &text)?;
    let folder = shots()?;
    for theme in ["dark", "light"] {
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        window.click("rail.chat")?;
        let take = |name: &str| -> Result<()> { window.picture(&folder.join(format!("{name}-{theme}.png"))) };
        scroll_to(&window, &format!("message.{id}.stats"), 20)?;
        take("markdown-end")?;
        window.click(&mail(&window, id)?)?;
        window.visible("link.title")?;
        take("link-question")?;
        window.key("Escape")?;
        window.wait_gone("link.title")?;
        scroll_to(&window, &format!("message.{id}.model"), -5)?;
        take("markdown-start")?;
        window.wheel("conversation.list", 5)?;
        take("markdown-middle")?;
    }
    // Nothing went out, and nothing was opened.
    ensure!(opened(home.path()).is_empty());
    window.check_output()?;
    window.close()
}
