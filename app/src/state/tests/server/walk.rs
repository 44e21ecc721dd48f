//! Whatever happens in whatever order: what needs a key is not asked for without one.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn configs() -> impl Strategy<Value = ServerConfig> {
    select(vec![
        ServerConfig::default(),
        with(|config| config.network = true),
        with(|config| config.keys_required = true),
        with(|config| config.cors_origins = vec!["*".into()]),
    ])
}

fn person() -> impl Strategy<Value = ServerMsg> {
    prop_oneof![
        4 => Just(ServerMsg::Toggle),
        1 => select(vec!["0", "80", "8080"]).prop_map(|port| ServerMsg::PortChanged(port.into())),
        1 => Just(ServerMsg::CommitPort),
        1 => Just(ServerMsg::UseFreePort),
        1 => any::<bool>().prop_map(ServerMsg::SetStartWithHearth),
        2 => any::<bool>().prop_map(ServerMsg::SetNetwork),
        2 => any::<bool>().prop_map(ServerMsg::SetKeysRequired),
        1 => select(vec!["*", "https://a.example", "a"]).prop_map(|origin| ServerMsg::OriginChanged(origin.into())),
        1 => Just(ServerMsg::AddOrigin),
        1 => Just(ServerMsg::RemoveOrigin("*".into())),
        1 => Just(ServerMsg::BeginKey),
        2 => "[a ]{0,2}".prop_map(ServerMsg::KeyNameChanged),
        2 => Just(ServerMsg::MakeKey),
        1 => Just(ServerMsg::CloseKey),
        1 => (1_i64..3).prop_map(|key| ServerMsg::AskRevoke(ApiKeyId(key))),
        2 => Just(ServerMsg::Revoke),
    ]
}

fn news() -> impl Strategy<Value = Msg> {
    prop_oneof![
        3 => configs().prop_map(|config| started(&config)),
        1 => configs().prop_map(|config| refused(&config, taken(1234, Some(1235)))),
        2 => Just(tell(ServerNews::Stopped(Ok(())))),
        1 => Just(tell(ServerNews::Event(ServerEvent::Status(ServerStatus::Stopped)))),
        1 => Just(keys([])),
        1 => Just(tell(ServerNews::Event(ServerEvent::Keys(Vec::new())))),
        1 => Just(tell(ServerNews::Event(ServerEvent::Keys(vec![key(2, "Phone")])))),
        1 => Just(keys([key(1, "Laptop")])),
        2 => Just(made(2, "Phone")),
        2 => (1_i64..3).prop_map(|id| tell(ServerNews::KeyRevoked { key: ApiKeyId(id), result: Ok(()) })),
        1 => configs().prop_map(settings),
        1 => Just(Msg::Escape),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_that_needs_a_key_is_started_without_one(
        msgs in proptest::collection::vec(prop_oneof![person().prop_map(Msg::Server), news()], 0..80),
    ) {
        let mut desk = desk([]);
        for msg in msgs {
            let effects = desk.state.update(msg.clone(), UnixMillis(NOW));
            for effect in effects {
                if let Effect::Backend(BackendEffect::Server(ServerEffect::Start(config))) = effect {
                    let allowed = !config.needs_key() || !desk.state.server.keys.is_empty();
                    prop_assert!(allowed, "{msg:?} starts {config:?}");
                    prop_assert!(desk.state.server.is_on());
                }
            }
            // Drawing everything must not fail either.
            desk.page();
        }
    }
}
