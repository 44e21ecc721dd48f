//! Moving and being ended while moving.

use super::*;

const KEPT: [&str; 4] = [DATABASE, "hub-token", "kv/1-a.kv", "models/o/n/m.gguf"];

/// A folder with data, and one for them beside it.
fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let whole = tempfile::tempdir().expect("a folder");
    let (home, to) = (whole.path().join("old"), whole.path().join("far/new"));
    for name in KEPT {
        let path = home.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, name).expect("written");
    }
    drop(in_use::hold(&home));
    (whole, home, to)
}

fn is_whole(home: &Path) -> bool {
    let reads = |name: &str| fs::read_to_string(home.join(name)).is_ok_and(|text| text == name);
    KEPT.iter().all(|name| reads(name))
}

fn settled(home: &Path) -> PathBuf {
    settle(home.to_owned()).expect("settled")
}

fn names(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).expect("read").flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn all_is_moved_and_found_from_its_old_place() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    assert!(is_whole(&home), "nothing moves before the end");
    carry_out(&home);
    assert!(is_whole(&to));
    assert_eq!(names(&home), [IN_USE, POINTER]);
    assert_eq!(settled(&home), to);
    // And back, to the folder that holds nothing but notes.
    want(to.clone(), home.clone()).await.expect("wanted");
    carry_out(&to);
    assert!(is_whole(&home));
    assert_eq!(settled(&home), home);
    assert_eq!(settled(&to), home);
}

#[tokio::test]
async fn nothing_moves_while_another_one_uses_the_data() {
    let (_whole, home, to) = folders();
    let other = in_use::hold(&home).expect("held");
    want(home.clone(), to.clone()).await.expect("wanted");
    carry_out(&home);
    assert_eq!(settled(&home), home);
    assert!(is_whole(&home));
    drop(other);
    assert_eq!(settled(&home), to);
    assert!(is_whole(&to));
}

#[tokio::test]
async fn a_place_that_does_not_do_is_refused_and_nothing_moves() {
    let (whole, home, _) = folders();
    let full = whole.path().join("full");
    fs::create_dir(&full).expect("made");
    fs::write(full.join("letter.txt"), "mine").expect("written");
    let file = whole.path().join("file");
    fs::write(&file, "").expect("written");
    for to in [&full, &home, &home.join("in/it"), Path::new("somewhere"), &file] {
        assert!(want(home.clone(), to.to_owned()).await.is_err(), "{to:?}");
    }
    carry_out(&home);
    assert!(is_whole(&home));
    assert_eq!(
        fs::read_to_string(full.join("letter.txt")).expect("there"),
        "mine"
    );
}

/// Ended after each step, there and back again.
#[tokio::test]
async fn an_end_in_mid_move_leaves_the_data_whole_and_is_made_good() {
    for back in [false, true] {
        for done in 0..=2 * KEPT.len() + 2 {
            let (_whole, mut home, mut to) = folders();
            if back {
                want(home.clone(), to.clone()).await.expect("wanted");
                carry_out(&home);
                drop(in_use::hold(&to));
                (home, to) = (to, home);
            }
            want(home.clone(), to.clone()).await.expect("wanted");
            let names = entries(&home).expect("read");
            fs::write(to.join(ARRIVING), "").expect("written");
            for name in names.iter().take(done) {
                bring(&home.join(name), &to.join(name), &home, &to).expect("brought");
            }
            if done > names.len() {
                fs::rename(home.join(MARK), home.join(POINTER)).expect("renamed");
                for name in names.iter().take(done - names.len() - 1) {
                    remove(&home.join(name)).expect("removed");
                }
            }
            let at = format!("after {done}, back: {back}");
            assert!(is_whole(&home) || is_whole(&to), "{at}");
            assert_eq!(settled(&home), to, "{at}");
            assert_eq!(settled(&to), to, "{at}");
            assert!(is_whole(&to), "{at}");
            assert!(entries(&home).expect("read").is_empty(), "{at}");
            assert!(!home.join(MARK).exists() && !to.join(ARRIVING).exists(), "{at}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_moved_stays_where_it_is_and_takes_nothing_away() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    // Something has come meanwhile, with a name of the data.
    fs::write(to.join(DATABASE), "another's").expect("written");
    carry_out(&home);
    assert!(is_whole(&home));
    assert_eq!(fs::read_to_string(to.join(DATABASE)).expect("there"), "another's");
    assert!(!home.join(MARK).exists(), "it is not tried at each start");
    // The new place is gone.
    fs::remove_dir_all(&to).expect("removed");
    want(home.clone(), to.clone()).await.expect("wanted");
    fs::remove_dir(&to).expect("removed");
    carry_out(&home);
    assert!(is_whole(&home));
    assert_eq!(settled(&home), home);
}

#[tokio::test]
async fn what_came_before_a_fault_is_taken_back() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    fs::write(to.join(ARRIVING), "").expect("written");
    fs::create_dir_all(to.join("hub-token/in the way")).expect("made");
    fs::write(to.join("models"), "in the way").expect("written");
    carry_out(&home);
    assert!(is_whole(&home));
    assert!(names(&to).is_empty());
}

#[tokio::test]
async fn data_on_a_disk_that_is_not_connected_are_not_begun_anew() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    carry_out(&home);
    fs::rename(&to, to.with_extension("away")).expect("renamed");
    for mounted_nowhere in [false, true] {
        let error = settle(home.clone()).expect_err("not there");
        assert!(error.to_string().contains("not there now"), "{error}");
        if !mounted_nowhere {
            fs::create_dir(&to).expect("made");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn links_lead_where_they_led_modes_stay_and_sockets_too() {
    use std::os::unix::fs::PermissionsExt;
    let (whole, home, to) = folders();
    fs::set_permissions(&home, fs::Permissions::from_mode(0o700)).expect("set");
    fs::write(whole.path().join("outside.gguf"), "far").expect("written");
    let links = [
        ("out.gguf", Path::new("../../outside.gguf")),
        ("in.gguf", Path::new("o/n/m.gguf")),
        ("whole.gguf", &home.join("models/o/n/m.gguf")),
    ];
    for (name, goal) in links {
        symlink(goal, &home.join("models").join(name)).expect("linked");
    }
    let _socket = std::os::unix::net::UnixListener::bind(home.join("talk.sock")).expect("bound");
    want(home.clone(), to.clone()).await.expect("wanted");
    carry_out(&home);
    for (name, text) in [
        ("out.gguf", "far"),
        ("in.gguf", "models/o/n/m.gguf"),
        ("whole.gguf", "models/o/n/m.gguf"),
    ] {
        assert_eq!(
            fs::read_to_string(to.join("models").join(name)).expect(name),
            text
        );
    }
    assert!(!to.join("talk.sock").exists());
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&to), 0o700);
    // As on another disk.
    let (from, copied) = (to.join("hub-token"), to.join("copied"));
    fs::set_permissions(&from, fs::Permissions::from_mode(0o400)).expect("set");
    copy(&from, &copied).expect("copied");
    assert_eq!(fs::read_to_string(&copied).expect("there"), "hub-token");
    assert_eq!(mode(&copied), 0o400);
    let times = [&from, &copied].map(|path| fs::metadata(path).and_then(|it| it.modified()).expect("known"));
    assert_eq!(times[0], times[1]);
}
