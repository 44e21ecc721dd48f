//! Links, names of the same file, odd names, and folders that cannot be read.

use super::*;

fn same(path: &Path) -> String {
    format!("it is the same file as {}", path.display())
}

#[tokio::test]
async fn a_file_with_two_names_is_listed_once_under_the_name_that_is_the_persons_own() {
    let fixture = Fixture::new();
    fixture.choose(&["mine"], &[]);
    let theirs = fixture.write("lm-studio/p/r/m.gguf", &tiny_gguf());
    let mine = fixture.write("mine/other.gguf", &tiny_gguf());
    fs::create_dir_all(fixture.path("models")).expect("a folder");
    let (hearths, named) = (fixture.path("models/other.gguf"), fixture.path("mine/named.gguf"));
    fs::hard_link(&mine, &hearths).expect("linked");
    fs::hard_link(&theirs, &named).expect("linked");
    let ids = [named.display().to_string(), "hearth/other.gguf".to_owned()];
    assert_eq!(fixture.ids().await, ids);
    let mut reasons = fixture.reasons().await;
    reasons.sort();
    assert_eq!(reasons, [(theirs, same(&named)), (mine, same(&hearths))]);
}

/// Two folders of one program can hold different files under one name.
#[tokio::test]
async fn ids_are_never_the_same() {
    let fixture = Fixture::new();
    let library = Library {
        other_programs: [Source::LmStudio; 2]
            .into_iter()
            .zip(["old", "new"])
            .map(|(program, name)| ProgramFolder {
                program,
                folder: fixture.path(name),
            })
            .collect(),
        ..fixture.library.clone()
    };
    fixture.write("old/p/r/m.gguf", &tiny_gguf());
    let new = fixture.write("new/p/r/m.gguf", &tiny_gguf());
    let ids: Vec<_> = library
        .list()
        .await
        .expect("list")
        .into_iter()
        .map(|file| file.id.0)
        .collect();
    let second = format!("lm-studio/{}", new.display());
    assert_eq!(ids.len(), 2);
    for id in ["lm-studio/p/r/m.gguf", &second] {
        assert!(ids.iter().any(|found| found == id), "{id} in {ids:?}");
        assert!(library.resolve(&ModelRef::File(id.into())).await.is_ok());
    }
    // Nor does one take the id, and with it what is remembered, of another that goes.
    fs::remove_file(fixture.path("old/p/r/m.gguf")).expect("removed");
    let left = library.list().await.expect("list");
    assert_eq!(
        left.iter().map(|file| file.id.as_str()).collect::<Vec<_>>(),
        [second]
    );
}

/// Cases 4 and 5 of the public reports.
#[tokio::test]
async fn any_name_that_the_disk_takes_is_found_and_told() {
    let fixture = Fixture::new();
    fixture.choose(&["\u{6a21}\u{578b} é Ω"], &[]);
    let mut expected = Vec::new();
    for name in [
        "山 月 123's World",
        "Кириллица",
        "wide\u{3000}space",
        "#1 100%20",
        "🦙 llama",
        "trailing dot.gguf",
        "e\u{301}",
    ] {
        let path = fixture.write(&format!("\u{6a21}\u{578b} é Ω/{name}/{name}.gguf"), &tiny_gguf());
        expected.push(path.display().to_string());
    }
    let projector = fixture.write("\u{6a21}\u{578b} é Ω/mmproj 山.gguf", &tiny_projector());
    let mut ids = fixture.ids().await;
    ids.sort();
    expected.sort();
    assert_eq!(ids, expected);
    for id in ids {
        let file = fixture.library.resolve(&ModelRef::File(id.as_str().into())).await;
        assert!(file.is_ok(), "{file:?}");
    }
    assert_eq!(fixture.reasons().await, [(projector, scan::NO_MODEL.to_owned())]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn names_that_are_no_unicode_are_told_apart() {
    use std::os::unix::ffi::OsStrExt;

    let fixture = Fixture::new();
    fixture.choose(&["mine"], &[]);
    fixture.write("mine/x", b"");
    for byte in [0xfe, 0xff] {
        let name = [b"bad".as_slice(), &[byte], b".gguf"].concat();
        let name = std::ffi::OsStr::from_bytes(&name);
        fs::write(fixture.path("mine").join(name), tiny_gguf()).expect("written");
    }
    let ids = fixture.ids().await;
    let expected = ["\u{fffd}fe", "\u{fffd}ff"].map(|odd| fixture.path(&format!("mine/bad{odd}.gguf")));
    assert_eq!(ids, expected.map(|path| path.display().to_string()));
    for id in ids {
        let file = fixture.library.resolve(&ModelRef::File(id.as_str().into())).await;
        assert_eq!(file.expect("found").id.0, id);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_followed_and_what_they_lead_to_is_looked_through_once() {
    use std::os::unix::fs::symlink;

    let fixture = Fixture::new();
    fixture.choose(&["mine"], &[]);
    let file = fixture.write("far/away/m.gguf", &tiny_gguf());
    fixture.write("mine/deep/x", b"");
    let at = |name: &str| fixture.path(&format!("mine/{name}"));
    // Were each looked through, these would be 2^6 folders.
    for (above, below) in ["deep", "1", "2", "3"].iter().zip(["1", "2", "3", "4"]) {
        let folder = fixture.path(&format!("far/{below}"));
        fs::create_dir_all(&folder).expect("a folder");
        let from = match *above {
            "deep" => at("deep"),
            above => fixture.path(&format!("far/{above}")),
        };
        symlink(&folder, from.join("left")).expect("linked");
        symlink(&folder, from.join("right")).expect("linked");
    }
    symlink(file.parent().expect("a folder"), at("linked")).expect("linked");
    symlink(&file, at("z.gguf")).expect("linked");
    symlink("self.gguf", at("self.gguf")).expect("linked");
    let found = at("linked/m.gguf");
    assert_eq!(fixture.ids().await, [found.display().to_string()]);
    let reasons = fixture.reasons().await;
    let told = |path: &Path| {
        let reason = reasons.iter().find(|(skipped, _)| skipped == path);
        reason.map(|(_, reason)| reason.clone())
    };
    assert_eq!(told(&at("z.gguf")), Some(same(&found)));
    assert!(told(&at("self.gguf")).is_some_and(|reason| !reason.is_empty()));
    let left = at("deep/left");
    let twice = format!("it is the same folder as {}", left.display());
    assert_eq!(told(&at("deep/right")), Some(twice));
    assert_eq!(reasons.len(), 6, "{reasons:#?}");
}

/// Whoever runs the tests may be allowed everything; then there is nothing to see.
#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_may_not_be_read_is_told_and_hides_nothing() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = Fixture::new();
    fixture.write("models/closed/m.gguf", &tiny_gguf());
    fixture.write("models/open.gguf", &tiny_gguf());
    let closed = fixture.path("models/closed");
    let allow = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).expect("allowed");
    allow(0o000);
    let is_closed = closed.read_dir().is_err();
    let (ids, skipped) = (fixture.ids().await, fixture.skipped().await);
    allow(0o700);
    if is_closed {
        assert_eq!(ids, ["hearth/open.gguf"]);
        assert_eq!(skipped, [closed]);
    }
}
