//! What needs no other computer, where there is none: in offline mode no connection is opened and no name looked up, as
//! the system's calls show; and without a network everything local works.
#![allow(clippy::print_stdout, reason = "a test that is passed over says so")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::hearth::{Finished, Hearth, STARTER, take_surroundings};

/// An answer of a few tokens, without contending for the cores with the tests beside it.
const RUN: [&str; 7] = [
    "run",
    STARTER,
    "What is the capital of Germany?",
    "--max-tokens",
    "4",
    "--threads",
    "1",
];

/// What needs no network.
const LOCAL: [&[&str]; 6] = [
    &["ls"],
    &["ps"],
    &["search", "smollm2"],
    &["search", "no such model at all"],
    &["show", "smollm2 135m"],
    &RUN,
];

/// Hubs that are not there: one has a name that has to be looked up (RFC 6761), one is an address in numbers (RFC 5737).
const HUBS: [&str; 2] = ["http://hub.invalid", "http://192.0.2.1"];

/// A way to switch offline mode on.
#[derive(Debug, Clone, Copy)]
enum Way {
    Argument,
    Variable,
    Setting,
}

/// A call that nothing outside keeps offline.
fn online(hearth: &Hearth, arguments: &[&str]) -> Command {
    let mut command = hearth.command(arguments);
    command.env_remove("HF_HUB_OFFLINE");
    command
}

impl Way {
    const ALL: [Self; 3] = [Self::Argument, Self::Variable, Self::Setting];

    /// A call with offline mode switched on.
    fn command(self, hearth: &Hearth, arguments: &[&str]) -> Command {
        match self {
            Self::Argument => online(hearth, &[&["--offline"], arguments].concat()),
            Self::Variable => {
                let mut command = online(hearth, arguments);
                command.env("HF_HUB_OFFLINE", "1");
                command
            }
            Self::Setting => online(hearth, arguments),
        }
    }

    fn prepare(self, hearth: &Hearth) {
        if let Self::Setting = self {
            hearth.run(&["settings", "offline", "true"]).expect_code(0);
        }
    }
}

/// The same call, started by another program.
fn within(outer: &[String], inner: &Command) -> Command {
    let (program, arguments) = outer.split_first().expect("a program");
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(inner.get_program())
        .args(inner.get_args())
        .stdin(Stdio::null());
    take_surroundings(&mut command, inner);
    command
}

fn works(outer: &[String]) -> bool {
    let (program, arguments) = outer.split_first().expect("a program");
    let ended = Command::new(program)
        .args(arguments)
        .arg("true")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    ended.is_ok_and(|status| status.success())
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// What starts a program where no other computer can be reached, not even this one; `None`, with a word, where the system
/// does not allow that.
fn without_network() -> Option<Vec<String>> {
    let ways = ["unshare --net", "unshare --map-root-user --net"].map(words);
    let found = ways.into_iter().find(|way| works(way));
    if found.is_none() {
        println!("passed over: this system makes no network of its own for a program (unshare)");
    }
    found
}

/// What starts a program and notes its calls to the network in a file; `None`, with a word, where there is no strace.
fn traced(file: &Path) -> Option<Vec<String>> {
    let mut outer = words("strace --follow-forks --seccomp-bpf -qq -e trace=connect,sendto,sendmsg,sendmmsg");
    outer.extend(["-o".to_owned(), file.display().to_string()]);
    if works(&outer) {
        return Some(outer);
    }
    println!("passed over: strace is not installed, or may not look at programs here");
    None
}

/// The lines of a trace that lead to another computer, or ask for the address of one.
fn outward(trace: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(trace).expect("a trace");
    let is_outward = |line: &&str| {
        let goes_by_ip = line.contains("sa_family=AF_INET");
        let stays = line.contains("inet_addr(\"127.") || line.contains("\"::1\"");
        asks_for_name(line) || (goes_by_ip && !stays)
    };
    text.lines().filter(is_outward).map(str::to_owned).collect()
}

/// Whether a call goes to a resolver, wherever that is.
fn asks_for_name(line: &str) -> bool {
    line.contains("htons(53)") || line.contains("/systemd/resolve/")
}

fn run(command: &mut Command) -> Finished {
    Finished::new(&command.output().expect("starts"))
}

fn trace_of(hearth: &Hearth) -> PathBuf {
    hearth.folder().join("trace.txt")
}

#[test]
fn offline_no_command_opens_a_connection_or_asks_for_a_name() {
    for way in Way::ALL {
        let hearth = Hearth::new();
        let trace = trace_of(&hearth);
        let Some(strace) = traced(&trace) else { return };
        way.prepare(&hearth);
        let check = |arguments: &[&str], hub: &str, code: i32| {
            let mut command = within(&strace, &way.command(&hearth, arguments));
            command.env("HF_ENDPOINT", hub);
            let end = run(&mut command).expect_code(code);
            let outward = outward(&trace);
            assert!(outward.is_empty(), "{way:?}, {arguments:?}: {outward:#?}");
            end
        };
        for arguments in LOCAL {
            check(arguments, HUBS[0], 0);
        }
        for hub in HUBS {
            let refused = check(&["pull", "o/n"], hub, 1);
            assert!(refused.stderr.contains("offline mode is on"), "{refused:#?}");
        }
    }
}

/// Otherwise the test above would show nothing.
#[test]
fn the_trace_shows_a_program_that_is_not_offline() {
    let hearth = Hearth::new();
    let trace = trace_of(&hearth);
    let (Some(mut outer), Some(strace)) = (without_network(), traced(&trace)) else {
        return;
    };
    outer.extend(strace);
    for (hub, by_name) in HUBS.into_iter().zip([true, false]) {
        let mut command = within(&outer, &online(&hearth, &["pull", "o/n"]));
        run(command.env("HF_ENDPOINT", hub)).expect_code(1);
        let outward = outward(&trace);
        assert!(!outward.is_empty(), "{hub}: nothing was seen");
        let names = outward.iter().any(|line| asks_for_name(line));
        assert_eq!(names, by_name, "{hub}: {outward:#?}");
    }
}

#[test]
fn without_a_network_everything_local_works_in_offline_mode_or_not() {
    let Some(outer) = without_network() else { return };
    let hearth = Hearth::new();
    let calls: [(&[&str], &str); 2] = [
        (&["--offline"], "offline mode is on"),
        (&[], "The hub cannot be reached"),
    ];
    for (before, refusal) in calls {
        for arguments in LOCAL {
            let command = online(&hearth, &[before, arguments].concat());
            run(&mut within(&outer, &command)).expect_code(0);
        }
        for hub in HUBS {
            let command = online(&hearth, &[before, &["pull", "o/n"]].concat());
            let refused = run(within(&outer, &command).env("HF_ENDPOINT", hub)).expect_code(1);
            assert!(refused.stderr.contains(refusal), "{refused:#?}");
        }
    }
}

/// Where it was waited for, it would be asked until it counts as down.
#[test]
fn a_hub_that_does_not_answer_holds_nothing_that_needs_none() {
    let hub = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", hub.local_addr().expect("an address"));
    let hearth = Hearth::new();
    for arguments in [&["ls"][..], &["ps"], &RUN] {
        run(online(&hearth, arguments).env("HF_ENDPOINT", &address)).expect_code(0);
    }
    hub.set_nonblocking(true).expect("a listener");
    assert!(hub.accept().is_err(), "the hub was asked");
}
