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
    assert_eq!(run(TIME_LIMIT, || depth(20_000)), Ok(20_000));
}

#[test]
fn work_that_takes_too_long_is_left() {
    let (release, released) = mpsc::channel::<()>();
    let result = run(Duration::ZERO, move || released.recv());
    assert_eq!(
        result,
        Err(Failure::Template("it did not end within 0 seconds".into()))
    );
    drop(release);
}

#[test]
fn a_panic_is_a_failure() {
    let result = run(TIME_LIMIT, || {
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
