//! Models in memory: how to load one, what is loaded, on which devices.

mod slot;
mod usage;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{ByteSize, Error, FileId, LoadedId, Result, RunEvent};

pub use slot::{SlotAction, SlotDone, SlotState};
pub use usage::{Usage, UsageEvent};

/// Most requests that are answered at once.
const MAX_SLOTS: u32 = 64;

/// Most threads llama.cpp computes with (`GGML_MAX_N_THREADS`).
const MAX_THREADS: u32 = 512;

/// Most texts that end an answer, and the longest of them in bytes.
const MAX_REVERSE_PROMPTS: usize = 16;
const MAX_REVERSE_PROMPT: usize = 256;

/// Chat templates that are built in, by the names of the formats they write.
pub const BUILT_IN_TEMPLATES: [&str; 11] = [
    "chatml",
    "deepseek-r1",
    "gemma",
    "gemma4",
    "glm4",
    "granite",
    "harmony",
    "llama-3",
    "mistral",
    "phi-4",
    "phi-4-mini",
];

/// Which model is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelRef {
    /// A file of the library.
    File(FileId),
    /// What a person typed: a file id, a file name with or without its ending, or a display name.
    /// Upper and lower case are the same.
    Name(String),
    /// A GGUF file anywhere on the disk.
    Path(PathBuf),
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(id) => id.fmt(f),
            Self::Name(name) => name.fmt(f),
            Self::Path(path) => path.display().fmt(f),
        }
    }
}

/// How to load a model. The defaults let the engine choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadOptions {
    /// Tokens the context holds.
    pub context_length: ContextLength,
    /// Layers kept on the GPU.
    pub gpu_layers: GpuLayers,
    /// Devices to use, by name; empty means all.
    pub devices: Vec<String>,
    /// How a model is split over several devices.
    pub split_mode: SplitMode,
    /// Share of each device, in the order of `devices`; empty splits by free memory.
    pub tensor_split: Vec<f32>,
    /// Threads for generating and for reading; `None` takes the physical cores.
    pub threads: Option<u32>,
    /// Tokens per logical batch, 1 or more.
    pub batch_size: u32,
    /// Tokens per physical batch, at most `batch_size`.
    pub micro_batch_size: u32,
    /// Flash attention.
    pub flash_attention: FlashAttention,
    /// Number format of the K cache.
    pub kv_type_k: KvType,
    /// Number format of the V cache; a quantised one needs flash attention.
    pub kv_type_v: KvType,
    /// Keep the KV cache in main memory.
    pub kv_on_cpu: bool,
    /// Map the file instead of reading it.
    pub mmap: bool,
    /// Keep the model from being swapped out.
    pub mlock: bool,
    /// Stretching of the positions; `None` takes the model's own.
    pub rope: Option<RopeOptions>,
    /// Layers whose experts stay in main memory, for mixture-of-experts models.
    pub moe_layers_on_cpu: u32,
    /// Requests that are answered at once and share the context, 1 to 64.
    pub parallel_slots: u32,
    /// Seed of answers that bring none; `None` takes a fresh one for each.
    pub seed: Option<u32>,
    /// LoRA adapters on top of the model.
    pub lora: Vec<LoraAdapter>,
    /// A chat template in the place of the file's own (Jinja), or one of [`BUILT_IN_TEMPLATES`] by name; `None` takes
    /// the file's, else the one that the catalogue knows for the model.
    pub chat_template: Option<String>,
    /// Texts that end an answer, besides those of each request and the tokens that the model itself ends with.
    pub reverse_prompts: Vec<String>,
    /// Guess tokens ahead from what stands in the text already (n-gram speculation), for as long as it pays.
    pub ngram_speculation: bool,
}

/// Tokens the context holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextLength {
    /// What fits this machine, up to what the model was trained for.
    #[default]
    Auto,
    /// This many, 16 or more.
    Tokens(u32),
}

