//! The page that finds models, at a hub of our own: search, filters, details, downloads, and the way to a chat.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Fault, Gate, Place, Repo, TestHub};
use serde_json::json;

use crate::chat::{ask, stop};
use crate::home;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::{Element, Window};

/// A hub with three owls: one in two sizes, a gated one, and one nobody likes.
fn hub() -> TestHub {
    let hub = TestHub::start();
    let tiny = |seed| {
        Tiny {
            seed,
            ..Tiny::default()
        }
        .bytes()
    };
    let mut free = Repo::new("zq/owl-GGUF")
        .with("owl-Q4_K_M.gguf", tiny(1))
        .with("owl-Q8_0.gguf", tiny(2));
    free.about = json!({ "downloads": 2_140_000, "likes": 1204, "tags": ["license:mit"], "gguf": { "total": 300_000 } });
    let mut gated = Repo::new("zq/owl-gated-GGUF")
        .with("gated-Q4_K_M.gguf", tiny(3))
        .behind(Gate::Auto);
    gated.about = json!({ "downloads": 10, "likes": 9, "gguf": { "total": 300_000 } });
    let mut other = Repo::new("zq/owl-small-GGUF").with("small-Q4_0.gguf", tiny(4));
    other.about = json!({ "downloads": 5, "likes": 0, "gguf": { "total": 300_000 } });
    for repo in [free, gated, other] {
        hub.add(repo);
    }
    hub
}

/// The window on the page, with this hub.
fn open<'a>(screen: &'a Screen, home: &Path, hub: &TestHub) -> Result<Window<'a>> {
    let url = hub.url();
    let environment = [
        ("HF_ENDPOINT", url.as_str()),
        ("HEARTH_NO_KEYRING", "1"),
        ("HF_TOKEN_PATH", "/nonexistent"),
    ];
    let window = Window::start_on(screen, home, &environment)?;
    window.click("rail.discover")?;
    window.visible("discover.model.0")?;
    Ok(window)
}

#[test]
fn a_model_is_found_filtered_downloaded_and_answers_in_a_chat() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, hub());
    let window = open(&screen, home.path(), &hub)?;
    // Nobody is asked before something is typed, and what came with Hearth stands there.
    ensure!(hub.seen().is_empty(), "{:?}", hub.seen());
    ensure!(window.visible("discover.model.0")?.text.contains("SmolLM2"));

    search(&window, "owl")?;
    let owl = card(&window, "owl-GGUF")?;
    ensure!(owl.text.contains("2.1\u{a0}M downloads"), "{}", owl.text);
    window.click("discover.vision")?;
    window.visible("discover.nothing.title")?;
    window.click("discover.nothing.act")?;
    card(&window, "owl-GGUF")?;
    window.click("discover.sort")?;
    window.click_item("Most liked")?;
    window.wait_for("the order", |window| {
        let first = window.element("discover.model.0")?;
        Ok(first.is_some_and(|it| it.text.starts_with("owl-GGUF") || it.text.contains("zq/owl-GGUF")))
    })?;

    // With the keys: from the field to the first card, and into it.
    window.click("discover.words")?;
    window.key("Down")?;
    window.wait_for("the keyboard on a card", |window| {
        Ok(window.element("discover.model.0")?.is_some_and(|it| it.focus))
    })?;
    window.key("Return")?;
    window.visible("discover.file.1")?;
    ensure!(window.visible("discover.licence")?.text == "MIT");
    ensure!(window.visible("discover.likes")?.text == "1\u{a0}204");
    let files = window.visible("discover.files")?.text;
    ensure!(files == "2\u{a0}files" || files == "2 files", "{files}");
    let recommended = window.wait_for_value("a recommendation", |window| {
        let files = window.elements()?.into_iter();
        Ok(files
            .filter(|it| it.name.starts_with("discover.file.") && it.visible)
            .find(|it| it.text.ends_with("recommended")))
    })?;
    ensure!(recommended.text.starts_with("Q"), "{recommended:?}");

    // The memory follows the context.
    window.wait_for("the exact memory", |window| {
        let needs = window.visible("discover.needs")?.text;
        Ok(needs.contains("for the context") && !needs.contains("about"))
    })?;
    let before = window.visible("discover.needs")?.text;
    window.click("discover.context.slider")?;
    window.key("Page_Down")?;
    window.wait_for("a shorter context", |window| {
        let context = window.visible("discover.context")?.text.replace('\u{a0}', " ");
        Ok(context == "1 024 tokens" && window.visible("discover.needs")?.text != before)
    })?;

    // A download is paused and goes on.
    let (other, main) = match recommended.name.as_str() {
        "discover.file.0" => ("discover.file.1", "discover.file.0"),
        _ => ("discover.file.0", "discover.file.1"),
    };
    hub.allow(Some(hub.sent() + 200_000));
    window.click(&format!("{other}.download"))?;
    window.click(&format!("{other}.pause"))?;
    window.click(&format!("{other}.resume"))?;
    window.visible(&format!("{other}.pause"))?;
    hub.allow(None);
    window.visible(&format!("{other}.here"))?;

    // And the recommended one is taken to a chat.
    window.click("discover.main")?;
    window.wait_for("the chat with the model", |window| {
        let state = window.state()?;
        let loaded = state["loaded"].as_array().context("loaded models")?.len();
        Ok(state["page"] == "chat" && loaded == 1 && state["loading"].is_null())
    })?;
    ask(&window, "Hello")?;
    stop(&window)?;
    window.click("rail.discover")?;
    window.visible(&format!("{main}.here"))?;
    ensure!(window.visible("discover.main")?.text == "Chat");
    window.check_output()?;
    window.close()
}

