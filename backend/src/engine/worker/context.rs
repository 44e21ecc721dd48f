//! A llama.cpp context: computing, and the KV cache with its sequences.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use hearth_protocol::Result;
use hearth_protocol::engine::LoadOptions;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2 as sys;

use super::batch::{Batch, Sequence};
use super::log::Log;
use super::model::{Model, failed};
use super::params;
use super::stop_flag::StopFlag;

/// Sequences beyond those that are answered: chats that may come back. llama.cpp keeps a row of logits for each, a
/// megabyte where the vocabulary is large.
const KEPT_SEQUENCES: u32 = 12;

/// Rows of logits beyond one per answer, for tokens that are guessed ahead.
pub(super) const GUESSED_ROWS: usize = 12;

/// How far a computation came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decoded {
    /// All tokens; the rows of logits that were wanted are there.
    All,
    /// It was stopped; some of the tokens may be in the cache.
    Stopped,
    /// Nothing was computed: the cache has no room for so many tokens.
    NoRoom,
}

/// How large a context for vectors is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VectorSize {
    /// Tokens it holds, of all texts of a batch together.
    pub(super) length: u32,
    /// Tokens that are computed at once.
    pub(super) batch: u32,
    /// Texts in a batch.
    pub(super) sequences: u32,
}

/// llama.cpp could not compute; the code is `llama_decode`'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("llama.cpp could not compute (code {0})")]
pub(super) struct ComputeError(i32);

/// A context of a model.
pub(super) struct Context<'model> {
    raw: NonNull<sys::llama_context>,
    model: PhantomData<&'model Model>,
    /// llama.cpp's abort callback reads it through a pointer.
    stop: Arc<StopFlag>,
    length: u32,
    sequences: u32,
    /// Tokens that are computed at once.
    chunk: usize,
    threads: u32,
    recurrent: bool,
}

impl<'model> Context<'model> {
    /// Makes a context and computes one token with it, so that the first answer finds everything in place.
    ///
    /// # Errors
    /// `LoadFailed` with llama.cpp's reason, such as that the memory does not suffice.
    pub(super) fn new(
        model: &'model Model,
        options: &LoadOptions,
        stop: &Arc<StopFlag>,
        log: &Log,
    ) -> Result<Self> {
        let length = model.context_length();
        let threads = params::threads(options);
        let (sequences, outputs) = shape(options, model.is_recurrent());
        let params = params::context_params(options, length, threads, sequences, outputs);
        let mut context = Self::make(model, params, stop, log)?;
        if context.memory().is_null() {
            return Err(failed("it cannot write text; it is an encoder".into()));
        }
        context.warm_up(model)?;
        Ok(context)
    }

