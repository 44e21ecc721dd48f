//! The server's page: the switch, a real request, keys, the network, a taken port, the log.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use anyhow::{Context, Result, ensure};

use crate::home;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::Window;

/// Requests of the flood, and how many go out at once.
const FLOOD: usize = 20_000;
const AT_ONCE: usize = 100;

#[test]
fn the_server_runs_from_its_switch_and_answers_at_the_address_shown() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = open(&screen, home.path())?;
    // A port of our own: 1234 may be taken on the machine that tests.
    let port = free_port()?;
    set_port(&window, port)?;
    window.click("server.power")?;
    wait_state(&window, "Running")?;
    window.visible("rail.serving")?;
    let address = window.visible("server.address")?.text;
    ensure!(address == format!("http://127.0.0.1:{port}/v1"), "{address}");
    let answer = get(port, "/v1/models", None)?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    ensure!(answer.contains("SmolLM2"), "{answer}");
    window.wait_for("its line in the log", |window| {
        Ok(window
            .visible("server.log.in_view")?
            .text
            .contains("GET /v1/models"))
    })?;

    // The filter and the levels leave out what is not asked for.
    window.click("server.log.filter")?;
    window.type_text("listens")?;
    window.wait_for("the filter", |window| {
        let text = window.visible("server.log.in_view")?.text;
        Ok(text.contains("listens") && !text.contains("/v1/models"))
    })?;
    window.key("ctrl+a")?;
    window.key("BackSpace")?;
    window.click("server.log.errors")?;
    window.wait_for("no errors", |window| {
        Ok(window.visible("server.log.in_view")?.text.is_empty())
    })?;
    window.click("server.log.clear")?;
    window.wait_for("an empty log", |window| {
        Ok(window.state()?["server"]["lines"] == 0)
    })?;

    window.click("server.power")?;
    wait_state(&window, "Off")?;
    window.wait_gone("rail.serving")?;
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).context("the port is free again")?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_taken_port_offers_the_next_one() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = open(&screen, home.path())?;
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = other.local_addr()?.port();
    set_port(&window, port)?;
    window.click("server.power")?;
    let trouble = window.visible("server.trouble")?.text;
    ensure!(
        trouble.starts_with(&format!("Port {port} is taken by another program.")),
        "{trouble}"
    );
    wait_state(&window, "Off")?;
    let offered = window.visible("server.use_free_port")?.text;
    window.click("server.use_free_port")?;
    wait_state(&window, "Running")?;
    let address = window.visible("server.address")?.text;
    let free = offered.strip_prefix("Use ").context("an offer")?;
    ensure!(
        address == format!("http://127.0.0.1:{free}/v1"),
        "{offered}: {address}"
    );
    let answer = get(free.parse()?, "/v1/models", None)?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    window.check_output()?;
    window.close()
}

#[test]
fn the_network_is_opened_with_a_key_only_and_closed_without() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = open(&screen, home.path())?;
    let port = free_port()?;
    set_port(&window, port)?;
    window.click("server.power")?;
    wait_state(&window, "Running")?;

    // The switch asks for a key first and stays off; all of it with the keyboard.
    window.click("server.network")?;
    window.visible("server.key.first")?;
    ensure!(!network(&window)?, "it is off without a key");
    window.wait_for("the keyboard", |window| has_keys(window, "server.key.name"))?;
    window.type_text("Laptop")?;
    window.key("Return")?;
    window.visible("server.key.secret")?;
    window.wait_for("the network", network)?;
    wait_state(&window, "Running")?;
    let secret = window.state()?["server"]["secret"]
        .as_str()
        .context("the key")?
        .to_owned();
    let reach = window.visible("server.reach")?.text;
    ensure!(reach.starts_with("Other devices use "), "{reach}");
    ensure!(get(port, "/v1/models", None)?.starts_with("HTTP/1.1 401"));
    ensure!(get(port, "/v1/models", Some(&secret))?.starts_with("HTTP/1.1 200"));

    // It is shown this once; then its beginning.
    window.click("server.key.done")?;
    window.wait_gone("server.key.secret")?;
    let begins = window.visible("server.key.0.begins")?.text;
    ensure!(
        begins.len() < 20 && secret.starts_with(begins.trim_end_matches('…')),
        "{begins}"
    );

    // Revoked after a question, whose answer at hand changes nothing.
    window.click("server.key.0.revoke")?;
    window.wait_for("the question", |window| has_keys(window, "server.key.0.keep"))?;
    window.key("Return")?;
    window.wait_gone("server.key.0.question")?;
    window.click("server.key.0.revoke")?;
    window.click("server.key.0.sure")?;
    window.wait_for("no key and no network", |window| {
        Ok(window.state()?["server"]["keys"] == 0 && !network(window)?)
    })?;
    wait_state(&window, "Running")?;
    ensure!(get(port, "/v1/models", None)?.starts_with("HTTP/1.1 200"));
    window.check_output()?;
    window.close()
}

