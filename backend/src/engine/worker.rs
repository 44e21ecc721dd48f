//! The worker process: holds one model and answers what the backend asks over standard input.
//!
//! One thread owns model, context and sampler. Another reads requests and raises the stop flag, which llama.cpp
//! looks at while it computes, so that Stop acts in the middle of a long prompt. All files below may name
//! llama.cpp; no other may, and nothing here runs in the window's process.

mod backends;
mod batch;
mod cache;
mod context;
mod counting;
mod embedder;
mod estimate;
mod fingerprint;
mod grammar;
mod heartbeat;
mod kv_store;
mod log;
mod lora;
mod memory;
mod memory_breakdown;
mod model;
mod output;
mod pace;
mod params;
mod parse;
mod plan;
mod prompt;
mod sampler;
mod sampling_plan;
mod scheduler;
mod speculation;
mod spinning;
mod stats;
mod stop;
mod stop_flag;
mod task;
mod template;
mod text;
mod tokenizer;
mod tokens;
mod utf8;
mod vision;

use std::io::{self, BufRead};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use hearth_protocol::Error;
use hearth_protocol::engine::LoadOptions;

use super::ipc::{self, KvStorePlace, LoadedInfo, Request, Response};
use backends::Backends;
use context::Context;
use counting::Counting;
pub(super) use kv_store::folder as kv_folder;
use kv_store::{Fingerprint, KvStore};
use log::Log;
use model::Model;
use output::Output;
use scheduler::{Halt, Scheduler};
use spinning::Spinning;
use stop_flag::StopFlag;

/// Stack of the engine's thread. Chat templates of strange nesting recurse deep in the template engine.
const STACK_BYTES: usize = 64 << 20;

/// Exit code of a worker whose engine broke (`EX_SOFTWARE` of `sysexits.h`). Its log says why.
const BROKEN: u8 = 70;

/// A request with the moment it came.
type Asked = (Request, Instant);

/// The worker process: reads requests from standard input until it closes.
pub fn worker_main() -> ExitCode {
    let log = Log::start();
    let stop = Arc::new(StopFlag::default());
    let (asked, requests) = channel();
    let reader = {
        let stop = Arc::clone(&stop);
        let name = std::thread::Builder::new().name("hearth-requests".into());
        name.spawn(move || read(std::io::stdin().lock(), &asked, &stop, log))
    };
    let (beats, ended) = channel();
    let heart = {
        let stop = Arc::clone(&stop);
        let name = std::thread::Builder::new().name("hearth-alive".into());
        name.spawn(move || heartbeat::beat(&stop, &ended))
    };
    let engine = std::thread::Builder::new()
        .name("hearth-engine".into())
        .stack_size(STACK_BYTES)
        .spawn(move || serve(&requests, &stop, log).inspect_err(|halt| log.write(&halt.to_string())));
    let ended = engine.map(std::thread::JoinHandle::join);
    drop::<Sender<()>>(beats);
    match (reader, heart, ended) {
        (Ok(_), Ok(_), Ok(Ok(Ok(())))) => ExitCode::SUCCESS,
        // The thread has said why on standard error, by its log line or its panic.
        _ => ExitCode::from(BROKEN),
    }
}

/// Hands requests to the engine until the input closes; raises the stop flag itself.
fn read(input: impl BufRead, asked: &Sender<Asked>, stop: &StopFlag, log: &Log) {
    for line in input.lines() {
        let request = line.map_err(|error| error.to_string());
        let request = request.and_then(|line| ipc::decode(&line).map_err(|error| error.to_string()));
        match request {
            Ok(Request::Stop { id }) => stop.stop(id),
            Ok(request) => {
                if let Request::Generate { id, .. } | Request::Embed { id, .. } | Request::Tell { id, .. } =
                    request
                {
                    stop.begin(id);
                }
                if asked.send((request, Instant::now())).is_err() {
                    break;
                }
            }
            Err(error) => {
                log.write(&format!("a request could not be read: {error}"));
                break;
            }
        }
    }
    stop.close();
}