    /// Makes a context that computes vectors of tokens, of all that are in a batch, in place of a text's next token.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(super) fn for_vectors(
        model: &'model Model,
        options: &LoadOptions,
        size: VectorSize,
        stop: &Arc<StopFlag>,
        log: &Log,
    ) -> Result<Self> {
        let threads = params::threads(options);
        let VectorSize {
            length,
            batch,
            sequences,
        } = size;
        let mut params = params::context_params(options, length, threads, sequences, batch);
        (params.n_batch, params.n_ubatch) = (batch, batch);
        params.embeddings = true;
        params.pooling_type = sys::LLAMA_POOLING_TYPE_NONE;
        Self::make(model, params, stop, log)
    }

    /// A context with these parameters and the stop flag of the worker.
    fn make(
        model: &'model Model,
        mut params: sys::llama_context_params,
        stop: &Arc<StopFlag>,
        log: &Log,
    ) -> Result<Self> {
        log.take_complaint();
        let length = params.n_ctx;
        params.abort_callback = Some(shall_abort);
        params.abort_callback_data = Arc::as_ptr(stop).cast_mut().cast();
        // SAFETY: the model's handle is valid for 'model; this is the only thread that makes contexts of it; the
        // abort callback's data is a `StopFlag` that the `Arc` in this context keeps alive longer than the
        // context, and it may be read from any thread.
        let raw = unsafe { sys::llama_init_from_model(model.as_raw().as_ptr(), params) };
        let Some(raw) = NonNull::new(raw) else {
            return Err(failed(match log.take_complaint() {
                Some(reason) => format!("a context of {length} tokens could not be made: “{reason}”"),
                None => format!("a context of {length} tokens could not be made"),
            }));
        };
        // SAFETY: the context is valid and of this model.
        unsafe { model.apply_adapters(raw) };
        // SAFETY: the context is valid, and the function only reads it.
        let chunk = unsafe { sys::llama_n_ubatch(raw.as_ptr()) } as usize;
        Ok(Self {
            raw,
            model: PhantomData,
            stop: Arc::clone(stop),
            length,
            sequences: params.n_seq_max,
            chunk: chunk.max(1),
            threads: params.n_threads.unsigned_abs(),
            recurrent: model.is_recurrent(),
        })
    }

    /// Tokens it holds at most, of all sequences together.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// Sequences it can hold.
    pub(super) fn sequences(&self) -> u32 {
        self.sequences
    }

    /// Tokens to compute at once.
    pub(super) fn chunk(&self) -> usize {
        self.chunk
    }

    /// Threads it computes with.
    pub(super) fn threads(&self) -> u32 {
        self.threads
    }

    /// Whether a sequence can be cut at any place.
    pub(super) fn can_cut(&self) -> bool {
        !self.recurrent
    }

    /// llama.cpp's own handle, for sampling. Valid while this is.
    pub(super) fn as_raw(&mut self) -> *mut sys::llama_context {
        self.raw.as_ptr()
    }

    /// Computes a batch: not empty, at most `chunk` tokens.
    ///
    /// # Errors
    /// Where llama.cpp's state is not to be trusted any more.
    pub(super) fn decode(&mut self, batch: &mut Batch) -> std::result::Result<Decoded, ComputeError> {
        debug_assert!((1..=self.chunk).contains(&batch.len()));
        // A backend without abort callback would compute all of it first.
        if self.stop.is_raised() {
            return Ok(Decoded::Stopped);
        }
        // SAFETY: the context is valid and used by this thread only; the batch points to arrays of the length it
        // names, which stay until its next change.
        let code = unsafe {
            let code = sys::llama_decode(self.raw.as_ptr(), batch.as_raw());
            sys::llama_synchronize(self.raw.as_ptr());
            code
        };
        match code {
            0 => Ok(Decoded::All),
            NO_ROOM => Ok(Decoded::NoRoom),
            ABORTED => Ok(Decoded::Stopped),
            code => Err(ComputeError(code)),
        }
    }

    /// What the model says of a token of the last batch, which computed vectors: a vector of `width` numbers, which is the
    /// model's. `None` where there is no such token.
    pub(super) fn vector(&mut self, token: usize, width: usize) -> Option<&[f32]> {
        let token = i32::try_from(token).ok()?;
        // SAFETY: the context is valid and has computed the batch to its end.
        let vector = unsafe { sys::llama_get_embeddings_ith(self.raw.as_ptr(), token) };
        // SAFETY: llama.cpp gives null or `llama_model_n_embd_out` numbers, which stay until the next batch.
        (!vector.is_null()).then(|| unsafe { std::slice::from_raw_parts(vector, width) })
    }

    /// The KV cache; null where the model has none, as an encoder. llama.cpp's functions below do nothing with that.
    fn memory(&self) -> sys::llama_memory_t {
        // SAFETY: the context is valid.
        unsafe { sys::llama_get_memory(self.raw.as_ptr()) }
    }

    /// Brings the weights into memory and the buffers to their size.
    fn warm_up(&mut self, model: &Model) -> Result<()> {
        let vocabulary = model.vocabulary();
        let some = [vocabulary.bos(), vocabulary.eos(), LlamaToken(0)];
        let token = some
            .into_iter()
            .find(|token| token.0 >= 0)
            .unwrap_or(LlamaToken(0));
        let mut batch = Batch::default();
        batch.add(Sequence(0), &[token], 0, 1);
        let computed = self.decode(&mut batch);
        self.clear(Sequence(0));
        computed.map(drop).map_err(|error| failed(error.to_string()))
    }
}

