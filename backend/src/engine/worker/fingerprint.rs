//! What the numbers of a KV state depend on, as one number: a state is of use only where all of it is the same.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use hearth_protocol::engine::LoadOptions;
use sha2::{Digest, Sha256};

use super::kv_store::Fingerprint;

/// llama.cpp's build. A newer one may lay its states out otherwise.
const LLAMA_CPP: &str = "b11434";

/// Bytes of a model that are looked at: its whole header, for most, and samples over the weights. Reading all of many
/// gigabytes would take longer than what a state saves.
const HEAD: u64 = 16 << 20;
const SAMPLE: u64 = 64 << 10;
const SAMPLES: u64 = 64;

/// The fingerprint of a model loaded in this way.
///
/// # Errors
/// Where one of the files cannot be read.
pub(super) fn fingerprint(model: &Path, options: &LoadOptions) -> io::Result<Fingerprint> {
    let mut hash = Sha256::new();
    hash.update(LLAMA_CPP);
    add_file(&mut hash, model)?;
    let positions = options.rope;
    hash.update(format!(
        "{:?} {:?} {positions:?} {:?}",
        options.kv_type_k, options.kv_type_v, options.flash_attention
    ));
    for adapter in &options.lora {
        add_file(&mut hash, &adapter.path)?;
        hash.update(adapter.scale.to_le_bytes());
    }
    Ok(hash.finalize().into())
}

fn add_file(hash: &mut Sha256, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    hash.update(length.to_le_bytes());
    add_bytes(hash, &mut file, 0, HEAD)?;
    let rest = length.saturating_sub(HEAD);
    for sample in 0..SAMPLES {
        let place = HEAD + rest / SAMPLES * sample;
        add_bytes(hash, &mut file, place, SAMPLE)?;
    }
    add_bytes(hash, &mut file, length.saturating_sub(SAMPLE), SAMPLE)
}

/// Adds at most so many bytes from a place on.
fn add_bytes(hash: &mut Sha256, file: &mut File, place: u64, count: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    hash.update(&bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::{KvType, LoraAdapter, RopeOptions, RopeScaling};

    use super::*;

    #[test]
    fn everything_the_numbers_depend_on_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let (model, adapter) = (folder.path().join("m"), folder.path().join("a"));
        std::fs::write(&model, vec![7; 100_000]).expect("write");
        std::fs::write(&adapter, "adapter").expect("write");
        let of = |change: &dyn Fn(&mut LoadOptions)| {
            let mut options = LoadOptions::default();
            change(&mut options);
            fingerprint(&model, &options).expect("read")
        };
        let same = of(&|_| ());
        assert_eq!(
            of(&|options| options.threads = Some(9)),
            same,
            "the threads do not"
        );
        let lora = |scale| LoraAdapter {
            path: adapter.clone(),
            scale,
        };
        let others = [
            of(&|options| options.kv_type_k = KvType::Q8_0),
            of(&|options| options.kv_type_v = KvType::F32),
            of(&|options| {
                options.rope = Some(RopeOptions {
                    scaling: RopeScaling::Linear,
                    freq_base: 0.0,
                    freq_scale: 0.5,
                    yarn_original_context: 0,
                });
            }),
            of(&|options| options.lora = vec![lora(1.0)]),
            of(&|options| options.lora = vec![lora(0.5)]),
        ];
        for (place, other) in others.iter().enumerate() {
            assert!(*other != same && !others[..place].contains(other), "{place}");
        }
        let mut weights = vec![7; 100_000];
        weights[50_000] = 8;
        std::fs::write(&model, weights).expect("write");
        assert_ne!(of(&|_| ()), same, "another model");
    }
}