/// Answers requests until there are no more. Loads at most one model.
fn serve(requests: &Receiver<Asked>, stop: &Arc<StopFlag>, log: &Log) -> Result<(), Halt> {
    let backends = Backends::start()?;
    let mut output = Output::default();
    for (request, _) in requests {
        match request {
            Request::Devices => output.send(&Response::Devices {
                devices: backends.described(log.variant()),
            })?,
            Request::Estimate { path, options } => {
                match estimate::estimate(&backends, &path, &options, log) {
                    Ok(estimate) => output.send(&Response::Estimated { estimate })?,
                    Err(error) => return decline(error, &mut output),
                }
            }
            Request::Load {
                path,
                options,
                kv_store,
            } => {
                let model = match Model::load(&backends, &path, &options, stop, log, &mut output) {
                    Ok(model) => model,
                    Err(error) => return decline(error, &mut output),
                };
                let spinning = Spinning::new(params::threads(&options), log);
                if model.only_embeds() {
                    let info = LoadedInfo {
                        context_length: model.context_length(),
                        threads: params::threads(&options),
                        // Texts take turns.
                        slots: 1,
                        ..known(&model)
                    };
                    output.send(&Response::Loaded(info))?;
                    return embedder::serve(&model, &options, spinning, requests, stop, &mut output, log);
                }
                let context = match Context::new(&model, &options, stop, log) {
                    Ok(context) => context,
                    Err(error) => return decline(error, &mut output),
                };
                let info = LoadedInfo {
                    context_length: context.length(),
                    threads: context.threads(),
                    slots: scheduler::slots(&options, &context) as u32,
                    ..known(&model)
                };
                return std::thread::scope(|scope| {
                    // Before the model is there for anyone: without it there is none.
                    let counting = Counting::start(scope, &model, stop)?;
                    output.send(&Response::Loaded(info))?;
                    let kept = Kept::new(kv_store.as_ref(), &path, &options, log);
                    let mut scheduler =
                        Scheduler::new(&model, context, kept, spinning, &options, stop, counting);
                    scheduler.run(requests, stop, &mut output, log)
                });
            }
            request => log.write(&format!("there is no model yet for {request:?}")),
        }
    }
    Ok(())
}

/// What the model itself tells of how it is loaded.
fn known(model: &Model) -> LoadedInfo {
    LoadedInfo {
        has_chat_template: model.has_chat_template(),
        gpu_layers: model.gpu_layers(),
        notices: model.notices().to_vec(),
        ..LoadedInfo::default()
    }
}

/// What is kept of KV states beyond memory.
#[derive(Default)]
struct Kept {
    /// By what a state of this model is known; `None` where its file cannot be read any more.
    fingerprint: Option<Fingerprint>,
    /// The states of chats on the disk; `None` keeps none.
    store: Option<KvStore>,
}

impl Kept {
    /// The KV states of this model on the disk. Without them everything works, only slower.
    fn new(place: Option<&KvStorePlace>, model: &str, options: &LoadOptions, log: &Log) -> Self {
        let complain = |error: &io::Error| log.write(&format!("no KV state is kept on the disk: {error}"));
        let fingerprint = fingerprint::fingerprint(Path::new(model), options).inspect_err(complain);
        let Ok(fingerprint) = fingerprint else {
            return Self::default();
        };
        let store = place.and_then(|place| {
            KvStore::open(&place.folder, fingerprint, place.limit.0)
                .inspect_err(complain)
                .ok()
        });
        Self {
            fingerprint: Some(fingerprint),
            store,
        }
    }
}

/// Tells that there is no model; with that the worker's work is done.
fn decline(error: Error, output: &mut Output) -> Result<(), Halt> {
    output.send(&Response::LoadFailed { error })?;
    Ok(())
}

#[cfg(test)]
mod tests;
