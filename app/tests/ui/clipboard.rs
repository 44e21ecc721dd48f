//! The clipboard, which other programs share.

use anyhow::{Context, Result, ensure};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, CreateWindowAux, WindowClass};

use crate::home;
use crate::screen::Screen;
use crate::window::Window;

/// Xlib ends a program whose request is refused, unless it is told otherwise.
#[test]
fn a_program_that_asks_for_the_clipboard_and_ends_takes_no_window_with_it() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start_on(&screen, home.path(), &[("RUST_LOG", "warn")])?;
    window.click("composer.input")?;
    window.type_text("mine")?;
    window.key("ctrl+a")?;
    window.key("ctrl+c")?;
    window.wait_for("the clipboard", |_| Ok(owner(&screen)?.is_some()))?;
    ask_and_end(&screen)?;
    window.key("End")?;
    window.type_text(" still")?;
    window.wait_for("the text", |window| {
        Ok(window.visible("composer.input")?.text == "mine still")
    })?;
    let output = window.output()?;
    ensure!(output.contains("refused a request"), "{output}");
    Ok(())
}

/// Who has the clipboard.
fn owner(screen: &Screen) -> Result<Option<u32>> {
    let (connection, _) = x11rb::connect(Some(screen.display()))?;
    let clipboard = connection.intern_atom(false, b"CLIPBOARD")?.reply()?.atom;
    let owner = connection.get_selection_owner(clipboard)?.reply()?.owner;
    Ok((owner != x11rb::NONE).then_some(owner))
}

/// Asks for the clipboard, and is gone before the answer.
fn ask_and_end(screen: &Screen) -> Result<()> {
    let (connection, number) = x11rb::connect(Some(screen.display()))?;
    let atom = |name: &[u8]| anyhow::Ok(connection.intern_atom(false, name)?.reply()?.atom);
    let (clipboard, text) = (atom(b"CLIPBOARD")?, atom(b"UTF8_STRING")?);
    let root = connection.setup().roots.get(number).context("no screen")?.root;
    let window = connection.generate_id()?;
    let class = WindowClass::INPUT_ONLY;
    let aux = CreateWindowAux::new();
    connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &aux)?;
    connection.convert_selection(window, clipboard, text, clipboard, x11rb::CURRENT_TIME)?;
    connection.destroy_window(window)?.check()?;
    Ok(())
}
