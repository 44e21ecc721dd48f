//! Moving and being ended while moving.

use super::*;

const KEPT: [&str; 4] = ["hearth.db", "hub-token", "kv/1-a.kv", "models/o/n/m.gguf"];

/// A folder with data, and one for them beside it.
fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let whole = tempfile::tempdir().expect("a folder");
    let (home, to) = (whole.path().join("old"), whole.path().join("far/new"));
    for name in KEPT {
        let path = home.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, name).expect("written");
    }
    (whole, home, to)
}

fn is_whole(home: &Path) -> bool {
    let reads = |name: &&str| fs::read_to_string(home.join(name)).is_ok_and(|text| text == **name);
    KEPT.iter().all(|name| reads(&name))
}

#[tokio::test]
async fn all_is_moved_and_found_from_its_old_place() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    assert!(is_whole(&home), "nothing moves before the end");
    assert_eq!(follow(home.clone()), Ok(home.clone()));
    assert_eq!(carry_out(&home), to);
    assert!(is_whole(&to));
    let left: Vec<_> = fs::read_dir(&home)
        .expect("read")
        .flatten()
        .map(|it| it.file_name())
        .collect();
    assert_eq!(left, [POINTER]);
    assert_eq!(follow(home.clone()), Ok(to.clone()));
    // And back, to the folder that holds nothing but the pointer.
    want(to.clone(), home.clone()).await.expect("wanted");
    assert_eq!(carry_out(&to), home);
    assert!(is_whole(&home));
    assert_eq!(follow(home.clone()), Ok(home.clone()));
    assert_eq!(follow(to), Ok(home));
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
    assert_eq!(carry_out(&home), home);
    assert!(is_whole(&home));
    assert_eq!(
        fs::read_to_string(full.join("letter.txt")).expect("there"),
        "mine"
    );
}

#[tokio::test]
async fn an_end_in_mid_move_leaves_the_data_whole_and_is_made_good() {
    for done in 0..=2 * KEPT.len() {
        let (_whole, home, to) = folders();
        want(home.clone(), to.clone()).await.expect("wanted");
        let names = entries(&home).expect("read");
        fs::write(to.join(ARRIVING), "").expect("written");
        for name in names.iter().take(done) {
            bring(&home.join(name), &to.join(name), &home).expect("brought");
        }
        if done > names.len() {
            remove(&to.join(ARRIVING)).expect("removed");
            let place = to.to_str().expect("text");
            write_new(&home.join(POINTER), place.as_bytes()).expect("written");
            for name in &names[..(done - names.len() - 1).min(names.len())] {
                remove(&home.join(name)).expect("removed");
            }
            // The next start comes there, and clears the rest of the old place.
            assert_eq!(follow(home.clone()), Ok(to.clone()), "after {done}");
            assert!(entries(&home).expect("read").is_empty(), "after {done}");
        } else {
            assert_eq!(follow(home.clone()), Ok(home.clone()), "after {done}");
            assert!(is_whole(&home), "after {done}");
            assert_eq!(carry_out(&home), to, "after {done}");
        }
        assert!(is_whole(&to), "after {done}");
        assert!(!home.join(MARK).exists(), "after {done}");
        assert_eq!(
            entries(&to).expect("read").len(),
            fs::read_dir(&to).expect("read").count()
        );
    }
}

#[tokio::test]
async fn what_cannot_be_moved_stays_where_it_is_and_takes_nothing_away() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    // Something has come meanwhile, with a name of the data.
    fs::write(to.join("hearth.db"), "another's").expect("written");
    assert_eq!(carry_out(&home), home);
    assert!(is_whole(&home));
    assert_eq!(
        fs::read_to_string(to.join("hearth.db")).expect("there"),
        "another's"
    );
    assert!(!home.join(MARK).exists(), "it is not tried at each start");
    // The new place is gone, and cannot be made.
    fs::remove_dir_all(&to).expect("removed");
    want(home.clone(), to.clone()).await.expect("wanted");
    fs::remove_dir(&to).expect("removed");
    fs::write(&to, "a file").expect("written");
    assert_eq!(carry_out(&home), home);
    assert!(is_whole(&home));
}

#[tokio::test]
async fn data_on_a_disk_that_is_not_connected_are_not_begun_anew() {
    let (_whole, home, to) = folders();
    want(home.clone(), to.clone()).await.expect("wanted");
    assert_eq!(carry_out(&home), to);
    fs::rename(&to, to.with_extension("away")).expect("renamed");
    let error = follow(home).expect_err("not there");
    assert!(error.to_string().contains("not there now"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_lead_where_they_led_and_sockets_stay() {
    let (whole, home, to) = folders();
    fs::write(whole.path().join("outside.gguf"), "far").expect("written");
    symlink(Path::new("../../outside.gguf"), &home.join("models/out.gguf")).expect("linked");
    symlink(Path::new("o/n/m.gguf"), &home.join("models/in.gguf")).expect("linked");
    let _socket = std::os::unix::net::UnixListener::bind(home.join("talk.sock")).expect("bound");
    want(home.clone(), to.clone()).await.expect("wanted");
    assert_eq!(carry_out(&home), to);
    assert_eq!(
        fs::read_to_string(to.join("models/out.gguf")).expect("there"),
        "far"
    );
    assert_eq!(
        fs::read_link(to.join("models/in.gguf")).expect("a link"),
        Path::new("o/n/m.gguf")
    );
    assert!(!to.join("talk.sock").exists());
}
