//! Where a Hearth runs, commands ask that one.

use hearth_testhub::{Repo, some_bytes};

use crate::hearth::{AtHub, Finished, Hearth, Running, STARTER};
use crate::neighbour::Neighbour;

#[test]
fn a_model_in_the_memory_of_the_running_hearth_is_seen_used_and_ejected() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::start(&hearth, None);
    assert_eq!(hearth.run(&["ps", "--json"]).expect_code(0).stdout, "[]\n");

    let loading = ["load", STARTER, "--ctx", "512", "--threads", "1", "--json"];
    let lines = hearth.run(&loading).expect_code(0).lines();
    assert_eq!(lines.first().expect("a line")["event"], "started");
    let loaded = lines.last().expect("a line");
    assert_eq!(loaded["event"], "loaded", "{loaded}");
    let model = &loaded["model"];
    assert_eq!(model["context_length"], 512);
    let seen = hearth.run(&["ps", "--json"]).expect_code(0).lines();
    assert_eq!(seen[0][0]["process"], model["process"]);

    let asked = [
        "run",
        STARTER,
        "Say hello.",
        "--json",
        "--temp",
        "0",
        "--max-tokens",
        "8",
        "--ctx",
        "512",
        "--threads",
        "1",
    ];
    let lines = hearth.run(&asked).expect_code(0).lines();
    assert_eq!(lines.last().expect("a line")["event"], "finished");
    let seen = neighbour.client.list_loaded().wait().expect("the list");
    assert_eq!(seen.len(), 1);
    assert_eq!(model["process"], seen[0].process);
    // The chat is kept there too.
    assert_eq!(neighbour.client.list_chats().wait().expect("the list").len(), 1);

    let unknown = hearth.run(&["eject", "nothing"]).expect_code(3);
    assert!(unknown.stderr.contains(&seen[0].name), "{unknown:?}");
    hearth.run(&["eject", STARTER]).expect_code(0);
    assert_eq!(neighbour.client.list_loaded().wait(), Ok(Vec::new()));
    hearth.run(&["load", STARTER, "--ctx", "512"]).expect_code(0);
    hearth.run(&["eject", "--all"]).expect_code(0);
    assert_eq!(neighbour.client.list_loaded().wait(), Ok(Vec::new()));
}

/// A load could once be ended only where it was begun.
#[test]
fn a_model_on_its_way_into_memory_is_ejected_too() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::that_only_loads(&hearth);
    let unknown = hearth.run(&["eject", STARTER]).expect_code(3);
    assert!(unknown.stderr.contains(STARTER), "{unknown:?}");
    // By its name and by its file.
    let starter = std::path::Path::new(env!("CARGO_BIN_EXE_hearth-cli"))
        .with_file_name("starter-models")
        .join(format!("{STARTER}.gguf"));
    for name in [STARTER, starter.to_str().expect("text")] {
        let load = ["load", STARTER, "--ctx", "512", "--json"];
        let mut loading = Running::start(&mut hearth.command(&load));
        loading.wait_until("the load", |seen| seen.contains("\"started\""));
        let ejected = hearth.run(&["eject", name]).expect_code(0);
        assert!(ejected.stdout.contains("is out of memory"), "{ejected:?}");
        let lines = loading.finish().expect_code(130).lines();
        let last = lines.last().expect("a line");
        assert_eq!(last["error"]["error"], "model_ejected", "{last}");
    }
    assert_eq!(neighbour.client.list_loaded().wait(), Ok(Vec::new()));
}

#[test]
fn two_pulls_of_one_file_share_one_download() {
    const SIZE: usize = 3_000_000;
    let at_hub = AtHub::new([Repo::new("o/n").with("m-Q4_K_M.gguf", some_bytes(1, SIZE))]);
    let hub = &at_hub.hub;
    let _neighbour = Neighbour::start(&at_hub.hearth, Some(hub));
    hub.allow(Some(1_000_000));
    let pull = ["pull", "o/n:m-Q4_K_M.gguf", "--json"];
    let mut pulls: Vec<_> = (0..2)
        .map(|_| Running::start(&mut at_hub.command(&pull)))
        .collect();
    for pull in &mut pulls {
        pull.wait_until("news", |seen| seen.contains("\"progress\""));
    }
    hub.allow(None);
    for pull in pulls {
        let lines = pull.finish().expect_code(0).lines();
        assert_eq!(lines.last().expect("a line")["event"], "finished");
    }
    let bytes: u64 = hub
        .file_requests()
        .iter()
        .filter_map(|seen| seen.range)
        .map(|(start, end)| end.expect("an end") + 1 - start)
        .sum();
    assert_eq!(bytes, SIZE as u64);
}

