//! `./x conformance`: llama-server's own test suite, unchanged, against Hearth's local server.
//!
//! The suite comes with the source tree of llama.cpp; a small program stands in for llama-server and turns its arguments
//! into Hearth's settings. What fails and why stands in `docs/conformance.md`, and a run that comes out otherwise fails.

mod listed;
mod model;
mod report;
mod results;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::models::python;
use crate::workspace::Workspace;
use crate::{llama_cpp, process};
use listed::Listed;
use report::Report;

/// The program in the place of llama-server, and what replaces the one fixture that downloads models.
const WRAPPER: &str = include_str!("conformance/llama-server.py");
const PLUGIN: &str = include_str!("conformance/plugin.py");

/// The suite's fixture that downloads models, and its name once nobody calls it.
const FIXTURE: &str = "def load_server_presets(";
const UNUSED_FIXTURE: &str = "def load_server_presets_of_llama_server(";

/// What the suite needs (`tools/server/tests/requirements.txt`), but for what only runs it in parallel.
const REQUIREMENTS: [&str; 8] = [
    "pytest~=8.3.3",
    "requests~=2.32.3",
    "openai~=2.14.0",
    "numpy~=2.2.6",
    "aiohttp~=3.9.3",
    "filelock~=3.16",
    "prometheus-client~=0.20.0",
    "wget~=3.2",
];

/// How long the tests of one file may take.
const LIMIT: Duration = Duration::from_secs(900);

/// Fewest tests that must pass.
const LEAST: u32 = 200;

/// The page that lists what fails.
const PAGE: &str = "docs/conformance.md";

/// Where nothing listens: what the suite would fetch from the network is not there for anyone, so that it comes out the
/// same everywhere.
const NOWHERE: &str = "http://127.0.0.1:9";

/// What can be typed.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Run only the files whose names hold this text; then no number of tests is demanded
    filter: Option<String>,
    /// The model of the suite, stories260K.gguf, where it is here already; else it comes from where the suite gets it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Take the programs as they are built already
    #[arg(long)]
    no_build: bool,
}

/// Runs the suite and prints what passed, file by file, and at the end each test that came out otherwise than listed.
///
/// # Errors
/// Where a part of it cannot be had, a test came out otherwise, or fewer pass than must.
pub(crate) fn conformance(workspace: &Workspace, arguments: &Arguments) -> anyhow::Result<()> {
    let folder = workspace.conformance();
    fs::create_dir_all(&folder)?;
    let model = model::get(&folder, arguments.model.as_deref())?;
    let suite = suite(workspace, &folder)?;
    let python = environment(&folder)?;
    if !arguments.no_build {
        process::run(workspace.cargo(["build", "--workspace", "--all-features"]))?;
    }
    let program = program(workspace, &folder)?;
    let wrapper = wrapper(&folder)?;
    let homes = folder.join("homes");
    // Settings of another build are none of this one.
    if homes.exists() {
        fs::remove_dir_all(&homes)?;
    }
    fs::create_dir_all(&homes)?;
    let page = workspace.root.join(PAGE);
    let page = fs::read_to_string(&page).with_context(|| format!("{PAGE} cannot be read"))?;
    let listed = Listed::read(&page)?;
    let files = files(&suite.join("unit"), arguments.filter.as_deref())?;
    let mut report = Report::default();
    let mut surprises = Vec::new();
    for file in &files {
        let notes = folder.join("results").join(file).with_extension("json");
        // Those of an earlier run are none of this one.
        if notes.exists() {
            fs::remove_file(&notes)?;
        }
        let mut pytest = Command::new(&python);
        pytest
            .args(["-m", "pytest", "-q", "--no-header", "--tb=short"])
            .args(["-p", "hearth_plugin", "-m", "not slow"])
            .arg(Path::new("unit").join(file))
            .current_dir(&suite)
            .env("LLAMA_SERVER_BIN_PATH", &wrapper)
            .env("PYTHONPATH", &folder)
            .env("HTTPS_PROXY", NOWHERE)
            .env("HEARTH_CLI", &program)
            .env("HEARTH_CONFORMANCE_MODEL", &model)
            .env("HEARTH_CONFORMANCE_HOMES", &homes)
            .env("HEARTH_CONFORMANCE_RESULTS", &notes);
        if run(pytest, &notes.with_extension("log"))? {
            let results = results::read(&notes)?;
            report.add(file, &results);
            surprises.extend(listed.surprises(file, &results));
        } else {
            report.cut_short(file);
            surprises.push(format!("{file} took longer than {} s", LIMIT.as_secs()));
        }
    }
    report.print();
    if arguments.filter.is_none() {
        let missing = listed.without_file(&files);
        surprises.extend(missing.map(|file| format!("{file} is listed and there is no such file")));
        let passed = report.total().passed;
        ensure!(
            passed >= LEAST,
            "{passed} tests passed, and at least {LEAST} must"
        );
    }
    if !surprises.is_empty() {
        bail!("otherwise than {PAGE} says:\n{}", surprises.join("\n"));
    }
    Ok(())
}