#[test]
fn every_control_of_the_page_is_reached_with_tab() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = open(&screen, home.path())?;
    window.click("server.origins")?;
    let controls = [
        "server.power",
        "server.copy_address",
        "server.port",
        "server.network",
        "server.keys_required",
        "server.origins",
        "server.origin",
        "server.origin.add",
        "server.start_with",
        "server.new_key",
        "server.endpoint.models",
        "server.endpoint.vectors",
        "server.example.curl",
        "server.example.js",
        "server.example.copy",
        "server.log.pause",
        "server.log.filter",
        "server.log.all",
        "server.log.errors",
        "server.log.copy",
        "server.log.clear",
        "server.log",
    ];
    let mut left: Vec<&str> = controls.to_vec();
    let mut before = String::new();
    for _ in 0..60 {
        window.key("Tab")?;
        let now = window.wait_for_value("the next stop", |window| {
            let stop = window.elements()?.into_iter().find(|element| element.focus);
            Ok(stop.filter(|stop| stop.name != before))
        })?;
        if now.name.starts_with("server.") {
            ensure!(now.visible, "{now:?}");
        }
        left.retain(|name| *name != now.name);
        before = now.name;
        if left.is_empty() {
            break;
        }
    }
    ensure!(left.is_empty(), "Tab does not stop at {left:?}");

    // A switch takes Space.
    while before != "server.start_with" {
        window.key("shift+Tab")?;
        before = window.wait_for_value("the stop before", |window| {
            let stop = window.elements()?.into_iter().find(|element| element.focus);
            Ok(stop.filter(|stop| stop.name != before).map(|stop| stop.name))
        })?;
    }
    window.key("space")?;
    window.wait_for("the setting", |window| {
        Ok(window.state()?["server"]["config"]["start_with_hearth"] == true)
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_flood_of_lines_is_drawn_in_few_redraws() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = open(&screen, home.path())?;
    let port = free_port()?;
    set_port(&window, port)?;
    window.click("server.power")?;
    wait_state(&window, "Running")?;
    let redraws = |window: &Window<'_>| window.state()?["revision"].as_u64().context("no revision");
    let before = redraws(&window)?;
    let began = std::time::Instant::now();
    flood(port)?;
    let took = began.elapsed();
    // The window keeps the newest 10,000 and goes on answering.
    window.wait_for("the ring to be full", |window| {
        Ok(window.state()?["server"]["lines"] == 10_000)
    })?;
    let drawn = redraws(&window)? - before;
    println!(
        "{FLOOD} lines in {took:?}: {:.0} lines a second, {drawn} redraws, {:.0} lines each",
        FLOOD as f64 / took.as_secs_f64(),
        FLOOD as f64 / drawn as f64
    );
    ensure!(drawn < FLOOD as u64 / 20, "{drawn} redraws");
    window.click("server.log.pause")?;
    window.visible("server.log.follow")?;
    window.check_output()?;
    window.close()
}

#[test]
#[ignore = "takes pictures for ./x shot; the walks of this page check it"]
fn pictures_of_the_server_in_both_themes() -> Result<()> {
    let folder = shots()?;
    let (screen, home) = (Screen::start()?, home()?);
    let window = open(&screen, home.path())?;
    let port = free_port()?;
    set_port(&window, port)?;
    for (index, name) in ["Laptop", "Home assistant"].into_iter().enumerate() {
        window.click("server.new_key")?;
        window.wait_for("the keyboard", |window| has_keys(window, "server.key.name"))?;
        window.type_text(name)?;
        window.key("Return")?;
        window.click("server.key.done")?;
        window.visible(&format!("server.key.{index}.name"))?;
    }
    window.click("server.power")?;
    wait_state(&window, "Running")?;
    post(
        port,
        "/v1/chat/completions",
        r#"{"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 8}"#,
    )?;
    get(port, "/v1/models", None)?;
    get(port, "/v1/no-such-thing", None)?;
    window.visible("server.model.0.eject")?;
    let detail = window.visible("server.model.0.detail")?.text;
    ensure!(detail.ends_with("idle · goes after 1 h unused"), "{detail}");
    for theme in ["dark", "light"] {
        let take = |name: &str| window.picture(&folder.join(format!("server-{name}-{theme}.png")));
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        window.click("rail.server")?;
        window.visible("server.log.in_view")?;
        take("running")?;
        window.click("server.origins")?;
        window.click("server.new_key")?;
        window.click("server.example.python")?;
        window.visible("server.key.name")?;
        take("open")?;
        window.click("server.origins")?;
        window.click("server.key.cancel")?;
        window.click("server.example.curl")?;
        window.click("server.key.0.revoke")?;
        window.visible("server.key.0.question")?;
        take("revoke")?;
        window.click("server.key.0.keep")?;
    }
    window.resize(880, 600)?;
    window.picture(&folder.join("server-narrow.png"))?;
    window.check_output()?;
    window.close()
}

/// Asks for something many times over one connection, without waiting for each answer.
fn flood(port: u16) -> Result<()> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    let requests = "GET /no-such-page HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(AT_ONCE);
    for _ in 0..FLOOD / AT_ONCE {
        writer.write_all(requests.as_bytes())?;
        for _ in 0..AT_ONCE {
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line)? > 2 {
                if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = text.trim().parse()?;
                }
                line.clear();
            }
            reader.read_exact(&mut vec![0; length])?;
        }
    }
    Ok(())
}

