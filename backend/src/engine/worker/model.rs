//! A model in memory, read-only: its weights, its vocabulary and its chat template.

use std::ffi::CStr;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use hearth_protocol::embed::Pooling;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::{Error, Result};
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::vocab::LlamaVocab;
use llama_cpp_sys_2 as sys;

use super::backends::Backends;
use super::log::Log;
use super::lora::Adapters;
use super::output::Output;
use super::params::Plan;
use super::prompt::{Prompter, Templates};
use super::stop_flag::StopFlag;
use super::vision;
use crate::engine::ipc::Response;

/// Progress is told in steps of a hundredth; llama.cpp tells it for each tensor.
const PROGRESS_STEPS: f32 = 100.0;

/// Encoders: architectures whose tokens look in both directions whatever their files say, since llama.cpp keeps no KV cache
/// for them (`llama_model::create_memory` of `llama-model.cpp`).
const ENCODERS: [&str; 9] = [
    "bert",
    "jina-bert-v2",
    "jina-bert-v3",
    "nomic-bert",
    "nomic-bert-moe",
    "neo-bert",
    "eurobert",
    "modern-bert",
    "gemma-embedding",
];

/// A loaded model.
pub(super) struct Model {
    inner: LlamaModel,
    /// Its file's name without the ending.
    name: String,
    /// Whether the file of a vision projector that goes with it lies beside its own.
    has_projector: bool,
    prompter: Prompter,
    gpu_layers: (u32, u32),
    context_length: u32,
    adapters: Adapters,
    notices: Vec<String>,
}

impl Model {
    /// Loads a file and its adapters, telling the progress. Ends early when the stop flag is closed.
    ///
    /// # Errors
    /// `LoadFailed` with llama.cpp's reason; `NotFound` and `Invalid` for options that this machine cannot do;
    /// `BadModelFile` for an adapter.
    pub(super) fn load(
        backends: &Backends,
        path: &str,
        options: &LoadOptions,
        stop: &Arc<StopFlag>,
        log: &Log,
        output: &mut Output,
    ) -> Result<Self> {
        let plan = Plan::new(backends, path, options, log)?;
        // What llama.cpp complained of before has nothing to do with this model.
        log.take_complaint();
        let inner = plan.model.load(&plan.path, progress(Arc::clone(stop)));
        let inner = inner.ok_or_else(|| {
            let reason = log.take_complaint();
            let reason = reason.unwrap_or_else(|| "the model could not be loaded".into());
            failed(format!("llama.cpp says “{reason}”"))
        })?;
        output
            .send(&Response::LoadProgress { share: 1.0 })
            .map_err(Error::internal)?;
        refuse_unusable(&inner)?;
        let layers = inner.n_layer() + 1;
        // SAFETY: the model is valid; the adapters are kept beside it and used only while it lives.
        let adapters = unsafe { Adapters::load(as_raw(&inner), &options.lora, log) }?;
        let templates = Templates::read(&inner, options.chat_template.as_deref());
        let prompter = Prompter::new(&inner.vocab(), templates);
        let file = Path::new(path);
        let mut model = Self {
            name: file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            has_projector: vision::has_projector(file, inner.n_embd().unsigned_abs()),
            inner,
            prompter,
            gpu_layers: (plan.gpu_layers(layers), layers),
            context_length: plan.context_length,
            adapters,
            notices: plan.notices,
        };
        if model.only_embeds() {
            // Many encoders have a row for each place of a text, and no more than they were trained for.
            model.context_length = model.context_length.min(model.inner.n_ctx_train());
        }
        Ok(model)
    }

    /// Whether each token looks at those behind it too, as in encoders. Such a model makes vectors and cannot write, and a
    /// text must be computed at once. Models that are no encoders say it in `<architecture>.attention.causal`.
    pub(super) fn only_embeds(&self) -> bool {
        let is_encoder = self
            .architecture()
            .is_some_and(|name| ENCODERS.contains(&name.as_str()));
        is_encoder || self.metadata("attention.causal").as_deref() == Some("false")
    }

