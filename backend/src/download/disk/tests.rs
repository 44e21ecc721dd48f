//! What the file of a download holds, against what its side file tells.

use hearth_protocol::DownloadId;
use hearth_protocol::download::DownloadRequest;
use hearth_protocol::settings::DownloadPlace;

use super::*;
use crate::download::side_file::{self, FileSet, Record, Stage};

/// Whatever comes next, a kill before anything is told included: once the file is as long as it will be, nothing but
/// the side file says which of its bytes are there.
#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_gone_are_told_of_no_more_before_the_file_has_its_length() {
    let bytes = vec![7_u8; 100];
    let mut hasher = Hasher::default();
    hasher.take(0, &bytes);
    // How long the file is that is found, and what is told of then.
    let cases = [
        (None, vec![], None),
        (Some(40), vec![(0, 40)], None),
        (Some(100), vec![(0, 100)], Some(hasher.save())),
    ];
    for (length, told, hashed) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let place = FilePlace {
            partial: folder.path().join("m.part"),
            whole: folder.path().join("m"),
            link: None,
            root: folder.path().to_owned(),
        };
        if let Some(length) = length {
            std::fs::write(&place.partial, &bytes[..length]).expect("written");
        }
        let request = DownloadRequest {
            model: "o/n".into(),
            file: None,
            revision: None,
        };
        let mut record = Record::new(DownloadId(1), 1, request, DownloadPlace::Folder);
        let file = FileRecord {
            path: "m".into(),
            size: 200,
            blob: "b".into(),
            sha256: Some("0".repeat(64)),
            have: vec![(0, 100)].into(),
            hashed: Some(hasher.save()),
            etag: None,
            stage: Stage::Fetching,
        };
        record.set = Some(FileSet {
            commit: "0".repeat(40),
            files: vec![file],
        });
        let side = SideFile::create(folder.path(), record).expect("written");
        let (disk, opened) = Disk::open(&place, &side, 0, &Arc::default()).expect("opens");
        assert_eq!(place.partial.metadata().expect("there").len(), 200);
        let written = side_file::read(&folder.path().join("1.json")).expect("read");
        let written = &written.set.expect("files").files[0];
        assert_eq!(written.have, told.into(), "{length:?}");
        assert_eq!(written.hashed, hashed, "{length:?}");
        assert_eq!(*written, opened, "{length:?}");
        disk.close().await.expect("closes");
    }
}

#[test]
fn a_disk_that_fills_up_says_what_is_needed_and_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.part");
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        let Error::DiskFull {
            needs,
            has,
            folder: named,
        } = words(&path, &kind.into(), 7_000)
        else {
            panic!("{kind}");
        };
        assert_eq!(needs.0, 7_000 + SPARE_ROOM);
        assert!(has.0 > 0);
        assert_eq!(Path::new(&named), folder.path());
    }
    let other = words(&path, &io::ErrorKind::PermissionDenied.into(), 7_000);
    assert!(matches!(other, Error::File { .. }), "{other}");
}
