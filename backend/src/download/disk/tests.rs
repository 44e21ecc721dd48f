//! What the file of a download holds, against what its side file tells.

use hearth_protocol::DownloadId;
use hearth_protocol::download::DownloadRequest;
use hearth_protocol::settings::DownloadPlace;

use super::*;
use crate::download::side_file::{self, FileSet, Record, Stage};

/// Whatever comes next, a kill before anything is told included: once the file bears the mark of this download, nothing
/// but its side file says which of its bytes are there.
#[tokio::test(flavor = "multi_thread")]
async fn only_bytes_of_a_file_with_the_own_mark_are_told_of() {
    let mut hasher = Hasher::default();
    hasher.take(0, &[7_u8; 100]);
    // The mark of the file that is found, and what is told of then.
    let cases = [
        ("there is no file", None, vec![], None),
        ("it bears no mark", Some(None), vec![], None),
        ("its own", Some(Some(1)), vec![(0, 100)], Some(hasher.save())),
        ("that of another of the list", Some(Some(2)), vec![(50, 60)], None),
        ("that of another file of that one", Some(Some(3)), vec![], None),
        ("a stranger's", Some(Some(4)), vec![], None),
    ];
    for (what, found, told, hashed) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let place = FilePlace {
            partial: folder.path().join("m.part"),
            whole: folder.path().join("m"),
            link: None,
            root: folder.path().to_owned(),
        };
        if let Some(mark) = found {
            std::fs::write(&place.partial, [7_u8; 200]).expect("written");
            let file = OpenOptions::new()
                .write(true)
                .open(&place.partial)
                .expect("opens");
            if let Some(mark) = mark {
                partial::put_mark(&file, 200, mark).expect("marked");
            }
        }
        let own = FileRecord {
            path: "m".into(),
            size: 200,
            blob: "b".into(),
            sha256: Some("0".repeat(64)),
            have: vec![(0, 100)].into(),
            hashed: Some(hasher.save()),
            etag: None,
            mark: Some(1),
            stage: Stage::Fetching,
        };
        let same = FileRecord {
            have: vec![(50, 60)].into(),
            hashed: None,
            mark: Some(2),
            ..own.clone()
        };
        let unlike = FileRecord {
            blob: "c".into(),
            mark: Some(3),
            ..own.clone()
        };
        let create = |id, files| {
            let request = DownloadRequest {
                model: "o/n".into(),
                file: None,
                revision: None,
            };
            let mut record = Record::new(DownloadId(id), 1, request, DownloadPlace::Folder);
            let commit = "0".repeat(40);
            record.set = Some(FileSet { commit, files });
            SideFile::create(folder.path(), record).expect("written")
        };
        let side = create(1, vec![own]);
        create(2, vec![unlike, same]);
        let (disk, opened) = Disk::open(&place, &side, 0, &Arc::default()).expect("opens");
        let written = side_file::read(&folder.path().join("1.json")).expect("read");
        let written = &written.set.expect("files").files[0];
        assert_eq!(written.have, told.into(), "{what}");
        assert_eq!(written.hashed, hashed, "{what}");
        assert_eq!(*written, opened, "{what}");
        let (_, file) = disk.close().await.expect("closes");
        assert_eq!(partial::mark(&file, 200).expect("read"), written.mark, "{what}");
        assert!(written.mark.is_some(), "{what}");
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