    /// How it was trained to make one vector of a text; `None` where its file does not say.
    ///
    /// # Errors
    /// `ModelCannot` for a reranker.
    pub(super) fn pooling(&self) -> Result<Option<Pooling>> {
        // `llama_pooling_type` of `llama.h`.
        match self.metadata("pooling_type").as_deref() {
            Some("1") => Ok(Some(Pooling::Mean)),
            Some("2") => Ok(Some(Pooling::Cls)),
            Some("3") => Ok(Some(Pooling::Last)),
            Some("4") => {
                Err(self
                    .cannot("is a reranker: it rates how well two texts go together and makes no embeddings"))
            }
            _ => Ok(None),
        }
    }

    /// Numbers in its vectors of texts.
    pub(super) fn vector_width(&self) -> usize {
        usize::try_from(self.inner.n_embd_out()).unwrap_or(0)
    }

    /// A value of its architecture's metadata, as text.
    fn metadata(&self, key: &str) -> Option<String> {
        let architecture = self.architecture()?;
        self.inner.meta_val_str(&format!("{architecture}.{key}")).ok()
    }

    fn architecture(&self) -> Option<String> {
        self.inner.meta_val_str("general.architecture").ok()
    }

    /// Its name, for people.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The refusal of what it cannot do: the rest of the sentence that begins with its name.
    pub(super) fn cannot(&self, problem: &str) -> Error {
        Error::ModelCannot {
            model: self.name.clone(),
            problem: problem.into(),
        }
    }

    /// The refusal of images.
    pub(super) fn cannot_see(&self) -> Error {
        self.cannot(vision::refusal(self.has_projector))
    }

    /// The refusal of answers, by a model that only embeds.
    pub(super) fn cannot_chat(&self) -> Error {
        self.cannot("makes embeddings; it does not chat")
    }

    /// The refusal of gaps.
    pub(super) fn cannot_infill(&self) -> Error {
        self.cannot("was not trained to fill gaps; choose a model that was, such as one for code")
    }

    /// The vocabulary.
    pub(super) fn vocabulary(&self) -> LlamaVocab<'_> {
        self.inner.vocab()
    }

    /// What turns chats into tokens.
    pub(super) fn prompter(&self) -> &Prompter {
        &self.prompter
    }

    /// Whether there is a chat template, the file's or one in its place.
    pub(super) fn has_chat_template(&self) -> bool {
        self.prompter.has_template()
    }

    /// Tokens that its context is to hold: as many as were asked for, or as fit.
    pub(super) fn context_length(&self) -> u32 {
        self.context_length
    }

    /// What a person should know of how it was loaded, in whole sentences.
    pub(super) fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Makes a context of this model compute with its adapters.
    ///
    /// # Safety
    /// The context is valid and of this model.
    pub(super) unsafe fn apply_adapters(&self, context: NonNull<sys::llama_context>) {
        // SAFETY: as asked of the caller.
        unsafe { self.adapters.apply(context) }
    }

    /// Layers on the GPU and layers in all, the output layer counted.
    pub(super) fn gpu_layers(&self) -> (u32, u32) {
        self.gpu_layers
    }

    /// Whether its memory of the text cannot be cut at any place, as with recurrent layers.
    pub(super) fn is_recurrent(&self) -> bool {
        self.inner.is_recurrent() || self.inner.is_hybrid()
    }

    /// Cells of the KV cache that may stand there for nobody without being felt. For each token every head of every layer
    /// looks at each cell, about a nanosecond even where it skips it (llama.cpp's attention on processors); and each
    /// token reads the weights once, about `BYTES_A_NANOSECOND` on a core. The one shall be a hundredth of the other.
    /// Graphics cards look at nothing that they skip.
    pub(super) fn idle_cells(&self) -> usize {
        const BYTES_A_NANOSECOND: u64 = 8;
        const SHARE: u64 = 100;
        if self.gpu_layers.0 > 0 {
            return usize::MAX;
        }
        // SAFETY: the handle is valid, and the function only reads it.
        let bytes = unsafe { sys::llama_model_size(self.as_raw().as_ptr()) };
        let shape = self.shape();
        let looks = (shape.layers * shape.heads).max(1);
        let cells = bytes / (BYTES_A_NANOSECOND * SHARE * looks);
        usize::try_from(cells).unwrap_or(usize::MAX)
    }

    /// Bytes of the KV cache for each token, at 16 bits a number; more than it takes where layers look back only a little.
    pub(super) fn kv_bytes(&self) -> u64 {
        const KEY_AND_VALUE: u64 = 2;
        const NUMBER: u64 = 2;
        let shape = self.shape();
        KEY_AND_VALUE * NUMBER * shape.layers * shape.kv_heads * shape.width / shape.heads.max(1)
    }

    fn shape(&self) -> Shape {
        let raw = self.as_raw().as_ptr();
        let count = |count: i32| u64::from(count.unsigned_abs());
        // SAFETY: the handle is valid, and these functions only read it.
        unsafe {
            Shape {
                layers: count(sys::llama_model_n_layer(raw)),
                heads: count(sys::llama_model_n_head(raw)),
                kv_heads: count(sys::llama_model_n_head_kv(raw)),
                width: count(sys::llama_model_n_embd(raw)),
            }
        }
    }

    /// llama.cpp's own handle, for the C functions that the crate does not bind. Valid while the model is.
    pub(super) fn as_raw(&self) -> NonNull<sys::llama_model> {
        as_raw(&self.inner)
    }

    /// llama.cpp's own handle of the vocabulary. Valid while the model is.
    pub(super) fn vocabulary_as_raw(&self) -> *const sys::llama_vocab {
        // SAFETY: the model's handle is valid, and the function only reads it.
        unsafe { sys::llama_model_get_vocab(self.as_raw().as_ptr()) }
    }
}