/// Layers kept on the GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GpuLayers {
    /// As many as fit.
    #[default]
    Auto,
    /// This many; 0 computes on the CPU.
    Count(u32),
    /// All of them.
    All,
}

/// How a model is split over several devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitMode {
    /// One device only.
    None,
    /// Whole layers.
    #[default]
    Layer,
    /// Rows of the weights.
    Row,
}

/// Flash attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlashAttention {
    /// Where the device has it.
    #[default]
    Auto,
    /// On.
    On,
    /// Off.
    Off,
}

/// Number format of the KV cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KvType {
    /// 32-bit float.
    F32,
    /// 16-bit float.
    #[default]
    F16,
    /// 16-bit brain float.
    Bf16,
    /// 8 bits with a scale per block of 32.
    Q8_0,
    /// 5 bits with a scale per block of 32.
    Q5_0,
    /// 5 bits with scale and offset per block of 32.
    Q5_1,
    /// 4 bits with a scale per block of 32.
    Q4_0,
    /// 4 bits with scale and offset per block of 32.
    Q4_1,
}

impl KvType {
    /// Whether the format is a quantised one.
    pub fn is_quantised(self) -> bool {
        !matches!(self, Self::F32 | Self::F16 | Self::Bf16)
    }
}

/// Stretching of the positions beyond the trained context.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RopeOptions {
    /// The method.
    pub scaling: RopeScaling,
    /// Base frequency; 0 takes the model's own.
    #[serde(default)]
    pub freq_base: f32,
    /// Frequency scale; 0 takes the model's own.
    #[serde(default)]
    pub freq_scale: f32,
    /// Context the model was trained for, for YaRN; 0 takes the model's own.
    #[serde(default)]
    pub yarn_original_context: u32,
}

/// Methods of stretching positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RopeScaling {
    /// None at all.
    None,
    /// Linear.
    Linear,
    /// YaRN (arXiv 2309.00071).
    Yarn,
}

/// A LoRA adapter and its strength.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoraAdapter {
    /// The adapter's GGUF file.
    pub path: PathBuf,
    /// Strength; 1 is as trained.
    pub scale: f32,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            context_length: ContextLength::Auto,
            gpu_layers: GpuLayers::Auto,
            devices: Vec::new(),
            split_mode: SplitMode::Layer,
            tensor_split: Vec::new(),
            threads: None,
            batch_size: 2048,
            micro_batch_size: 512,
            flash_attention: FlashAttention::Auto,
            kv_type_k: KvType::F16,
            kv_type_v: KvType::F16,
            kv_on_cpu: false,
            mmap: true,
            mlock: false,
            rope: None,
            moe_layers_on_cpu: 0,
            parallel_slots: 4,
            seed: None,
            lora: Vec::new(),
            chat_template: None,
            reverse_prompts: Vec::new(),
            ngram_speculation: true,
        }
    }
}

