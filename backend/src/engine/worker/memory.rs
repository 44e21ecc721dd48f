//! The KV cache of a context, and behind it the store on the disk: what is evicted there can come back from here.

use std::sync::Arc;

use llama_cpp_2::token::LlamaToken;

use super::batch::Sequence;
use super::cache::Memory;
use super::context::Context;
use super::kv_store::{Chat, KvStore};

/// Tokens of a text that is worth a file: reading fewer again takes no time that a person notices.
const WORTH_KEEPING: usize = 256;

/// Bytes of a state that is read from the disk in next to no time.
const READ_AT_ONCE: usize = 128 << 20;

/// A context and its store.
pub(super) struct KvMemory<'model> {
    pub(super) context: Context<'model>,
    store: Option<KvStore>,
}

impl<'model> KvMemory<'model> {
    /// `store` is `None` where nothing is to be kept on the disk.
    pub(super) fn new(context: Context<'model>, store: Option<KvStore>) -> Self {
        Self { context, store }
    }

    /// The text on the disk that has most in common with the beginning of a prompt, and how much.
    pub(super) fn longest_stored(&self, prompt: &[LlamaToken]) -> Option<(usize, Arc<[LlamaToken]>)> {
        let (common, text) = self.store.as_ref()?.longest_beginning(prompt)?;
        // What cannot be cut serves only as a whole.
        let serves = self.context.can_cut() || common == text.len();
        serves.then_some((common, text))
    }

    /// The state of a text from the disk; `None` where it is damaged or gone.
    pub(super) fn read(&mut self, text: &Arc<[LlamaToken]>) -> Option<Arc<Vec<u8>>> {
        self.store.as_mut()?.read(text)
    }

    /// Keeps a chat's text on the disk; whether it had to be done. What belongs to no chat is not kept.
    pub(super) fn save(&mut self, sequence: Sequence, tokens: &[LlamaToken], chat: Option<Chat>) -> bool {
        let (Some(store), Some(chat)) = (&mut self.store, chat) else {
            return false;
        };
        if tokens.len() < WORTH_KEEPING || store.holds(tokens) {
            return false;
        }
        if let Some(state) = self.context.save(sequence) {
            store.keep(chat, tokens, state);
        }
        true
    }

    /// Forgets what the store keeps of a chat.
    pub(super) fn forget(&mut self, chat: Chat) {
        if let Some(store) = &mut self.store {
            store.forget(chat);
        }
    }

    /// Waits until all that is to be kept is on the disk.
    pub(super) fn close(&mut self) {
        if let Some(store) = &mut self.store {
            store.close();
        }
    }
}

impl Memory for KvMemory<'_> {
    fn copy(&mut self, from: Sequence, to: Sequence, tokens: usize) {
        self.context.copy(from, to, tokens);
    }

    fn cut(&mut self, sequence: Sequence, keep: usize) {
        self.context.cut(sequence, keep);
    }

    fn clear(&mut self, sequence: Sequence) {
        self.context.clear(sequence);
    }

    fn evict(&mut self, sequence: Sequence, tokens: &[LlamaToken], chat: Option<Chat>) {
        self.save(sequence, tokens, chat);
        self.context.clear(sequence);
    }

    fn count(&self, sequence: Sequence) -> usize {
        self.context.count(sequence)
    }

    fn comes_back(&self, sequence: Sequence, tokens: &[LlamaToken]) -> bool {
        let is_kept = |store: &KvStore| store.holds(tokens);
        tokens.len() < WORTH_KEEPING
            || (self.store.as_ref().is_some_and(is_kept)
                && self.context.state_bytes(sequence) <= READ_AT_ONCE)
    }
}