#[test]
fn the_running_hearth_heeds_a_setting_at_once() {
    let at_hub = AtHub::new([Repo::new("o/n").with("m-Q4_K_M.gguf", some_bytes(1, 1000))]);
    let neighbour = Neighbour::start(&at_hub.hearth, Some(&at_hub.hub));
    assert!(!neighbour.client.hub_status().wait().expect("the status").offline);
    // Offline mode that only the command is in would be none.
    let refused = at_hub.run(&["--offline", "pull", "o/n"]).expect_code(1);
    assert!(refused.stderr.contains("it is not offline"), "{refused:?}");
    assert_eq!(at_hub.hub.seen(), []);

    at_hub.run(&["config", "offline", "true"]).expect_code(0);
    assert!(neighbour.client.hub_status().wait().expect("the status").offline);
    let offline = at_hub.run(&["--offline", "pull", "o/n"]).expect_code(1);
    assert!(offline.stderr.contains("offline mode is on"), "{offline:?}");
    assert_eq!(at_hub.hub.seen(), []);
}

#[test]
fn a_path_means_the_same_to_the_running_hearth() {
    let hearth = Hearth::new();
    let _neighbour = Neighbour::start(&hearth, None);
    let starter = std::path::Path::new(env!("CARGO_BIN_EXE_hearth-cli"))
        .with_file_name("starter-models")
        .join(format!("{STARTER}.gguf"));
    std::fs::create_dir(hearth.folder().join("mine")).expect("a folder");
    std::fs::copy(starter, hearth.folder().join("mine/m.gguf")).expect("a model");
    for arguments in [
        ["inspect", "./mine/m.gguf"],
        ["inspect", "mine/m.gguf"],
        ["load", "mine/m.gguf"],
        ["eject", "mine/m.gguf"],
        ["import", "mine/m.gguf"],
    ] {
        hearth.run(&arguments).expect_code(0);
    }
    let listed = hearth.run(&["ls"]).expect_code(0);
    assert!(listed.stdout.contains("m.gguf"), "{listed:?}");
}

#[test]
fn the_data_folder_says_which_hearth_is_meant() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::start(&hearth, None);
    hearth.run(&["load", STARTER]).expect_code(0);
    let elsewhere = |arguments: &[&str]| {
        let mut command = hearth.command(arguments);
        command.env("HEARTH_HOME", hearth.folder().join("other"));
        Finished::new(&command.output().expect("starts"))
    };
    assert_eq!(elsewhere(&["ps", "--json"]).expect_code(0).stdout, "[]\n");
    // What is in the memory of a Hearth that does not run cannot be changed.
    for arguments in [&["load", STARTER][..], &["eject", "--all"], &["log"]] {
        let refused = elsewhere(arguments).expect_code(3);
        assert!(refused.stderr.contains("no running Hearth"), "{refused:?}");
    }
    neighbour.shutdown.shut_down();
    assert_eq!(hearth.run(&["ps", "--json"]).expect_code(0).stdout, "[]\n");
}

#[test]
fn the_end_of_the_running_hearth_ends_the_command() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::start(&hearth, None);
    let running = Running::in_mid_answer(&hearth);
    neighbour.shutdown.shut_down();
    let lines = running.finish().lines();
    let last = lines.last().expect("a line");
    assert_eq!(last["event"], "finished", "{last}");
    assert_eq!(last["answer"]["stop"]["reason"], "user_stopped");
}

#[test]
fn a_command_that_is_killed_leaves_no_work_behind() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::start(&hearth, None);
    let mut running = Running::in_mid_answer(&hearth);
    let events = neighbour.client.watch_engine();
    running.child.kill().expect("kill -9");
    let idle = std::iter::from_fn(|| events.next()).any(|event| {
        use hearth_protocol::engine::{Activity, EngineEvent};
        matches!(event, EngineEvent::Loaded(models) if models.iter().all(|model| model.activity == Activity::Idle))
    });
    assert!(idle, "the answer stops");
}

#[test]
fn the_speed_of_a_model_is_measured_here_and_in_the_running_hearth() {
    let hearth = Hearth::new();
    let measure = [
        "bench", STARTER, "--prompt", "64", "--tokens", "8", "--rounds", "2",
    ];
    let check = || {
        let json = hearth
            .run(&[&measure[..], &["--json"]].concat())
            .expect_code(0)
            .lines();
        for (part, tokens) in [("prompt", 64), ("generation", 8)] {
            let speed = &json[0][part];
            assert_eq!(speed["tokens"], tokens, "{json:?}");
            let rounds: Vec<_> = speed["rounds"].as_array().expect("rounds").iter().collect();
            assert_eq!(rounds.len(), 2, "{json:?}");
            assert!(rounds.iter().all(|speed| speed.as_f64() > Some(0.0)), "{json:?}");
        }
    };
    check();
    let neighbour = Neighbour::start(&hearth, None);
    check();
    let loaded = neighbour.client.list_loaded().wait().expect("the list");
    assert_eq!(loaded.len(), 1);
    let table = hearth.run(&measure).expect_code(0);
    assert!(
        table.stdout.contains("TOKENS/S") && table.stdout.contains("writing"),
        "{table:?}"
    );
}