impl LoadOptions {
    /// Checks every field and the combinations llama.cpp cannot do.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong.
    pub fn validate(&self) -> Result<()> {
        if matches!(self.context_length, ContextLength::Tokens(tokens) if tokens < 16) {
            return Err(Error::invalid("context_length", "must be 16 tokens or more"));
        }
        if self
            .threads
            .is_some_and(|threads| !(1..=MAX_THREADS).contains(&threads))
        {
            return Err(Error::invalid(
                "threads",
                format!("must be from 1 to {MAX_THREADS}"),
            ));
        }
        if self.batch_size == 0 {
            return Err(Error::invalid("batch_size", "must be 1 or more"));
        }
        if self.micro_batch_size == 0 || self.micro_batch_size > self.batch_size {
            return Err(Error::invalid("micro_batch_size", "must be from 1 to batch_size"));
        }
        if !(1..=MAX_SLOTS).contains(&self.parallel_slots) {
            return Err(Error::invalid(
                "parallel_slots",
                format!("must be from 1 to {MAX_SLOTS}"),
            ));
        }
        if self.kv_type_v.is_quantised() && self.flash_attention == FlashAttention::Off {
            return Err(Error::invalid(
                "kv_type_v",
                "is quantised, which needs flash attention",
            ));
        }
        if self
            .tensor_split
            .iter()
            .any(|share| !share.is_finite() || *share < 0.0)
        {
            return Err(Error::invalid("tensor_split", "must hold shares of 0 or more"));
        }
        let (shares, devices) = (self.tensor_split.len(), self.devices.len());
        if devices > 0 && shares > devices {
            return Err(Error::invalid(
                "tensor_split",
                format!("has {shares} shares for {devices} devices"),
            ));
        }
        if shares > 0 && self.tensor_split.iter().all(|share| *share == 0.0) {
            return Err(Error::invalid(
                "tensor_split",
                "must give at least one device a share",
            ));
        }
        let sound = |number: f32| number.is_finite() && number >= 0.0;
        if self
            .rope
            .is_some_and(|rope| !sound(rope.freq_base) || !sound(rope.freq_scale))
        {
            return Err(Error::invalid("rope", "must have frequencies of 0 or more"));
        }
        if self.lora.iter().any(|adapter| !adapter.scale.is_finite()) {
            return Err(Error::invalid("lora", "must have a finite scale"));
        }
        let is_template = |text: &str| {
            text.contains('{')
                || BUILT_IN_TEMPLATES
                    .iter()
                    .any(|name| text.trim().eq_ignore_ascii_case(name))
        };
        if self
            .chat_template
            .as_deref()
            .is_some_and(|text| !is_template(text))
        {
            return Err(Error::invalid(
                "chat_template",
                format!("must be Jinja, or one of {}", BUILT_IN_TEMPLATES.join(", ")),
            ));
        }
        let is_odd = |text: &String| text.is_empty() || text.len() > MAX_REVERSE_PROMPT;
        if self.reverse_prompts.len() > MAX_REVERSE_PROMPTS || self.reverse_prompts.iter().any(is_odd) {
            return Err(Error::invalid(
                "reverse_prompts",
                format!("must be {MAX_REVERSE_PROMPTS} at most, of 1 to {MAX_REVERSE_PROMPT} bytes each"),
            ));
        }
        Ok(())
    }
}

/// A model to bring into memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadRequest {
    /// The model.
    pub model: ModelRef,
    /// How; `None` takes what is remembered for the model, else the settings' defaults.
    pub options: Option<LoadOptions>,
    /// Load anyway: neither refused nor kept waiting for want of memory.
    pub force: bool,
    /// How long it stays in memory.
    pub keep: KeepLoaded,
}

/// How long a model that nobody asks any more stays in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeepLoaded {
    /// As it was said before, else as the settings say; for good where it was loaded by hand.
    #[default]
    Default,
    /// Until it is ejected.
    Always,
    /// This many seconds after the last answer; 0 ejects it at once.
    Seconds(u32),
}

/// What happens while a model loads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadEvent {
    /// It has begun; the file is known now.
    Started {
        /// The model's display name.
        name: String,
        /// Size of the file.
        size: ByteSize,
    },
    /// Share done, 0.0 to 1.0, never falling.
    Progress(f32),
    /// It is in memory.
    Loaded(LoadedModel),
    /// It is not.
    Failed(Error),
}

