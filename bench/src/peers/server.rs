//! llama-server: started with a model, asked over HTTP, ended when it is dropped.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::client::{Client, Reply, Request, Stream};
use super::http;

/// How long a model may take to load.
const START_LIMIT: Duration = Duration::from_secs(120);

/// How often the server is asked whether it is ready.
const READY_PAUSE: Duration = Duration::from_millis(50);

/// How often it is asked whether it is idle; it answers between two of its steps only.
const IDLE_PAUSE: Duration = Duration::from_millis(2);

/// A running llama-server.
pub(crate) struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// Starts it and waits until it answers.
    ///
    /// # Errors
    /// Where it does not.
    pub(super) fn start(
        program: &Path,
        model: &Path,
        log: &Path,
        arguments: &[&str],
    ) -> anyhow::Result<Self> {
        // The port is free now, and nobody else looks for one here.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let log = File::create(log)?;
        let process = Command::new(program)
            .arg("-m")
            .arg(model)
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--no-ui"])
            .args(["-t", &num_cpus::get_physical().to_string()])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("llama-server does not start")?;
        let mut server = Self { process, port };
        let began = Instant::now();
        while http::get(port, "/health").is_err() {
            if let Some(status) = server.process.try_wait()? {
                bail!("llama-server ended: {status}; its log says why");
            }
            ensure!(
                began.elapsed() < START_LIMIT,
                "llama-server does not become ready"
            );
            sleep(READY_PAUSE);
        }
        Ok(server)
    }

    /// What speaks to it.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.port)
    }

    /// Sends a chat; the stream gives the answer.
    ///
    /// # Errors
    /// Where there is no connection.
    pub(crate) fn send(&self, request: Request<'_>) -> anyhow::Result<Stream> {
        self.client().send(request)
    }

    /// Sends a chat and waits for all of the answer.
    ///
    /// # Errors
    /// Where it breaks off or is shorter than was asked for.
    pub(crate) fn ask(&self, request: Request<'_>) -> anyhow::Result<Reply> {
        self.client().ask(request)
    }

    /// Waits until no request is being worked on.
    ///
    /// # Errors
    /// Where it does not tell.
    pub(crate) fn wait_until_idle(&self) -> anyhow::Result<()> {
        loop {
            let slots: Vec<Value> = serde_json::from_reader(http::get(self.port, "/slots")?)?;
            if slots.iter().all(|slot| slot["is_processing"] == json!(false)) {
                return Ok(());
            }
            sleep(IDLE_PAUSE);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It holds nothing that would be lost. One that has ended already is only reaped.
        if let Err(error) = self.process.kill().and_then(|()| self.process.wait()) {
            eprintln!("llama-server did not end: {error}");
        }
    }
}
