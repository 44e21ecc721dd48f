use super::file::{MAGIC, VERSION};
use super::folder::remove_chat;
use super::*;

const MINE: Fingerprint = [1; 32];
const OTHER: Fingerprint = [2; 32];

fn tokens(text: &str) -> Vec<LlamaToken> {
    text.bytes().map(|byte| LlamaToken(i32::from(byte))).collect()
}

fn open(folder: &tempfile::TempDir) -> KvStore {
    KvStore::open(folder.path(), MINE, 1 << 20).expect("it opens")
}

/// What is kept of a prompt: how much of its beginning, and the state.
fn find(store: &mut KvStore, prompt: &str) -> Option<(usize, Vec<u8>)> {
    let (common, text) = store.longest_beginning(&tokens(prompt))?;
    let state = store.read(&text)?;
    Some((common, state.to_vec()))
}

fn files(folder: &tempfile::TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path()).expect("read");
    entries.map(|entry| entry.expect("entry").path()).collect()
}

#[test]
fn a_state_outlives_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = open(&folder);
    store.keep(1, &tokens("a chat of yesterday"), b"state".to_vec());
    assert_eq!(
        find(&mut store, "a chat of yesterday!"),
        Some((19, b"state".to_vec())),
        "at once"
    );
    store.close();
    let mut store = open(&folder);
    assert_eq!(
        find(&mut store, "a chat of yesterday, and more"),
        Some((19, b"state".to_vec()))
    );
    assert_eq!(
        find(&mut store, "a chat about the sea"),
        Some((7, b"state".to_vec()))
    );
    assert_eq!(find(&mut store, "nothing alike"), None);
}

#[test]
fn a_longer_text_takes_the_place_of_its_beginning() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = open(&folder);
    store.keep(1, &tokens("one"), b"1".to_vec());
    store.keep(1, &tokens("one two"), b"12".to_vec());
    store.keep(1, &tokens("one"), b"no longer needed".to_vec());
    assert!(store.holds(&tokens("one")));
    store.close();
    assert_eq!(files(&folder).len(), 1);
    assert_eq!(
        find(&mut open(&folder), "one two three"),
        Some((7, b"12".to_vec()))
    );
}

#[test]
fn the_files_used_longest_ago_go_first_whosever_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let limit = 3 * file_bytes(4, 1_000);
    let keep = |fingerprint, text: &str| {
        let mut store = KvStore::open(folder.path(), fingerprint, limit).expect("it opens");
        store.keep(1, &tokens(text), vec![0; 1_000]);
        store.close();
    };
    keep(MINE, "aaaa");
    keep(OTHER, "bbbb");
    keep(MINE, "cccc");
    let mut store = KvStore::open(folder.path(), MINE, limit).expect("it opens");
    assert!(find(&mut store, "aaaa!").is_some(), "which counts as a use");
    store.keep(1, &tokens("dddd"), vec![0; 1_000]);
    store.close();
    for text in ["aaaa!", "cccc!", "dddd!"] {
        assert!(find(&mut store, text).is_some(), "{text}");
    }
    assert_eq!(files(&folder).len(), 3, "the other model's went");
    store.keep(1, &tokens("larger than all"), vec![0; 4_000]);
    assert!(find(&mut store, "larger than all!").is_none());
    KvStore::open(folder.path(), MINE, limit / 3)
        .expect("it opens")
        .close();
    assert_eq!(files(&folder).len(), 1, "a smaller limit counts from the start");
}

#[test]
fn what_is_damaged_is_dropped_and_never_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let keep = || {
        let mut store = open(&folder);
        store.keep(1, &tokens("some text"), b"its state".to_vec());
        store.close();
        files(&folder).remove(0)
    };
    let whole = fs::read(keep()).expect("read");
    for place in 0..whole.len() {
        let path = keep();
        let mut bytes = whole.clone();
        bytes[place] ^= 0x40;
        fs::write(&path, &bytes).expect("write");
        let mut store = open(&folder);
        assert_eq!(find(&mut store, "some text!"), None, "byte {place}");
        store.close();
        // A fingerprint of another model is none of this one's business.
        fs::remove_file(&path).unwrap_or_default();
    }
    for length in 0..whole.len() {
        let path = keep();
        fs::write(&path, &whole[..length]).expect("write");
        assert_eq!(find(&mut open(&folder), "some text!"), None, "{length} bytes");
        assert!(!path.exists(), "{length} bytes");
    }
}

#[test]
fn a_file_that_changes_behind_our_back_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = open(&folder);
    store.keep(1, &tokens("some text"), b"its state".to_vec());
    store.close();
    let mut store = open(&folder);
    let path = files(&folder).remove(0);
    let mut bytes = fs::read(&path).expect("read");
    let last = bytes.len() - 6;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).expect("write");
    assert_eq!(find(&mut store, "some text!"), None);
    assert!(!path.exists());
    assert_eq!(find(&mut store, "some text!"), None, "and it is forgotten");
}

#[test]
fn the_state_of_another_model_is_left_alone_and_never_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = open(&folder);
    store.keep(1, &tokens("some text"), b"its state".to_vec());
    store.close();
    let mut other = KvStore::open(folder.path(), OTHER, 1 << 20).expect("it opens");
    assert_eq!(find(&mut other, "some text!"), None);
    other.close();
    assert_eq!(
        find(&mut open(&folder), "some text!"),
        Some((9, b"its state".to_vec()))
    );
}

#[test]
fn a_header_that_lies_costs_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = Vec::new();
    file.extend_from_slice(&MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&MINE);
    file.extend_from_slice(&u32::MAX.to_le_bytes());
    file.extend_from_slice(&u64::MAX.to_le_bytes());
    let path = folder.path().join("lie.kv");
    fs::write(&path, file).expect("write");
    open(&folder).close();
    assert!(!path.exists());
}

#[test]
fn what_cannot_be_written_is_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = open(&folder);
    fs::remove_dir_all(folder.path()).expect("the folder goes");
    store.keep(1, &tokens("some text"), b"its state".to_vec());
    store.close();
    assert_eq!(find(&mut store, "some text!"), None);
}

#[test]
fn what_a_killed_worker_left_half_written_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = (folder.path().join("old.part"), folder.path().join("new.part"));
    for path in [&old, &new] {
        fs::write(path, "half").expect("write");
    }
    let long_ago = SystemTime::now() - 2 * ABANDONED_AFTER;
    let file = File::options().write(true).open(&old).expect("open");
    file.set_modified(long_ago).expect("its time");
    open(&folder);
    assert!(!old.exists());
    assert!(new.exists(), "another worker may be writing it");
}

#[test]
fn a_chat_that_is_deleted_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = open(&folder);
    store.keep(1, &tokens("the first chat"), b"1".to_vec());
    store.keep(11, &tokens("another chat"), b"2".to_vec());
    store.forget(1);
    assert_eq!(find(&mut store, "the first chat!"), None);
    assert!(find(&mut store, "another chat!").is_some());
    store.close();
    assert_eq!(files(&folder).len(), 1);
    remove_chat(folder.path(), 1).expect("there is none");
    assert_eq!(files(&folder).len(), 1, "11 is not 1");
    remove_chat(folder.path(), 11).expect("removed");
    assert_eq!(files(&folder).len(), 0);
    remove_chat(&folder.path().join("not there"), 1).expect("nothing to do");
}