impl RunEvent for LoadEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Loaded(_) | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A model in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// Names this stay in memory.
    pub id: LoadedId,
    /// The file, for a model loaded by path its path as text.
    pub file: FileId,
    /// Display name.
    pub name: String,
    /// Quantisation, such as `Q4_1`; `None` where unknown.
    pub quantisation: Option<String>,
    /// Size of the file.
    pub size: ByteSize,
    /// Tokens the context holds.
    pub context_length: u32,
    /// Whether the file brings a chat template; without one the model completes plain text.
    pub has_chat_template: bool,
    /// Layers on the GPU and layers in all.
    pub gpu_layers: (u32, u32),
    /// Requests that are answered at once; they share the context.
    #[serde(default)]
    pub slots: u32,
    /// Threads it computes with.
    pub threads: u32,
    /// Process of its worker.
    pub process: u32,
    /// What it does now.
    pub activity: Activity,
    /// Seconds without work after which it leaves memory; `None` stays until it is ejected, or until another model needs
    /// its memory.
    #[serde(default)]
    pub time_to_live: Option<u32>,
    /// What a person should know of how it was loaded, in whole sentences: such as that the processor computes, since
    /// the graphics card has no driver.
    #[serde(default)]
    pub notices: Vec<String>,
}

impl LoadedModel {
    /// How long it stays, in words: `stays`, `goes after 1 h 30 min unused`, `goes when unused`.
    pub fn stay(&self) -> String {
        stay(self.time_to_live)
    }
}

fn stay(time_to_live: Option<u32>) -> String {
    const UNITS: [(u32, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let Some(mut seconds) = time_to_live else {
        return "stays".into();
    };
    let mut parts = Vec::new();
    for (unit, name) in UNITS {
        if seconds >= unit {
            parts.push(format!("{} {name}", seconds / unit));
            seconds %= unit;
        }
    }
    match parts.is_empty() {
        true => "goes when unused".into(),
        false => format!("goes after {} unused", parts.join(" ")),
    }
}

/// What a loaded model does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Nothing.
    Idle,
    /// It reads a prompt, writes an answer or embeds texts.
    Generating,
}

/// News of the models in memory, for whoever shows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineEvent {
    /// All loaded models, after each change.
    Loaded(Vec<LoadedModel>),
    /// The engine has ended; no more news.
    Closed(Error),
}

impl RunEvent for EngineEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}

/// Something that computes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// llama.cpp's name, such as `Vulkan0`.
    pub name: String,
    /// What it is, such as `NVIDIA GeForce RTX 4070`.
    pub description: String,
    /// Its kind.
    pub kind: DeviceKind,
    /// Memory in all; `None` where unknown.
    pub memory_total: Option<ByteSize>,
    /// Memory free now; `None` where unknown.
    pub memory_free: Option<ByteSize>,
}

/// Kinds of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// The processor.
    Cpu,
    /// A graphics card with memory of its own.
    Gpu,
    /// Graphics that share the main memory.
    IntegratedGpu,
    /// Another accelerator.
    Accelerator,
}

/// What is known of what a load would take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EstimateEvent {
    /// By a formula, from the file's header, within a tenth of the truth for models of usual make. Comes at once, and not
    /// at all for those of which it does not hold.
    Rough(MemoryEstimate),
    /// As llama.cpp counts it.
    Exact(MemoryEstimate),
    /// It cannot be told.
    Failed(Error),
}

impl RunEvent for EstimateEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Exact(_) | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What a load would take, before it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEstimate {
    /// Tokens the context would hold.
    pub context_length: u32,
    /// Layers that would be on the GPU and layers in all, the output layer counted.
    pub gpu_layers: (u32, u32),
    /// One row per device.
    pub devices: Vec<DeviceEstimate>,
    /// Whether it fits; `None` where it cannot be known.
    pub fits: Option<bool>,
}

