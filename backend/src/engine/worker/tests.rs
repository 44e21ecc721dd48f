//! The reading thread: what becomes a request, what raises the stop flag, what ends the worker.

use super::*;

/// Reads `input` to its end and gives the requests and the flag it left.
fn read_all(input: &str) -> (Vec<Request>, StopFlag) {
    let (asked, requests) = channel();
    let stop = StopFlag::default();
    read(input.as_bytes(), &asked, &stop, &Log::default());
    drop(asked);
    (requests.into_iter().map(|(request, _)| request).collect(), stop)
}

#[test]
fn a_stop_goes_to_the_flag_and_not_to_the_engine() {
    let input = "{\"request\":\"devices\"}\n{\"request\":\"stop\",\"id\":3}\n";
    let (requests, stop) = read_all(input);
    assert_eq!(requests, [Request::Devices]);
    stop.begin(3);
    assert!(stop.is_raised());
}

#[test]
fn the_end_of_the_input_stops_everything() {
    let (requests, stop) = read_all("");
    assert!(requests.is_empty());
    assert!(stop.is_closed());
}

#[test]
fn a_line_that_is_no_request_ends_the_worker() {
    let (requests, stop) = read_all("{\"request\":\"devices\"}\nnonsense\n{\"request\":\"devices\"}\n");
    assert_eq!(requests, [Request::Devices]);
    assert!(stop.is_closed());
}

/// From its reading on it can be stopped, and is watched over as an answer is.
#[test]
fn what_is_to_be_embedded_counts_as_work() {
    let job = r#"{"inputs":[{"text":"a"},{"tokens":[1]}],"options":{}}"#;
    let (requests, stop) = read_all(&format!("{{\"request\":\"embed\",\"id\":4,\"job\":{job}}}\n"));
    assert!(
        matches!(requests[..], [Request::Embed { id: 4, .. }]),
        "{requests:?}"
    );
    assert!(stop.looks().is_some());
    assert_eq!(stop.take(), [4]);
}
