//! Imports over the borders of disks, and to disks without room. The disks are real.

use super::*;
use crate::tiny_disk::TinyDisk;

fn request(path: &Path, how: ImportMode) -> ImportRequest {
    ImportRequest {
        path: path.to_owned(),
        how,
    }
}

#[test]
fn a_move_to_another_disk_is_a_copy_after_which_the_source_goes() {
    let Some(disk) = TinyDisk::mount(100 << 20) else {
        return;
    };
    let fixture = Fixture::new();
    let parts = [0, 1].map(|part| {
        let name = format!("elsewhere/m-{:05}-of-00002.gguf", part + 1);
        fixture.write(&name, &tiny_part(part, 2))
    });
    let mut told = Vec::new();
    let models = disk.path().join("models");
    let path = bring(
        &models,
        &[],
        &request(&parts[1], ImportMode::Move),
        &mut |done, total| {
            assert!(
                parts.iter().all(|part| part.exists()),
                "gone at {done} of {total}"
            );
            told.push(done);
            Ok(())
        },
    );
    assert_eq!(fs::read(path.expect("moved")).expect("there"), tiny_part(0, 2));
    assert!(parts.iter().all(|part| !part.exists()));
    assert_eq!(told.last(), Some(&(2 * tiny_part(0, 2).len() as u64)));
    // What cannot be removed where it was is not moved.
    let source = fixture.write("elsewhere/n.gguf", &tiny_gguf());
    let Some(read_only) = TinyDisk::mount(1 << 20) else {
        return;
    };
    let fixed = read_only.path().join("n.gguf");
    fs::copy(source, &fixed).expect("copied");
    read_only.make_read_only();
    let error = bring(&models, &[], &request(&fixed, ImportMode::Move), &mut |_, _| {
        Ok(())
    });
    let error = error.expect_err("it stays");
    assert!(error.to_string().contains("cannot be moved away"), "{error}");
    assert!(fixed.exists() && !models.join(FOLDER).join("n").exists());
    bring(&models, &[], &request(&fixed, ImportMode::Copy), &mut |_, _| {
        Ok(())
    })
    .expect("copied");
}

#[test]
fn a_hard_link_to_another_disk_says_what_to_do() {
    let Some(disk) = TinyDisk::mount(1 << 20) else {
        return;
    };
    let fixture = Fixture::new();
    let source = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    let error = bring(
        disk.path(),
        &[],
        &request(&source, ImportMode::HardLink),
        &mut |_, _| Ok(()),
    );
    let error = error.expect_err("refused");
    assert!(
        error.to_string().contains("another disk") && error.to_string().contains("copy it"),
        "{error}"
    );
    assert_eq!(fs::read_dir(disk.path()).expect("a folder").count(), 0);
    bring(
        disk.path(),
        &[],
        &request(&source, ImportMode::SymbolicLink),
        &mut |_, _| Ok(()),
    )
    .expect("a link");
}

#[test]
fn a_disk_without_room_is_told_before_anything_is_written_and_in_the_middle() {
    let Some(disk) = TinyDisk::mount(110 << 20) else {
        return;
    };
    let fixture = Fixture::new();
    let source = fixture.write("elsewhere/m.gguf", b"");
    let models = disk.path().join("models");
    large(&source, 60 << 20);
    let mut pieces = 0;
    let full = bring(&models, &[], &request(&source, ImportMode::Copy), &mut |_, _| {
        pieces += 1;
        Ok(())
    });
    let Err(Error::DiskFull { needs, has, .. }) = full else {
        panic!("{full:?}");
    };
    assert!(has < needs && pieces == 0, "{has} {needs}");

    large(&source, 40 << 20);
    let full = bring(
        &models,
        &[],
        &request(&source, ImportMode::Copy),
        &mut |done, _| {
            if done == 8 << 20 {
                disk.fill();
            }
            Ok(())
        },
    );
    assert!(matches!(&full, Err(Error::DiskFull { .. })), "{full:?}");
    assert_eq!(fs::read_dir(&models).expect("a folder").count(), 0);
    // Links take no room, and the source is whole.
    fs::remove_file(disk.path().join("filler")).expect("removed");
    bring(&models, &[], &request(&source, ImportMode::Copy), &mut |_, _| {
        Ok(())
    })
    .expect("now there is room");
}
