//! `./x clients`: the official clients of OpenAI and Anthropic, pinned, against Hearth's local server with SmolLM2.
//!
//! What they ask stands in `tests/clients/`. They check types and the order of events themselves. The examples of
//! `docs/server.md` and `docs/examples.md` are run too, among them all that the window shows.

mod examples;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};

use crate::workspace::Workspace;
use crate::{models, process};

/// The clients of Python, from PyPI.
const PYTHON_CLIENTS: [&str; 2] = ["openai==3.57.0", "anthropic==2.14.0"];

/// The client of Node.js, from npm.
const NODE_CLIENT: &str = "openai@6.49.0";

/// Asks through every client, each against the same server.
///
/// # Errors
/// Where a client cannot be had, the server does not start, or an answer is not what a client takes.
pub(crate) fn clients(workspace: &Workspace) -> anyhow::Result<()> {
    models::fetch(workspace, &[models::STARTER])?;
    process::run(workspace.cargo(["build", "--workspace", "--all-features"]))?;
    let folder = workspace.clients();
    fs::create_dir_all(&folder)?;
    let scripts = workspace.root.join("tests/clients");
    let python = python(&folder)?;
    let has_node = process::is_installed("node") && process::is_installed("npm");
    if has_node {
        node(&folder)?;
    }
    let server = Server::start(workspace, &folder.join("home"))?;
    let ask = |program: &Path, script: PathBuf| {
        let mut client = Command::new(program);
        client.arg(script).args([&server.url, models::STARTER.name()]);
        process::run(client)
    };
    ask(&python, scripts.join("openai_client.py"))?;
    ask(&python, scripts.join("anthropic_client.py"))?;
    if has_node {
        // Node.js looks for a client beside the script.
        let script = folder.join("openai_client.mjs");
        fs::copy(scripts.join("openai_client.mjs"), &script)?;
        ask(Path::new("node"), script)?;
    } else {
        println!("Node.js is not installed; its client is left out.");
    }
    examples::run(workspace, &folder, &server.url, &python, has_node)
}

/// A Python with the clients in it.
fn python(folder: &Path) -> anyhow::Result<PathBuf> {
    let venv = folder.join("venv");
    let program = match cfg!(windows) {
        true => venv.join("Scripts/python.exe"),
        false => venv.join("bin/python"),
    };
    if !program.exists() {
        let mut make = Command::new(models::python()?);
        make.args(["-m", "venv"]).arg(&venv);
        process::run(make)?;
    }
    // What is there already is left alone, without asking the network.
    let mut install = Command::new(&program);
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(PYTHON_CLIENTS);
    process::run(install)?;
    Ok(program)
}

/// The client of Node.js in this folder.
fn node(folder: &Path) -> anyhow::Result<()> {
    let manifest = folder.join("package.json");
    if !manifest.exists() {
        fs::write(&manifest, "{\"private\": true}\n")?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut install = Command::new(npm);
    install
        .args(["install", "--silent", "--no-audit", "--no-fund", NODE_CLIENT])
        .current_dir(folder);
    process::run(install)
}

/// A server that runs until this is dropped.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// Starts one at a free port, with nothing of an earlier run.
    fn start(workspace: &Workspace, home: &Path) -> anyhow::Result<Self> {
        if home.exists() {
            fs::remove_dir_all(home)?;
        }
        fs::create_dir_all(home)?;
        let program = workspace
            .executables()
            .join(format!("hearth-cli{}", std::env::consts::EXE_SUFFIX));
        let mut serve = Command::new(program);
        serve
            .args(["serve", "--json", "--port", "0"])
            .env("HEARTH_HOME", home)
            .stdout(Stdio::piped());
        let line = process::describe(&serve);
        println!("$ {line}");
        let mut process = serve.spawn().with_context(|| format!("{line} does not start"))?;
        let output = process.stdout.take().context("the server has no output")?;
        let mut server = Self {
            process,
            url: String::new(),
        };
        let mut lines = BufReader::new(output).lines();
        for line in lines.by_ref() {
            let event: serde_json::Value = serde_json::from_str(&line?)?;
            if let Some(url) = event["url"].as_str() {
                server.url = url.to_owned();
                break;
            }
        }
        if server.url.is_empty() {
            bail!("the server ended before it served");
        }
        // Its log is read to the end, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        if let Err(error) = self.process.kill().and_then(|()| self.process.wait().map(drop)) {
            eprintln!("The server is not stopped: {error}");
        }
    }
}