/// What a load would take on one device. `None` is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceEstimate {
    /// The device's name.
    pub device: String,
    /// The weights.
    pub weights: Option<ByteSize>,
    /// The KV cache at the wanted context and formats.
    pub kv_cache: Option<ByteSize>,
    /// Buffers for computing.
    pub compute: Option<ByteSize>,
    /// Free now.
    pub free: Option<ByteSize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(change: impl FnOnce(&mut LoadOptions)) -> Option<String> {
        let mut options = LoadOptions::default();
        change(&mut options);
        options.validate().err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_not_possible_together_is_refused_with_the_reason() {
        let split = |devices: usize, shares: &[f32]| {
            refusal(|options| {
                options.devices = vec!["Vulkan0".into(); devices];
                options.tensor_split = shares.to_vec();
            })
        };
        let v_cache = |flash_attention| {
            refusal(|options| {
                options.kv_type_v = KvType::Q8_0;
                options.flash_attention = flash_attention;
            })
        };
        let cases = [
            (refusal(|_| ()), None),
            (v_cache(FlashAttention::Auto), None),
            (
                v_cache(FlashAttention::Off),
                Some("kv_type_v is quantised, which needs flash attention."),
            ),
            (
                refusal(|options| options.micro_batch_size = options.batch_size + 1),
                Some("micro_batch_size must be from 1 to batch_size."),
            ),
            (split(2, &[1.0, 1.0]), None),
            // Without devices the shares are those of all there are.
            (split(0, &[1.0, 1.0, 1.0]), None),
            (
                split(2, &[1.0, 1.0, 1.0]),
                Some("tensor_split has 3 shares for 2 devices."),
            ),
            (
                split(0, &[0.0]),
                Some("tensor_split must give at least one device a share."),
            ),
        ];
        for (refusal, expected) in cases {
            assert_eq!(refusal.as_deref(), expected);
        }
    }

    #[test]
    fn a_chat_template_is_jinja_or_has_a_known_name() {
        let with = |text: &str| refusal(|options| options.chat_template = Some(text.into())).is_none();
        assert!(with("{{ messages }}") && with("ChatML") && BUILT_IN_TEMPLATES.into_iter().all(with));
        assert!(!with("") && !with("chatmll"));
        let ends = |texts: Vec<String>| refusal(|options| options.reverse_prompts = texts).is_none();
        assert!(ends(vec!["<|im_end|>".into()]));
        assert!(!ends(vec![String::new()]) && !ends(vec!["x".repeat(257)]) && !ends(vec!["x".into(); 17]));
    }

    /// What JSON has no number for would cost all load options when the settings are read again.
    #[test]
    fn numbers_that_are_none_are_refused() {
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0] {
            let rope = RopeOptions {
                scaling: RopeScaling::Linear,
                freq_base: 0.0,
                freq_scale: 0.0,
                yarn_original_context: 0,
            };
            let adapter = LoraAdapter {
                path: "a.gguf".into(),
                scale: number,
            };
            let base = RopeOptions {
                freq_base: number,
                ..rope
            };
            let scale = RopeOptions {
                freq_scale: number,
                ..rope
            };
            let mut cases = vec![
                LoadOptions {
                    rope: Some(base),
                    ..LoadOptions::default()
                },
                LoadOptions {
                    rope: Some(scale),
                    ..LoadOptions::default()
                },
                LoadOptions {
                    tensor_split: vec![number],
                    ..LoadOptions::default()
                },
            ];
            // An adapter may be taken away from the model.
            if !number.is_finite() {
                cases.push(LoadOptions {
                    lora: vec![adapter],
                    ..LoadOptions::default()
                });
            }
            for options in cases {
                assert!(options.validate().is_err(), "{options:?}");
            }
        }
    }

    #[test]
    fn how_long_a_model_stays_is_told_in_words() {
        for (seconds, words) in [
            (None, "stays"),
            (Some(0), "goes when unused"),
            (Some(45), "goes after 45 s unused"),
            (Some(300), "goes after 5 min unused"),
            (Some(5_400), "goes after 1 h 30 min unused"),
            (Some(604_800), "goes after 7 d unused"),
        ] {
            assert_eq!(stay(seconds), words);
        }
    }

    /// Ten thousand threads were once started, and the machine stood still.
    #[test]
    fn threads_have_a_limit() {
        for (threads, valid) in [(0, false), (1, true), (512, true), (513, false), (10_000, false)] {
            let options = LoadOptions {
                threads: Some(threads),
                ..LoadOptions::default()
            };
            assert_eq!(options.validate().is_ok(), valid, "{threads}");
        }
    }
}
