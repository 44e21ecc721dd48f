//! What files take on the disk.

use hearth_protocol::library::{Leftover, LeftoverKind, ModelUse, SourceUse};
use hearth_protocol::{ByteSize, UnixMillis};

use super::*;

#[tokio::test]
async fn bytes_with_several_names_count_once() {
    let fixture = Fixture::new();
    fixture.choose(&["mine"], &[]);
    let (whole, part) = (tiny_gguf().len() as u64, tiny_part(0, 2).len() as u64);
    let mine = fixture.write("mine/m.gguf", &tiny_gguf());
    fs::create_dir_all(fixture.path("lm-studio")).expect("a folder");
    fs::hard_link(&mine, fixture.path("lm-studio/again.gguf")).expect("linked");
    for number in 0..2 {
        fixture.write(
            &format!("models/p-{:05}-of-00002.gguf", number + 1),
            &tiny_part(number, 2),
        );
    }
    fixture.write("models/damaged.gguf", b"<html>");
    let projector = tiny_projector();
    fixture.write("models/mmproj.gguf", &projector);
    let leftover = Leftover {
        path: fixture.path("x"),
        size: ByteSize(7),
        kind: LeftoverKind::Orphan,
        source: Source::Hearth,
        modified_at: UnixMillis(0),
    };
    let used = fixture
        .library
        .disk_use(&[leftover.clone(), leftover])
        .await
        .expect("added up");
    let hearths = 2 * part + 6 + projector.len() as u64;
    assert_eq!(used.total, ByteSize(whole + hearths));
    let source = |source, models, size| SourceUse {
        source,
        models,
        size: ByteSize(size),
    };
    let sources = [
        source(Source::Hearth, 2, hearths),
        source(Source::Folder, 1, whole),
    ];
    assert_eq!(used.sources, sources);
    let model = |file: &str, size| ModelUse {
        file: file.into(),
        size: ByteSize(size),
    };
    assert_eq!(
        used.models,
        [
            model("hearth/p-00001-of-00002.gguf", 2 * part),
            model(&mine.display().to_string(), whole),
            model("hearth/damaged.gguf", 6),
        ]
    );
    assert_eq!(used.leftovers, ByteSize(14));
    assert!(used.free.is_some_and(|free| free.0 > 0));
}
