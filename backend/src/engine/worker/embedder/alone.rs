//! The work of a model that only embeds, such as BERT: there is no answer beside it.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::prompt::TokenizeInput;

use super::Embedder;
use crate::engine::ipc::{Request, Response};
use crate::engine::question::{Question, Told};
use crate::engine::worker::Asked;
use crate::engine::worker::log::Log;
use crate::engine::worker::model::Model;
use crate::engine::worker::output::Output;
use crate::engine::worker::scheduler::{self, Halt};
use crate::engine::worker::spinning::Spinning;
use crate::engine::worker::stop_flag::StopFlag;
use crate::engine::worker::tokens::{self, Readings};

/// Takes requests until there are no more. Chats are refused.
pub(in crate::engine::worker) fn serve(
    model: &Model,
    options: &LoadOptions,
    mut spinning: Spinning,
    requests: &Receiver<Asked>,
    stop: &Arc<StopFlag>,
    output: &mut Output,
    log: &Log,
) -> Result<(), Halt> {
    let mut embedder = Embedder::new(model, options, stop);
    let mut readings = Readings::default();
    loop {
        if embedder.is_idle() && readings.is_idle() {
            match requests.recv() {
                Ok((request, _)) => take(&mut embedder, &mut readings, request, output, log)?,
                Err(_) => return Ok(()),
            }
        }
        // Once the input is closed, those that are left have been stopped.
        while let Ok((request, _)) = requests.try_recv() {
            take(&mut embedder, &mut readings, request, output, log)?;
        }
        for id in stop.take() {
            embedder.stop(id, output)?;
        }
        let began = Instant::now();
        embedder.step(false, output, log)?;
        spinning.computed(began.elapsed());
        readings.step(model, stop, output)?;
    }
}

fn take(
    embedder: &mut Embedder<'_>,
    readings: &mut Readings,
    request: Request,
    output: &mut Output,
    log: &Log,
) -> Result<(), Halt> {
    match request {
        Request::Embed { id, job } => embedder.take(id, *job, output)?,
        Request::Generate { id, .. } => {
            embedder.stop.end(id);
            let error = embedder.model.cannot_chat();
            output.send(&Response::Failed { id, error })?;
        }
        Request::Tell { id, question } => {
            let model = embedder.model;
            let told = match *question {
                Question::Tokenize(TokenizeInput::Text {
                    text,
                    add_special,
                    parse_special,
                }) => {
                    readings.take(model, id, text, (add_special, parse_special));
                    return Ok(());
                }
                Question::Tokenize(TokenizeInput::Prompt { prompt, answer }) => {
                    tokens::of_prompt(model, &prompt, &answer)
                }
                Question::Detokenize(ids) => tokens::detokenize(model, &ids),
                Question::Slots => Ok(Told::Slots(Vec::new())),
                Question::ChangeSlot { .. } => Err(model.cannot("makes embeddings; it has no slots").into()),
            };
            embedder.stop.end(id);
            scheduler::tell(id, told, output)?;
        }
        // Nothing is kept of chats.
        Request::Forget { .. } => (),
        request => log.write(&format!("a model is loaded; it cannot take {request:?}")),
    }
    Ok(())
}