/// What attention works on.
struct Shape {
    layers: u64,
    heads: u64,
    kv_heads: u64,
    /// Numbers for each token between the layers.
    width: u64,
}

/// llama.cpp's handle of a model, which the crate keeps to itself.
pub(super) fn as_raw(model: &LlamaModel) -> NonNull<sys::llama_model> {
    // SAFETY: `LlamaModel` is `repr(transparent)` over the crate's `Ptr`, which is `repr(transparent)` over
    // `NonNull<llama_model>` (llama-cpp-2 0.1.160, model.rs and ptr.rs; the version is pinned), so a reference
    // to the one is a reference to the other.
    unsafe { *std::ptr::from_ref(model).cast::<NonNull<sys::llama_model>>() }
}

/// What `as_raw` relies on, as far as the compiler can see it.
const _: () = assert!(size_of::<LlamaModel>() == size_of::<NonNull<sys::llama_model>>());

/// Tells the progress in whole steps, never falling; gives whether to go on.
fn progress(stop: Arc<StopFlag>) -> impl FnMut(f32) -> bool + 'static {
    let mut output = Output::default();
    let mut told = -1.0;
    move |share: f32| {
        let step = (share.clamp(0.0, 1.0) * PROGRESS_STEPS).floor();
        let heard = if step > told {
            told = step;
            let share = step / PROGRESS_STEPS;
            output.send(&Response::LoadProgress { share }).is_ok()
        } else {
            true
        };
        heard && !stop.is_closed()
    }
}

/// Refuses models that load but can neither chat nor embed; llama.cpp would end the process on the first attempt.
fn refuse_unusable(model: &LlamaModel) -> Result<()> {
    let raw = as_raw(model);
    // SAFETY: the handle is valid while `model` is, and these functions only read it.
    let (encodes, decodes) = unsafe {
        (
            sys::llama_model_has_encoder(raw.as_ptr()),
            sys::llama_model_has_decoder(raw.as_ptr()),
        )
    };
    if encodes || !decodes {
        return Err(failed("it cannot write text; it is an encoder".into()));
    }
    // SAFETY: as above. The crate's own function panics on the kinds that it has no name for, WordPiece among them.
    let kind = unsafe { sys::llama_vocab_type(sys::llama_model_get_vocab(raw.as_ptr())) };
    if kind == sys::LLAMA_VOCAB_TYPE_NONE || model.vocab().n_tokens() == 0 {
        return Err(failed("it has no vocabulary".into()));
    }
    Ok(())
}

/// The text of a special token; `None` where the model has none.
pub(super) fn text_of(vocabulary: &LlamaVocab<'_>, token: LlamaToken) -> Option<String> {
    // llama.cpp throws on a number outside the vocabulary, -1 for a token that is not there among them.
    if token.0 < 0 || token.0 >= vocabulary.n_tokens() {
        return None;
    }
    vocabulary
        .text(token)
        .map(CStr::to_string_lossy)
        .map(|text| text.into_owned())
}

pub(super) fn failed(reason: String) -> Error {
    Error::LoadFailed {
        reason,
        log: Vec::new(),
    }
}
