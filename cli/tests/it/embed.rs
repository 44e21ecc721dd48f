//! Vectors of texts on standard output, and models that are asked for what they cannot.

use std::io::Write;
use std::process::Stdio;

use crate::hearth::{Finished, Hearth, STARTER};

/// The numbers of a line.
fn numbers(line: &str) -> Vec<f64> {
    line.split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect()
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|number| number * number).sum::<f64>().sqrt()
}

#[test]
fn each_text_is_a_line_of_numbers() {
    let end = Hearth::new()
        .run(&["embed", STARTER, "The sea is calm.", "A", "--dimensions", "32"])
        .expect_code(0);
    let vectors: Vec<_> = end.stdout.lines().map(numbers).collect();
    assert_eq!(vectors.len(), 2);
    for vector in &vectors {
        assert_eq!(vector.len(), 32);
        assert!((length(vector) - 1.0).abs() < 1e-5, "{}", length(vector));
    }
    assert!(end.stderr.is_empty(), "{}", end.stderr);
}

#[test]
fn lines_of_standard_input_become_lines_of_json() {
    let hearth = Hearth::new();
    let mut child = hearth
        .command(&["embed", STARTER, "--json", "--no-normalise", "--pooling", "last"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"A\nThe sea is calm.\n").expect("it reads");
    drop(input);
    let end = Finished::new(&child.wait_with_output().expect("ends")).expect_code(0);
    let lines = end.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["index"], &lines[0]["tokens"]), (&0.into(), &1.into()));
    assert_eq!(lines[1]["index"], 1);
    let vector = lines[1]["embedding"].as_array().expect("numbers");
    let vector: Vec<f64> = vector.iter().filter_map(serde_json::Value::as_f64).collect();
    assert_eq!(vector.len(), 576);
    assert!((length(&vector) - 1.0).abs() > 0.01, "it is as long as it is");
}

#[test]
fn a_wrong_use_ends_with_2_and_says_why() {
    let hearth = Hearth::new();
    let cases: [(&[&str], &str); 3] = [
        (&["embed", STARTER, "a", ""], "input 2 is empty"),
        (&["embed", STARTER], "no text"),
        (&["embed", STARTER, "a", "--dimensions", "9999"], "from 1 to 576"),
    ];
    for (arguments, words) in cases {
        let end = hearth.run(arguments).expect_code(2);
        assert!(end.stderr.contains(words), "{end:#?}");
        assert!(end.stdout.is_empty());
    }
}

#[test]
fn a_model_that_is_shown_an_image_says_that_it_cannot_see() {
    let hearth = Hearth::new();
    let picture = hearth.folder().join("picture.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n").expect("a picture");
    let end = hearth
        .run(&["run", STARTER, "What is this?", "--image", "picture.png"])
        .expect_code(2);
    assert!(
        end.stderr
            .contains("cannot see images; choose a model with vision"),
        "{end:#?}"
    );
    assert!(end.stdout.trim().is_empty());

    std::fs::write(&picture, b"<svg/>").expect("no picture");
    let end = hearth
        .run(&["run", STARTER, "What is this?", "--image", "picture.png"])
        .expect_code(2);
    assert!(
        end.stderr
            .contains("picture.png is no PNG, JPEG, WebP or GIF picture"),
        "{end:#?}"
    );
    let end = hearth
        .run(&["run", STARTER, "What is this?", "--image", "nope.png"])
        .expect_code(3);
    assert!(end.stderr.contains("nope.png"), "{end:#?}");
}
