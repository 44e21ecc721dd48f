//! Writes a tiny llama model with random weights: about 1 MB, loads in milliseconds, and answers depend on the
//! whole prompt.
//!
//! The vocabulary holds single bytes, a space and ChatML's control tokens. Weights come from a fixed seed. Only
//! printable ASCII characters have output weights; all else has logit 0, so that greedy answers are readable and
//! never end by themselves.

use std::path::Path;

/// GGUF's value types (`ggml/docs/gguf.md`).
const U32: u32 = 4;
const I32: u32 = 5;
const F32: u32 = 6;
const STRING: u32 = 8;
const ARRAY: u32 = 9;
/// ggml's tensor type for 32-bit floats.
const TENSOR_F32: u32 = 0;
const ALIGNMENT: usize = 32;

/// llama.cpp's type of a token of text.
pub const NORMAL: i32 = 1;
/// Of the token for what has none.
pub const UNKNOWN: i32 = 2;
/// Of a control token.
pub const CONTROL: i32 = 3;
const BYTE: i32 = 6;

const EMBEDDING: usize = 64;
const HEADS: u32 = 4;
const KV_HEADS: u32 = 2;
const FEED_FORWARD: usize = 192;
const LAYERS: usize = 4;

/// First of the 256 byte tokens; before it stand `<unk>`, `<s>` and `</s>`.
const FIRST_BYTE: usize = 3;

/// The template it has unless it is told otherwise.
pub const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
                      {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/// The tokens around a gap, with which llama.cpp knows them (`llama-vocab.cpp`).
const GAP_TOKENS: [&str; 5] = [
    "<|fim_prefix|>",
    "<|fim_suffix|>",
    "<|fim_middle|>",
    "<|repo_name|>",
    "<|file_sep|>",
];

/// What the model shall be like.
#[derive(Debug, Clone)]
pub struct Tiny {
    /// Tokens of context it claims to be trained for.
    pub trained_context: u32,
    /// Its chat template; `None` leaves it out.
    pub template: Option<String>,
    /// Whether `<s>` stands before every text; `None` does not say it, which means yes.
    pub adds_first_token: Option<bool>,
    /// Whether its vocabulary has the tokens around a gap that is to be filled.
    pub fills_gaps: bool,
    /// Seed of its weights.
    pub seed: u64,
}

impl Default for Tiny {
    fn default() -> Self {
        Self {
            trained_context: 8192,
            template: Some(CHATML.to_owned()),
            adds_first_token: None,
            fills_gaps: false,
            seed: 1,
        }
    }
}

impl Tiny {
    /// Writes the file.
    pub fn write(&self, path: &Path) {
        std::fs::write(path, self.bytes()).expect("the model is written");
    }

    /// The whole file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut vocabulary = vocabulary();
        if self.fills_gaps {
            let token = |text: &&str| ((*text).to_owned(), 0.0, CONTROL);
            vocabulary.extend(GAP_TOKENS.iter().map(token));
        }
        file(self.metadata(&vocabulary), &self.tensors(vocabulary.len()))
    }

    fn metadata(&self, vocabulary: &[(String, f32, i32)]) -> Vec<(&'static str, Bytes)> {
        let mut metadata = vec![
            ("general.architecture", Bytes::string("llama")),
            ("general.name", Bytes::string("Tiny")),
            ("llama.context_length", Bytes::number(self.trained_context)),
            ("llama.embedding_length", Bytes::number(EMBEDDING as u32)),
            ("llama.block_count", Bytes::number(LAYERS as u32)),
            ("llama.feed_forward_length", Bytes::number(FEED_FORWARD as u32)),
            ("llama.attention.head_count", Bytes::number(HEADS)),
            ("llama.attention.head_count_kv", Bytes::number(KV_HEADS)),
            (
                "llama.rope.dimension_count",
                Bytes::number(EMBEDDING as u32 / HEADS),
            ),
            ("llama.attention.layer_norm_rms_epsilon", Bytes::float(1e-5)),
            ("tokenizer.ggml.model", Bytes::string("llama")),
            ("tokenizer.ggml.tokens", {
                let texts = vocabulary.iter().map(|(text, ..)| text.as_str());
                Bytes::strings(texts)
            }),
            ("tokenizer.ggml.scores", {
                let mut value = Bytes::array(F32, vocabulary.len());
                let scores = vocabulary.iter().flat_map(|(_, score, _)| score.to_le_bytes());
                value.0.extend(scores);
                value
            }),
            ("tokenizer.ggml.token_type", {
                Bytes::numbers(vocabulary.iter().map(|(.., kind)| *kind))
            }),
            ("tokenizer.ggml.unknown_token_id", Bytes::number(0)),
            ("tokenizer.ggml.bos_token_id", Bytes::number(1)),
            ("tokenizer.ggml.eos_token_id", Bytes::number(2)),
            ("tokenizer.ggml.add_space_prefix", Bytes::switch(false)),
        ];
        if let Some(template) = &self.template {
            metadata.push(("tokenizer.chat_template", Bytes::string(template)));
        }
        if let Some(adds) = self.adds_first_token {
            metadata.push(("tokenizer.ggml.add_bos_token", Bytes::switch(adds)));
        }
        metadata
    }

    fn tensors(&self, vocabulary: usize) -> Vec<Tensor> {
        let mut random = Random(self.seed);
        let kv = EMBEDDING / HEADS as usize * KV_HEADS as usize;
        let mut tensors = vec![
            Tensor::random("token_embd.weight", &[EMBEDDING, vocabulary], 1.0, &mut random),
            Tensor::ones("output_norm.weight", EMBEDDING),
        ];
        let mut output = Tensor::random("output.weight", &[EMBEDDING, vocabulary], 1.0, &mut random);
        for (token, weights) in output.values.chunks_mut(EMBEDDING).enumerate() {
            let byte = token
                .checked_sub(FIRST_BYTE)
                .and_then(|byte| u8::try_from(byte).ok());
            if !byte.is_some_and(|byte| byte.is_ascii_graphic()) {
                weights.fill(0.0);
            }
        }
        tensors.push(output);
        // Wide enough that each layer changes the result, narrow enough that nothing overflows.
        let width = 1.5 / (EMBEDDING as f32).sqrt();
        for layer in 0..LAYERS {
            let mut matrix = |name: &str, shape: &[usize]| {
                Tensor::random(&format!("blk.{layer}.{name}.weight"), shape, width, &mut random)
            };
            tensors.extend([
                matrix("attn_q", &[EMBEDDING, EMBEDDING]),
                matrix("attn_k", &[EMBEDDING, kv]),
                matrix("attn_v", &[EMBEDDING, kv]),
                matrix("attn_output", &[EMBEDDING, EMBEDDING]),
                matrix("ffn_gate", &[EMBEDDING, FEED_FORWARD]),
                matrix("ffn_up", &[EMBEDDING, FEED_FORWARD]),
                matrix("ffn_down", &[FEED_FORWARD, EMBEDDING]),
            ]);
            tensors.extend([
                Tensor::ones(&format!("blk.{layer}.attn_norm.weight"), EMBEDDING),
                Tensor::ones(&format!("blk.{layer}.ffn_norm.weight"), EMBEDDING),
            ]);
        }
        tensors
    }
}