/// The suite, with its one fixture that downloads models out of use: it would start every preset once.
fn suite(workspace: &Workspace, folder: &Path) -> anyhow::Result<PathBuf> {
    // In its tree, since tests look for templates beside it.
    let tree = llama_cpp::fetch(workspace)?;
    let suite = tree.join("tools/server/tests");
    let conftest = suite.join("conftest.py");
    let text = fs::read_to_string(&conftest)?;
    if !text.contains(UNUSED_FIXTURE) {
        ensure!(
            text.contains(FIXTURE),
            "the suite has no fixture that downloads models any more"
        );
        let unused = text.replace(
            &format!("@pytest.fixture(scope=\"session\", autouse=True)\n{FIXTURE}"),
            UNUSED_FIXTURE,
        );
        ensure!(
            unused != text,
            "the fixture that downloads models looks otherwise now"
        );
        fs::write(&conftest, unused)?;
    }
    fs::write(folder.join("hearth_plugin.py"), PLUGIN)?;
    fs::create_dir_all(folder.join("results"))?;
    // Where tests keep files of theirs.
    fs::create_dir_all(suite.join("tmp"))?;
    Ok(suite)
}

/// A Python of the suite's own, with what it needs. What is there already is left alone.
fn environment(folder: &Path) -> anyhow::Result<PathBuf> {
    let venv = folder.join("venv");
    let program = match cfg!(windows) {
        true => venv.join("Scripts/python.exe"),
        false => venv.join("bin/python"),
    };
    let is_there = Command::new(&program)
        .args([
            "-c",
            "import pytest, requests, openai, numpy, aiohttp, filelock, prometheus_client, wget",
        ])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if is_there {
        return Ok(program);
    }
    let mut make = Command::new(python()?);
    make.args(["-m", "venv", "--clear"]).arg(&venv);
    process::run(make)?;
    let mut install = Command::new(&program);
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(REQUIREMENTS);
    process::run(install)?;
    Ok(program)
}

/// The terminal program in a folder of its own: no starter model lies beside it, so that the library holds only what the
/// suite asks for.
fn program(workspace: &Workspace, folder: &Path) -> anyhow::Result<PathBuf> {
    let name = format!("hearth-cli{}", std::env::consts::EXE_SUFFIX);
    let built = workspace.executables().join(&name);
    let place = folder.join("bin").join(&name);
    fs::create_dir_all(folder.join("bin"))?;
    if place.exists() {
        fs::remove_file(&place)?;
    }
    fs::copy(&built, &place).with_context(|| format!("{} is not built", built.display()))?;
    Ok(place)
}

fn wrapper(folder: &Path) -> anyhow::Result<PathBuf> {
    let place = folder.join("llama-server");
    fs::write(&place, WRAPPER)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755))?;
    }
    Ok(place)
}

/// The names of the suite's files, in order.
fn files(folder: &Path, filter: Option<&str>) -> anyhow::Result<Vec<String>> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("test_") && name.ends_with(".py"))
        .filter(|name| filter.is_none_or(|filter| name.contains(filter)))
        .collect();
    files.sort();
    Ok(files)
}

/// Runs a program within the limit, its words in a log; tells whether it came to its end.
fn run(mut command: Command, log: &Path) -> anyhow::Result<bool> {
    let line = process::describe(&command);
    let output = fs::File::create(log)?;
    let mut child = command
        .stderr(output.try_clone()?)
        .stdout(output)
        .spawn()
        .with_context(|| format!("{line} does not start"))?;
    let began = Instant::now();
    while began.elapsed() < LIMIT {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    child.kill()?;
    child.wait()?;
    Ok(false)
}