#[test]
fn a_pasted_link_shows_its_model_and_a_gated_one_says_what_to_do() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, hub());
    let window = open(&screen, home.path(), &hub)?;
    search(
        &window,
        &format!("{}/zq/owl-small-GGUF/blob/main/small-Q4_0.gguf", hub.url()),
    )?;
    window.key("Return")?;
    window.wait_for("the model of the link", |window| {
        let needs = window.element("discover.needs")?.filter(|it| it.visible);
        Ok(needs.is_some_and(|needs| needs.text.starts_with("Q4_0 needs")))
    })?;

    search(&window, &format!("{}/zq/owl-gated-GGUF", hub.url()))?;
    window.key("Return")?;
    window.wait_for("what to do", |window| {
        let note = window.element("discover.details.note")?.filter(|it| it.visible);
        Ok(note.is_some_and(|note| note.text.starts_with("This model is gated.")))
    })?;
    window.click("discover.details.page")?;
    let address = window.visible("link.address")?.text;
    ensure!(address == format!("{}/zq/owl-gated-GGUF", hub.url()), "{address}");
    window.key("Escape")?;
    window.wait_gone("link.address")?;

    search(&window, "https://huggingface.co/datasets/a/b")?;
    window.wait_for("that it is no model", |window| {
        let nothing = window.element("discover.nothing.title")?.filter(|it| it.visible);
        Ok(nothing.is_some_and(|it| it.text == "This link leads to no model"))
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn without_the_hub_what_is_known_stays_and_says_why() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, hub());
    {
        let window = open(&screen, home.path(), &hub)?;
        search(&window, "owl")?;
        card(&window, "owl-GGUF")?;
        hub.fault(Place::Api, "", None, Fault::Status(503, vec![], ""));
        search(&window, "smollm2")?;
        let note = window.visible("discover.note")?.text;
        ensure!(note.starts_with("The hub"), "{note}");
        card(&window, "SmolLM2")?;
        hub.mend();
        window.click("discover.note.act")?;
        window.wait_gone("discover.note")?;
        window.check_output()?;
        window.close()?;
    }
    hub.clear_seen();
    let url = hub.url();
    let environment = [("HF_ENDPOINT", url.as_str()), ("HF_HUB_OFFLINE", "1")];
    let window = Window::start_on(&screen, home.path(), &environment)?;
    window.click("rail.discover")?;
    search(&window, "owl")?;
    card(&window, "owl-GGUF")?;
    let note = window.visible("discover.note")?.text;
    ensure!(note.starts_with("Offline mode is on."), "{note}");
    search(&window, "no such bird")?;
    ensure!(window.visible("discover.offline.title")?.text == "Offline mode is on");
    ensure!(hub.seen().is_empty(), "{:?}", hub.seen());
    window.check_output()?;
    window.close()
}

/// A picture of each state, in both themes and at the sizes that a window may have.
#[test]
#[ignore = "takes pictures for ./x shot; the walks of this page check it"]
fn pictures_of_the_page_that_finds_models() -> Result<()> {
    let folder = shots()?;
    let (screen, home, hub) = (Screen::start()?, home()?, hub());
    let window = open(&screen, home.path(), &hub)?;
    for (theme, file) in [("dark", "discover.file.0"), ("light", "discover.file.1")] {
        let take = |name: &str| -> Result<()> { window.picture(&folder.join(format!("{name}-{theme}.png"))) };
        window.click("rail.settings")?;
        window.click("settings.part.general")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        window.click("rail.discover")?;
        search(&window, "")?;
        window.click("discover.model.0")?;
        window.visible("discover.file.0")?;
        take("discover")?;
        search(&window, "owl")?;
        window.click(&card(&window, "owl-GGUF")?.name)?;
        window.wait_for("its files", |window| {
            Ok(window.visible("discover.name")?.text.contains("owl"))
        })?;
        hub.allow(Some(hub.sent() + 300_000));
        window.click(&format!("{file}.download"))?;
        window.visible(&format!("{file}.pause"))?;
        take("discover-download")?;
        hub.allow(None);
        window.visible(&format!("{file}.here"))?;
        window.click(&card(&window, "owl-gated")?.name)?;
        window.visible("discover.details.page")?;
        take("discover-gated")?;
        search(&window, "no such bird")?;
        window.visible("discover.nothing.title")?;
        take("discover-nothing")?;
        window.resize(960, 600)?;
        search(&window, "")?;
        take("discover-small")?;
        window.resize(1280, 800)?;
    }
    window.check_output()?;
    window.close()
}

/// Types into the field, in the place of what is there.
fn search(window: &Window<'_>, text: &str) -> Result<()> {
    window.key("ctrl+f")?;
    window.wait_for("the keyboard in the field", |window| {
        Ok(window.visible("discover.words")?.focus)
    })?;
    window.key("ctrl+a")?;
    match text {
        "" => window.key("BackSpace")?,
        text => window.type_text(text)?,
    }
    window.wait_for("the text", |window| {
        Ok(window.visible("discover.words")?.text == text)
    })
}

/// The card that has these words.
fn card(window: &Window<'_>, words: &str) -> Result<Element> {
    window.wait_for_value(words, |window| {
        let cards = window.elements()?.into_iter();
        let mut cards = cards.filter(|it| it.name.starts_with("discover.model.") && it.visible);
        Ok(cards.find(|card| card.text.contains(words)))
    })
}
