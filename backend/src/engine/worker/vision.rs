//! Why a model that is given an image refuses it: no worker can see yet, whatever the model could.

use std::path::Path;

use crate::library::gguf::Gguf;

/// What a vision projector's file begins with (llama.cpp's converter names it so).
const PREFIX: &str = "mmproj";

/// The rest of the sentence that begins with the model's name.
pub(super) fn refusal(has_projector: bool) -> &'static str {
    if has_projector {
        "can see, but this version of Hearth cannot show it images yet; send the text alone"
    } else {
        "cannot see images; choose a model with vision, or send the text alone"
    }
}

/// Whether a vision projector for vectors of this width lies beside a model's file.
pub(super) fn has_projector(model: &Path, width: u32) -> bool {
    let Some(Ok(files)) = model.parent().map(std::fs::read_dir) else {
        return false;
    };
    files.flatten().any(|file| {
        let is_named_so = file.file_name().to_string_lossy().starts_with(PREFIX);
        is_named_so && projects_to(&file.path(), width)
    })
}

/// Whether this is a projector that makes vectors of this width out of images.
fn projects_to(path: &Path, width: u32) -> bool {
    Gguf::open(path).is_ok_and(|gguf| {
        gguf.text("general.architecture") == Some("clip")
            && gguf.number("clip.vision.projection_dim") == Some(width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A GGUF file of version 3 that holds nothing but these two facts.
    fn projector(width: u32) -> Vec<u8> {
        let mut file = b"GGUF\x03\0\0\0".to_vec();
        let text = |file: &mut Vec<u8>, text: &str| {
            file.extend((text.len() as u64).to_le_bytes());
            file.extend(text.as_bytes());
        };
        file.extend(0_u64.to_le_bytes());
        file.extend(2_u64.to_le_bytes());
        text(&mut file, "general.architecture");
        file.extend(8_u32.to_le_bytes());
        text(&mut file, "clip");
        text(&mut file, "clip.vision.projection_dim");
        file.extend(4_u32.to_le_bytes());
        file.extend(width.to_le_bytes());
        file.resize(file.len().next_multiple_of(32), 0);
        file
    }

    #[test]
    fn a_projector_counts_where_it_goes_with_the_model() {
        let folder = tempfile::tempdir().expect("a folder");
        let model = folder.path().join("model.gguf");
        assert!(!has_projector(&model, 64));
        std::fs::write(folder.path().join("mmproj-broken.gguf"), b"GGUF").expect("a file");
        std::fs::write(folder.path().join("other.gguf"), projector(64)).expect("a file");
        assert!(!has_projector(&model, 64));
        std::fs::write(folder.path().join("mmproj-F16.gguf"), projector(64)).expect("a file");
        assert!(has_projector(&model, 64));
        assert!(!has_projector(&model, 128), "it is another model's");
    }
}
