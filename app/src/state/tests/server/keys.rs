//! The keys, and what needs one: the network, programs of this machine, any web page.

use super::*;
use crate::text::key;

#[test]
fn the_network_needs_a_key_first_and_goes_on_with_it() {
    let mut desk = desk([]);
    desk.server(ServerMsg::SetNetwork(true));
    expect![[r#"
        Off http://127.0.0.1:1234/v1 port 1234
        name a key first: "" 
    "#]]
    .assert_eq(&desk.page());
    // Giving up leaves it off.
    desk.all([Msg::ShowPage(Page::Server), Msg::Escape]);
    desk.log.clear();
    assert_eq!(desk.page(), "Off http://127.0.0.1:1234/v1 port 1234\n");

    desk.server(ServerMsg::SetNetwork(true));
    desk.server(ServerMsg::MakeKey);
    desk.server(ServerMsg::KeyNameChanged(" Laptop ".into()));
    desk.server(ServerMsg::MakeKey);
    desk.server(ServerMsg::MakeKey);
    desk.all([made(1, "Laptop")]);
    desk.server(ServerMsg::CopyKey);
    expect![[r#"
        -> Server(MakeKey("Laptop"))
        -> write settings, theme System
        -> Copy("hearth-Ab3d-secret")
        Off http://127.0.0.1:1234/v1 port 1234 [network]
        made Laptop: hearth-Ab3d-secret
        key Laptop hearth-Ab3d… Never used
    "#]]
    .assert_eq(&desk.page());
    // The key is gone from the window once that is closed.
    desk.server(ServerMsg::CloseKey);
    assert!(!desk.page().contains("secret"));
}

#[test]
fn a_running_server_opens_to_the_network_once_there_is_a_key() {
    let mut desk = desk([]);
    desk.server(ServerMsg::Toggle);
    desk.all([started(&ServerConfig::default())]);
    desk.log.clear();
    desk.server(ServerMsg::SetNetwork(true));
    assert_eq!(desk.log, "", "nothing yet");
    desk.server(ServerMsg::KeyNameChanged("Laptop".into()));
    desk.server(ServerMsg::MakeKey);
    desk.all([made(1, "Laptop")]);
    let open = with(|config| config.network = true);
    let effect = Effect::Backend(BackendEffect::Server(ServerEffect::Start(Box::new(open.clone()))));
    assert!(desk.log.contains(&effect_line(&effect)), "{}", desk.log);
    desk.all([started(&open)]);
    desk.log.clear();
    assert!(
        desk.page()
            .contains("Running http://127.0.0.1:1234/v1 port 1234 [network]")
    );

    // Without its last key it is closed again.
    desk.server(ServerMsg::AskRevoke(ApiKeyId(1)));
    assert!(
        desk.page()
            .contains("It is the last key: other devices can no longer connect.")
    );
    desk.server(ServerMsg::Revoke);
    desk.all([tell(ServerNews::KeyRevoked {
        key: ApiKeyId(1),
        result: Ok(()),
    })]);
    desk.all([started(&ServerConfig::default())]);
    assert!(!desk.state.settings.shown().server.network);
    assert!(desk.log.contains("RevokeKey"), "{}", desk.log);
}

#[test]
fn a_server_that_needs_a_key_is_not_started_without_one() {
    for config in [
        with(|config| config.keys_required = true),
        with(|config| config.cors_origins = vec!["*".into()]),
    ] {
        let mut desk = desk([]);
        desk.all([settings(config.clone())]);
        desk.server(ServerMsg::Toggle);
        assert_eq!(desk.log, "", "no start");
        desk.server(ServerMsg::KeyNameChanged("Laptop".into()));
        desk.server(ServerMsg::MakeKey);
        desk.all([made(1, "Laptop")]);
        assert_eq!(
            desk.state.server_view().state,
            key!("server-starting"),
            "what was pressed goes on"
        );
    }
}

#[test]
fn a_key_is_asked_about_before_it_goes() {
    let mut desk = desk([key(1, "Laptop"), key(2, "Phone")]);
    desk.server(ServerMsg::AskRevoke(ApiKeyId(1)));
    expect![[r#"
        Off http://127.0.0.1:1234/v1 port 1234
        key Laptop hearth-Ab3d… Never used (Revoke Laptop? Programs that use it are refused at once.)
        key Phone hearth-Ab3d… Never used
    "#]]
    .assert_eq(&desk.page());
    desk.server(ServerMsg::KeepKey);
    desk.server(ServerMsg::Revoke);
    assert_eq!(desk.log, "");
    desk.server(ServerMsg::AskRevoke(ApiKeyId(1)));
    desk.server(ServerMsg::Revoke);
    desk.all([tell(ServerNews::KeyRevoked {
        key: ApiKeyId(1),
        result: Ok(()),
    })]);
    expect![[r#"
        -> Server(RevokeKey(ApiKeyId(1)))
        Off http://127.0.0.1:1234/v1 port 1234
        key Phone hearth-Ab3d… Never used
    "#]]
    .assert_eq(&desk.page());
    // One that could not be revoked stays, and the list is read anew.
    desk.server(ServerMsg::AskRevoke(ApiKeyId(2)));
    desk.server(ServerMsg::Revoke);
    desk.log.clear();
    desk.all([tell(ServerNews::KeyRevoked {
        key: ApiKeyId(2),
        result: Err(trouble()),
    })]);
    expect![[r#"
        -> Server(ListKeys)
        Off http://127.0.0.1:1234/v1 port 1234
        key Phone hearth-Ab3d… Never used
        toast The key was not revoked: The database of chats: the disk is full.
    "#]]
    .assert_eq(&desk.page());
}

#[test]
fn a_key_that_was_not_made_says_why_in_its_form() {
    let mut desk = desk([]);
    desk.server(ServerMsg::BeginKey);
    desk.server(ServerMsg::MakeKey);
    assert!(desk.page().contains("Say what the key is for"), "a blank name");
    desk.server(ServerMsg::KeyNameChanged("Laptop".into()));
    desk.server(ServerMsg::MakeKey);
    desk.all([tell(ServerNews::KeyMade(Err(trouble())))]);
    assert!(
        desk.page()
            .contains(r#"name a key: "Laptop" The database of chats: the disk is full."#)
    );
}

#[test]
fn origins_are_checked_added_once_and_removed() {
    let mut desk = desk([]);
    let add = |desk: &mut Desk, text: &str| {
        desk.server(ServerMsg::OriginChanged(text.into()));
        desk.server(ServerMsg::AddOrigin);
    };
    for wrong in ["example.org", "https://a/b", "ftp://a"] {
        add(&mut desk, wrong);
        assert!(desk.state.server.origin_is_bad, "{wrong}");
        assert_eq!(desk.state.server.origin, wrong, "it can be mended");
    }
    for right in [
        "https://a.example/",
        "https://a.example",
        " http://localhost:3000 ",
    ] {
        add(&mut desk, right);
        assert_eq!(
            (desk.state.server.origin_is_bad, &*desk.state.server.origin),
            (false, "")
        );
    }
    let origins = |desk: &Desk| desk.state.server_view().config.cors_origins;
    assert_eq!(origins(&desk), ["https://a.example", "http://localhost:3000"]);
    assert_eq!(desk.state.server_view().origins, "2 origins");
    desk.server(ServerMsg::RemoveOrigin("https://a.example".into()));
    assert_eq!(origins(&desk), ["http://localhost:3000"]);
    // Any page: that needs a key.
    add(&mut desk, "*");
    assert_eq!(origins(&desk).len(), 1);
    assert!(desk.page().contains("name a key first"));
}

/// Keys that a command made were once seen only when the page was opened again.
#[test]
fn keys_that_others_make_or_revoke_show_at_once() {
    let told = |keys: Vec<ApiKey>| tell(ServerNews::Event(ServerEvent::Keys(keys)));
    let mut desk = desk([key(1, "Laptop")]);
    desk.server(ServerMsg::AskRevoke(ApiKeyId(1)));
    desk.all([told(vec![key(1, "Laptop"), key(2, "Phone")])]);
    let page = desk.page();
    assert!(
        page.contains("key Phone") && page.contains("Revoke Laptop?"),
        "{page}"
    );
    // What is asked about is gone already.
    desk.all([told(vec![key(2, "Phone")])]);
    let page = desk.page();
    assert!(!page.contains("Laptop"), "{page}");
    desk.server(ServerMsg::Revoke);
    assert_eq!(desk.log, "");
}

#[test]
fn a_key_that_is_told_before_its_answer_is_there_once() {
    let told = |keys: Vec<ApiKey>| tell(ServerNews::Event(ServerEvent::Keys(keys)));
    let mut desk = desk([]);
    desk.server(ServerMsg::SetNetwork(true));
    desk.server(ServerMsg::KeyNameChanged("Laptop".into()));
    desk.server(ServerMsg::MakeKey);
    desk.all([told(vec![key(1, "Laptop")]), made(1, "Laptop")]);
    assert_eq!(desk.state.key_rows().len(), 1);
    assert!(desk.state.settings.shown().server.network);
    // The last one goes, and with it the network, whichever is told first.
    desk.server(ServerMsg::AskRevoke(ApiKeyId(1)));
    desk.server(ServerMsg::Revoke);
    let revoked = tell(ServerNews::KeyRevoked {
        key: ApiKeyId(1),
        result: Ok(()),
    });
    desk.all([told(Vec::new()), revoked]);
    assert!(!desk.state.settings.shown().server.network);
}
