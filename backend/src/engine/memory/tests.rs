use super::*;

/// Writes the files of a group.
fn write(folder: &Path, files: &[(&str, &str)]) {
    std::fs::create_dir_all(folder).expect("the group is made");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("it is written");
    }
}

fn limit(total: u64, room: u64) -> Limit {
    Limit { total, room }
}

#[test]
fn this_computer_has_memory_and_no_more_is_free_than_there_is() {
    let memory = Memory::now();
    let (Some(total), Some(free)) = (memory.total, memory.free) else {
        panic!("{memory:?}");
    };
    assert!(
        total > 100_000_000 && free > 1 << 20 && free <= total,
        "{memory:?}"
    );
}

#[test]
fn a_limit_makes_it_less_and_never_more() {
    let computer = Memory {
        total: Some(100),
        free: Some(60),
    };
    let cases = [
        (computer, vec![], (Some(100), Some(60))),
        (computer, vec![limit(50, 40)], (Some(50), Some(40))),
        (computer, vec![limit(50, 0)], (Some(50), Some(0))),
        (computer, vec![limit(u64::MAX, u64::MAX)], (Some(100), Some(60))),
        (computer, vec![limit(50, 50), limit(90, 20)], (Some(50), Some(20))),
        (Memory::default(), vec![limit(50, 40)], (Some(50), Some(40))),
        (Memory::default(), vec![], (None, None)),
    ];
    for (memory, limits, (total, free)) in cases {
        assert_eq!(memory.within(limits), Memory { total, free });
    }
}

#[test]
fn a_group_has_room_for_what_its_limit_leaves() {
    let mount = tempfile::tempdir().expect("folder");
    let cases = [
        (
            "1000\n",
            "800\n",
            "anon 10\ninactive_file 300\n",
            Some(limit(1000, 500)),
        ),
        ("1000", "100", "inactive_file 300", Some(limit(1000, 1000))),
        ("500", "800", "anon 10", Some(limit(500, 0))),
        ("max\n", "800\n", "inactive_file 300\n", None),
    ];
    for (total, usage, statistics, expected) in cases {
        let files = [
            ("memory.max", total),
            ("memory.current", usage),
            ("memory.stat", statistics),
        ];
        write(mount.path(), &files);
        let limits = groups("0::/\n", mount.path());
        assert_eq!(limits, Vec::from_iter(expected), "{total} {usage} {statistics}");
    }
}

#[test]
fn the_groups_around_count_too() {
    let mount = tempfile::tempdir().expect("folder");
    let outer = mount.path().join("user.slice");
    write(&outer, &[("memory.max", "900"), ("memory.current", "800")]);
    let inner = outer.join("hearth.scope");
    write(&inner, &[("memory.max", "500"), ("memory.current", "100")]);
    write(
        &outer.join("other.scope"),
        &[("memory.max", "1"), ("memory.current", "1")],
    );
    assert_eq!(
        groups("0::/user.slice/hearth.scope\n", mount.path()),
        [limit(500, 400), limit(900, 100)]
    );
    // A group without files of its own, as one that is seen from within a container.
    assert_eq!(
        groups("0::/user.slice/not/there\n", mount.path()),
        [limit(900, 100)]
    );
    assert_eq!(groups("", mount.path()), []);
    assert_eq!(groups("0::/nowhere\n", mount.path()), []);
}

#[test]
fn both_versions_are_read_where_the_kernel_has_them() {
    let mount = tempfile::tempdir().expect("folder");
    let group = mount.path().join("memory/docker");
    let statistics = "inactive_file 1\ntotal_inactive_file 200\n";
    let files = [
        ("memory.limit_in_bytes", "1000"),
        ("memory.usage_in_bytes", "700"),
        ("memory.stat", statistics),
    ];
    write(&group, &files);
    let memberships = "9:name=systemd:/\n4:cpu,memory:/docker\n3:cpuset:/docker\n0::/\n";
    assert_eq!(groups(memberships, mount.path()), [limit(1000, 500)]);
}