/// A GGUF file of version 3 with this in it.
pub fn file(metadata: Vec<(&'static str, Bytes)>, tensors: &[Tensor]) -> Vec<u8> {
    let mut file = Bytes::default();
    file.0.extend(b"GGUF");
    file.u32(3);
    file.u64(tensors.len() as u64);
    file.u64(metadata.len() as u64);
    for (key, value) in metadata {
        file.text(key);
        file.0.extend(value.0);
    }
    let mut offset = 0;
    for tensor in tensors {
        file.text(&tensor.name);
        file.u32(tensor.shape.len() as u32);
        for length in &tensor.shape {
            file.u64(*length as u64);
        }
        file.u32(TENSOR_F32);
        file.u64(offset as u64);
        offset += (tensor.values.len() * 4).next_multiple_of(ALIGNMENT);
    }
    for tensor in tensors {
        file.pad();
        file.0
            .extend(tensor.values.iter().flat_map(|value| value.to_le_bytes()));
    }
    file.pad();
    file.0
}

/// Text, score and type of each token.
fn vocabulary() -> Vec<(String, f32, i32)> {
    let mut tokens = vec![
        ("<unk>".to_owned(), 0.0, UNKNOWN),
        ("<s>".to_owned(), 0.0, CONTROL),
        ("</s>".to_owned(), 0.0, CONTROL),
    ];
    tokens.extend((0..=255).map(|byte| (format!("<0x{byte:02X}>"), 0.0, BYTE)));
    tokens.extend([
        ("\u{2581}".to_owned(), -1.0, NORMAL),
        ("<|im_start|>".to_owned(), 0.0, CONTROL),
        ("<|im_end|>".to_owned(), 0.0, CONTROL),
    ]);
    tokens
}

/// A tensor of 32-bit floats.
pub struct Tensor {
    name: String,
    shape: Vec<usize>,
    values: Vec<f32>,
}

impl Tensor {
    /// Numbers from -`width` to `width`.
    pub fn random(name: &str, shape: &[usize], width: f32, random: &mut Random) -> Self {
        let count = shape.iter().product();
        Self {
            name: name.to_owned(),
            shape: shape.to_vec(),
            values: (0..count).map(|_| random.next() * width).collect(),
        }
    }

    /// A vector of ones.
    pub fn ones(name: &str, length: usize) -> Self {
        Self {
            name: name.to_owned(),
            shape: vec![length],
            values: vec![1.0; length],
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014) from a seed.
pub struct Random(pub u64);

impl Random {
    /// A number from -1 to 1.
    fn next(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }
}

/// A value of the metadata as it stands in the file.
#[derive(Default)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    fn u32(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn pad(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(ALIGNMENT), 0);
    }

    /// A whole number.
    pub fn number(number: u32) -> Self {
        let mut value = Self::default();
        value.u32(U32);
        value.u32(number);
        value
    }

    /// A truth value.
    pub fn switch(on: bool) -> Self {
        /// GGUF's type of a truth value.
        const BOOL: u32 = 7;
        let mut value = Self::default();
        value.u32(BOOL);
        value.0.push(u8::from(on));
        value
    }

    /// A text.
    pub fn string(text: &str) -> Self {
        let mut value = Self::default();
        value.u32(STRING);
        value.text(text);
        value
    }

    /// A number of 32 bits.
    pub fn float(number: f32) -> Self {
        let mut value = Self::default();
        value.u32(F32);
        value.0.extend(number.to_le_bytes());
        value
    }

    /// An array of texts.
    pub fn strings<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let mut value = Self::array(STRING, texts.len());
        texts.for_each(|text| value.text(text));
        value
    }

    /// An array of whole numbers.
    pub fn numbers(numbers: impl ExactSizeIterator<Item = i32>) -> Self {
        let mut value = Self::array(I32, numbers.len());
        value.0.extend(numbers.flat_map(i32::to_le_bytes));
        value
    }

    /// The head of an array; its elements are to follow.
    fn array(kind: u32, length: usize) -> Self {
        let mut value = Self::default();
        value.u32(ARRAY);
        value.u32(kind);
        value.u64(length as u64);
        value
    }
}
