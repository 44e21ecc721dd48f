use proptest::prelude::*;

use super::HeldState::{Busy, Going, Idle, Loading};
use super::*;

const GB: u64 = 1_000_000_000;

fn held(id: u64, gigabytes: u64, state: HeldState) -> Held {
    Held {
        id,
        need: Some(gigabytes * GB),
        state,
    }
}

fn limit(gigabytes: u64) -> Budget {
    Budget {
        limit: Some(gigabytes * GB),
        free: None,
    }
}

fn limit_and_free(limit: u64, free: u64) -> Budget {
    Budget {
        limit: Some(limit * GB),
        free: Some(free * GB),
    }
}

/// The held ones, the need in GB, the budget, the decision.
type Case = (Vec<Held>, u64, Budget, Decision);

fn check(cases: Vec<Case>) {
    for (held, need, budget, decision) in cases {
        assert_eq!(
            plan(&held, Some(need * GB), budget),
            decision,
            "{need} GB beside {held:?} with {budget:?}"
        );
    }
}

#[test]
fn a_guard_of_a_number_and_none_do_not_heed_what_is_free() {
    let memory = Memory {
        total: Some(8 * GB),
        free: Some(1),
    };
    let budget = |limit, free| Budget { limit, free };
    let cases = [
        (MemoryGuard::Off, budget(None, None)),
        (MemoryGuard::Balanced, budget(Some(6_800_000_000), Some(1))),
        (MemoryGuard::Gigabytes(3), budget(Some(3 * GB), None)),
    ];
    for (guard, expected) in cases {
        assert_eq!(Budget::of(memory, guard), expected);
    }
}

#[test]
fn what_fits_is_loaded() {
    check(vec![
        (vec![], 6, limit(6), Decision::LoadNow),
        (vec![held(1, 3, Idle)], 3, limit(6), Decision::LoadNow),
        (vec![held(1, 3, Busy)], 3, limit_and_free(6, 3), Decision::LoadNow),
        (vec![held(1, 3, Busy)], 20, Budget::default(), Decision::LoadNow),
    ]);
}

/// 8 GB, of which the guard leaves 6.8; A with 5 GB is in memory and B with 6 shall come. A guard once counted A, which
/// was about to go, and "off" was heeded as little.
#[test]
fn the_model_that_goes_is_not_counted() {
    let a = vec![held(1, 5, Idle)];
    let guard = Budget {
        limit: Some(6_800_000_000),
        free: Some(3 * GB),
    };
    let off = Budget::default();
    check(vec![
        (a.clone(), 6, guard, Decision::UnloadFirst(vec![1])),
        (a, 20, off, Decision::LoadNow),
        (vec![held(1, 5, Going)], 6, guard, Decision::WaitFor(1)),
        (vec![], 6, limit_and_free(7, 8), Decision::LoadNow),
    ]);
}

#[test]
fn the_least_recently_used_idle_one_goes_and_no_more_than_needed() {
    let three = vec![held(7, 2, Idle), held(3, 2, Idle), held(5, 2, Idle)];
    check(vec![
        (three.clone(), 2, limit(6), Decision::UnloadFirst(vec![7])),
        (three.clone(), 3, limit(6), Decision::UnloadFirst(vec![7, 3])),
        (three, 6, limit(6), Decision::UnloadFirst(vec![7, 3, 5])),
        // The first alone does not make room, and beside the second it is not needed.
        (
            vec![held(1, 1, Idle), held(2, 4, Idle)],
            4,
            limit(6),
            Decision::UnloadFirst(vec![2]),
        ),
        // A busy one stays, however long ago it was asked.
        (
            vec![held(1, 3, Busy), held(2, 3, Idle)],
            3,
            limit(6),
            Decision::UnloadFirst(vec![2]),
        ),
    ]);
}

#[test]
fn nothing_idle_goes_where_that_is_not_enough() {
    check(vec![
        (
            vec![held(1, 2, Idle), held(2, 3, Busy)],
            5,
            limit(6),
            Decision::WaitFor(2),
        ),
        (
            vec![held(1, 2, Idle), held(2, 3, Loading)],
            5,
            limit(6),
            Decision::WaitFor(2),
        ),
        (
            vec![held(1, 2, Idle)],
            7,
            limit(6),
            Decision::Refuse(Shortage::Limit {
                need: 7 * GB,
                limit: 6 * GB,
            }),
        ),
    ]);
}