/// The sequences of the KV cache.
impl Context<'_> {
    /// Lets a sequence, which is empty, share the first `tokens` of another.
    pub(super) fn copy(&mut self, from: Sequence, to: Sequence, tokens: usize) {
        // SAFETY: the context is valid, and its memory with it; both sequences are below the number it was made for.
        unsafe { sys::llama_memory_seq_cp(self.memory(), from.0, to.0, 0, tokens as sys::llama_pos) };
    }

    /// Removes what stands behind the first `keep` tokens of a sequence.
    pub(super) fn cut(&mut self, sequence: Sequence, keep: usize) {
        // SAFETY: as above.
        let cut = unsafe { sys::llama_memory_seq_rm(self.memory(), sequence.0, keep as sys::llama_pos, -1) };
        debug_assert!(cut, "only where `can_cut` says so");
    }

    /// Removes all of a sequence.
    pub(super) fn clear(&mut self, sequence: Sequence) {
        // SAFETY: as above. A whole sequence can be removed from every kind of memory.
        unsafe { sys::llama_memory_seq_rm(self.memory(), sequence.0, -1, -1) };
    }

    /// Removes all sequences.
    pub(super) fn clear_all(&mut self) {
        // SAFETY: as above. The cells are marked as free; what stood in them need not be wiped.
        unsafe { sys::llama_memory_clear(self.memory(), false) };
    }

    /// Tokens of a sequence.
    pub(super) fn count(&self, sequence: Sequence) -> usize {
        // SAFETY: as above.
        let last = unsafe { sys::llama_memory_seq_pos_max(self.memory(), sequence.0) };
        usize::try_from(last + 1).unwrap_or(0)
    }

    /// Bytes of the state of a sequence.
    pub(super) fn state_bytes(&self, sequence: Sequence) -> usize {
        // SAFETY: the context is valid.
        unsafe { sys::llama_state_seq_get_size(self.raw.as_ptr(), sequence.0) }
    }

    /// The state of a sequence as bytes; `None` where it has none.
    pub(super) fn save(&mut self, sequence: Sequence) -> Option<Vec<u8>> {
        let size = self.state_bytes(sequence);
        let mut state = vec![0; size];
        // SAFETY: the context is valid, and there is room for as many bytes as are named.
        let written =
            unsafe { sys::llama_state_seq_get_data(self.raw.as_ptr(), state.as_mut_ptr(), size, sequence.0) };
        state.truncate(written);
        (written > 0).then_some(state)
    }

    /// Puts a state that `save` gave into a sequence, which is empty; whether there was room for it.
    pub(super) fn restore(&mut self, sequence: Sequence, state: &[u8]) -> bool {
        // SAFETY: the context is valid; the bytes are `save`'s, of a context of the same model and formats.
        let read = unsafe {
            sys::llama_state_seq_set_data(self.raw.as_ptr(), state.as_ptr(), state.len(), sequence.0)
        };
        if read == 0 {
            self.clear(sequence);
        }
        read > 0
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: the context was made by `llama_init_from_model`, is freed only here, and its model still lives.
        unsafe { sys::llama_free(self.raw.as_ptr()) };
    }
}

/// `llama_decode`'s code where the cache has no room for the batch (`llama.h`).
const NO_ROOM: i32 = 1;

/// Its code for a computation that its abort callback ended.
const ABORTED: i32 = 2;

/// llama.cpp asks between the steps of a computation whether to break it off.
unsafe extern "C" fn shall_abort(data: *mut c_void) -> bool {
    // SAFETY: `data` is the `StopFlag` that the parameters were given; the context holds an `Arc` of it.
    let stop = unsafe { &*data.cast::<StopFlag>() };
    stop.is_raised()
}

/// How many sequences a context holds, and how many rows of logits a batch gives at most.
pub(super) fn shape(options: &LoadOptions, recurrent: bool) -> (u32, u32) {
    // A recurrent model has a whole state per sequence, so that none is kept for later.
    let sequences = options.parallel_slots + if recurrent { 0 } else { KEPT_SEQUENCES };
    (
        sequences,
        sequences.max(options.parallel_slots + GUESSED_ROWS as u32),
    )
}
