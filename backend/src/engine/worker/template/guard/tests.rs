use std::io::Write;
use std::sync::mpsc;

use super::*;

#[test]
fn work_is_done_on_a_deep_stack() {
    fn depth(left: u32) -> u32 {
        let frame = std::hint::black_box([left; 256]);
        if left == 0 {
            frame[255]
        } else {
            1 + depth(left - 1)
        }
    }
    // About 20 MB of frames.
    assert_eq!(run(LIMITS, || depth(20_000)), Ok(20_000));
}

#[test]
fn work_that_takes_too_long_is_left() {
    let (release, released) = mpsc::channel::<()>();
    let at_once = Limits {
        time: Duration::ZERO,
        ..LIMITS
    };
    let result = run(at_once, move || released.recv());
    assert_eq!(
        result,
        Err(Failure::Stuck("it did not end within 0 seconds".into()))
    );
    drop(release);
}

#[test]
fn a_panic_is_a_failure() {
    let result = run(LIMITS, || {
        if std::hint::black_box(true) {
            panic!("on purpose");
        }
    });
    assert_eq!(
        result,
        Err(Failure::Template("it broke the template engine".into()))
    );
}

#[test]
fn output_ends_at_the_limit() {
    let mut output = Output::default();
    let chunk = vec![b'x'; MAX_OUTPUT_BYTES / 4];
    for _ in 0..4 {
        output.write_all(&chunk).expect("within the limit");
    }
    assert_eq!(
        output.write(b"x").map_err(|error| error.kind()),
        Err(io::ErrorKind::FileTooLarge)
    );
    assert_eq!(output.into_text().map(|text| text.len()), Ok(MAX_OUTPUT_BYTES));
}

#[test]
#[cfg(target_os = "linux")]
fn work_that_fills_the_memory_is_left() {
    let (release, released) = mpsc::channel::<()>();
    let (filled, full) = mpsc::channel();
    let little = Limits {
        time: Duration::from_secs(600),
        bytes: 16 << 20,
    };
    let result = run(little, move || {
        let block = std::hint::black_box(vec![1_u8; 512 << 20]);
        filled.send(()).expect("the test waits");
        let ended = released.recv();
        drop(block);
        ended
    });
    full.recv().expect("it was filled");
    assert_eq!(
        result,
        Err(Failure::Stuck("it uses more than 16 MB of memory".into()))
    );
    drop(release);
}