#[test]
fn other_programs_count_too() {
    check(vec![
        (
            vec![],
            5,
            limit_and_free(8, 4),
            Decision::Refuse(Shortage::Free {
                need: 5 * GB,
                room: 4 * GB,
            }),
        ),
        (
            vec![held(1, 2, Idle)],
            5,
            limit_and_free(8, 3),
            Decision::UnloadFirst(vec![1]),
        ),
        // One that loads has been promised its memory.
        (
            vec![held(1, 2, Loading)],
            3,
            limit_and_free(8, 4),
            Decision::WaitFor(1),
        ),
    ]);
}

#[test]
fn those_that_end_are_waited_for_before_another_goes() {
    check(vec![
        (
            vec![held(1, 2, Idle), held(2, 4, Going)],
            4,
            limit(6),
            Decision::WaitFor(2),
        ),
        (
            vec![held(1, 2, Idle), held(2, 4, Going)],
            5,
            limit(6),
            Decision::UnloadFirst(vec![1]),
        ),
    ]);
}

#[test]
fn what_is_unknown_never_hinders() {
    let unknown = Held {
        id: 1,
        need: None,
        state: Busy,
    };
    assert_eq!(plan(&[held(1, 6, Busy)], None, limit(6)), Decision::LoadNow);
    assert_eq!(plan(&[unknown], Some(6 * GB), limit(6)), Decision::LoadNow);
}

#[test]
fn a_refusal_has_numbers_and_a_way_out() {
    let text = Shortage::Limit {
        need: 20 * GB,
        limit: 6_800_000_000,
    }
    .to_string();
    assert!(
        text.contains("20.0 GB") && text.contains("6.80 GB") && text.contains("load it anyway"),
        "{text}"
    );
}

fn any_held() -> impl Strategy<Value = Vec<Held>> {
    let state = prop_oneof![Just(Idle), Just(Busy), Just(Loading), Just(Going)];
    let need = prop_oneof![
        1 => Just(None),
        1 => Just(Some(u64::MAX)),
        8 => (0..10u64).prop_map(|gigabytes| Some(gigabytes * GB)),
    ];
    proptest::collection::vec((need, state), 0..6).prop_map(|all| {
        let numbered = all.into_iter().zip(1..);
        numbered
            .map(|((need, state), id)| Held { id, need, state })
            .collect()
    })
}

proptest! {
    /// Whatever is held: only idle ones go, what is waited for is there and not idle, and once all that was decided has
    /// come true, the decision is to load. So nobody waits for ever, and nothing goes in vain.
    #[test]
    fn decisions_lead_to_a_load_or_a_refusal(
        held in any_held(),
        need in 0..20u64,
        limit in proptest::option::of(0..20u64),
        free in proptest::option::of(0..20u64),
    ) {
        let need = Some(need * GB);
        let mut budget = Budget { limit: limit.map(|limit| limit * GB), free: free.map(|free| free * GB) };
        let mut held = held;
        for step in 0..20 {
            match plan(&held, need, budget) {
                Decision::LoadNow => return Ok(()),
                Decision::Refuse(_) => {
                    prop_assert_eq!(step, 0, "what was promised is kept");
                    return Ok(());
                }
                Decision::UnloadFirst(ids) => {
                    prop_assert!(!ids.is_empty());
                    for held in held.iter_mut().filter(|held| ids.contains(&held.id)) {
                        prop_assert_eq!(held.state, Idle);
                        held.state = Going;
                    }
                }
                Decision::WaitFor(id) => {
                    let place = held.iter().position(|held| held.id == id).expect("it is held");
                    match held[place].state {
                        Idle => prop_assert!(false, "an idle one is not waited for"),
                        Busy => held[place].state = Idle,
                        Loading => {
                            budget.free = budget.free.map(|free| free.saturating_sub(held[place].need.unwrap_or(0)));
                            held[place].state = Idle;
                        }
                        Going => {
                            budget.free = budget.free.map(|free| free.saturating_add(held[place].need.unwrap_or(0)));
                            held.remove(place);
                        }
                    }
                }
            }
        }
        prop_assert!(false, "it goes on for ever");
    }
}