/// The app at the server's page.
fn open<'a>(screen: &'a Screen, home: &std::path::Path) -> Result<Window<'a>> {
    let window = Window::start(screen, home)?;
    window.click("rail.server")?;
    window.visible("server.power")?;
    Ok(window)
}

fn set_port(window: &Window<'_>, port: u16) -> Result<()> {
    window.click("server.port")?;
    window.key("ctrl+a")?;
    window.type_text(&port.to_string())?;
    window.key("Return")?;
    window.wait_for("the port", |window| {
        Ok(window.state()?["server"]["config"]["port"] == port)
    })
}

fn wait_state(window: &Window<'_>, state: &str) -> Result<()> {
    window.wait_for(state, |window| Ok(window.state()?["server"]["state"] == state))
}

fn network(window: &Window<'_>) -> Result<bool> {
    Ok(window.state()?["server"]["config"]["network"] == true)
}

fn has_keys(window: &Window<'_>, name: &str) -> Result<bool> {
    Ok(window.element(name)?.is_some_and(|element| element.focus))
}

/// The whole answer to a body of JSON.
fn post(port: u16, path: &str, body: &str) -> Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// A port that nobody has.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// The whole answer to a request.
fn get(port: u16, path: &str, key: Option<&str>) -> Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let key = key.map_or_else(String::new, |key| format!("authorization: Bearer {key}\r\n"));
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{key}\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
