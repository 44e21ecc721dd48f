//! `cargo xtask hub`: the hub of the tests, started by hand, so that the window can be used against it.
#![allow(clippy::print_stdout, reason = "it speaks to its terminal")]

use std::path::PathBuf;

use clap::Parser;
use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Fault, Gate, Place, Repo, Serving, TestHub, some_bytes};

#[derive(Parser)]
struct Arguments {
    /// Port of the hub; 0 takes a free one
    #[arg(long, default_value_t = 8730)]
    port: u16,
    /// Bytes of the large file, of which the content is noise
    #[arg(long, default_value_t = 200_000_000)]
    large: usize,
    /// Bytes a second that each connection of the file host gives
    #[arg(long)]
    connection_speed: Option<u32>,
    /// Send files as cheaply as it goes, for measuring
    #[arg(long)]
    uncounted: bool,
    /// GGUF files to offer, each in a repository of its own
    files: Vec<PathBuf>,
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let hub = TestHub::start_with(Serving {
        port: arguments.port,
        connection_speed: arguments.connection_speed,
        uncounted: arguments.uncounted,
    });
    hub.add(Repo::new("tests/tiny").with("tiny-F32.gguf", Tiny::default().bytes()));
    let noise = some_bytes(1, arguments.large);
    hub.add(Repo::new("tests/large").with("large-Q4_K_M.gguf", noise.clone()));
    hub.add(
        Repo::new("tests/split")
            .with("split-Q8_0-00001-of-00002.gguf", noise.slice(..noise.len() / 2))
            .with("split-Q8_0-00002-of-00002.gguf", noise.slice(noise.len() / 2..)),
    );
    hub.add(
        Repo::new("tests/licence")
            .with("gated-Q4_0.gguf", some_bytes(2, 1_000_000))
            .behind(Gate::Auto),
    );
    let breaks = Repo::new("tests/breaks").with("breaks-Q4_0.gguf", some_bytes(3, 50_000_000));
    for file in breaks.files.values() {
        hub.fault(Place::File, &file.sha256, None, Fault::CloseAfter(3_000_000));
    }
    hub.add(breaks);
    hub.add_token("hf_reads", "reader", &[]);
    hub.add_token("hf_granted", "granted", &["tests/licence"]);
    for path in arguments.files {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let repo = Repo::new(&format!("local/{}", name.trim_end_matches(".gguf")));
        hub.add(repo.with(&name, std::fs::read(&path)?));
    }
    println!("HF_ENDPOINT={}", hub.url());
    println!("Tokens: hf_reads, and hf_granted for tests/licence. Ctrl-C ends it.");
    loop {
        std::thread::park();
    }
}
