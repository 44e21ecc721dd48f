//! A hub, or someone on the way to it, that means harm.

use super::*;

#[tokio::test]
async fn a_redirect_elsewhere_takes_no_token_along_and_one_in_circles_ends() {
    let hub = Both::start(Some(TOKEN));
    let elsewhere = Both::start(None);
    for hub in [&hub, &elsewhere] {
        hub.theirs.add(Repo::new("o/n").with("a.gguf", "x"));
    }
    let to = |address: String| Fault::Status(302, vec![("location", address)], "");
    let there = format!(
        "{}/api/models/o/n/revision/main?blobs=true",
        elsewhere.theirs.url()
    );
    hub.theirs.fault(Place::Api, "", Some(1), to(there));
    assert!(hub.ours.model(&model("o/n"), "main").await.is_ok());
    assert_eq!(elsewhere.theirs.seen().len(), 1);
    assert_eq!(elsewhere.theirs.seen()[0].authorization, None);

    hub.theirs
        .fault(Place::Api, "", None, to("/api/models/o/n".into()));
    let error = hub.ours.model(&model("o/n"), "main").await.expect_err("circles");
    assert!(error.to_string().contains("in circles"), "{error}");

    hub.theirs
        .fault(Place::Resolve, "", None, to("file:///etc/hostname".into()));
    let error = hub
        .ours
        .locate(&model("o/n"), "main", "a.gguf")
        .await
        .expect_err("a file");
    assert!(error.to_string().contains("not of the web"), "{error}");
}

#[tokio::test]
async fn names_that_would_lead_elsewhere_are_asked_of_nobody() {
    let hub = Both::start(None);
    for name in [
        "",
        "o",
        "o/",
        "/n",
        "o/n/x",
        "../n",
        "o/..",
        "o/n\r\nX: y",
        "o\\n/x",
        "o/n:",
        "o/n ",
    ] {
        let refused = hub.ours.model(&model(name), "main").await;
        assert!(
            matches!(refused, Err(Error::Invalid { .. })),
            "{name:?}: {refused:?}"
        );
    }
    for revision in ["", "..", "a/../b", "main\r\nX: y", "/main"] {
        let refused = hub.ours.model(&model("o/n"), revision).await;
        assert!(
            matches!(refused, Err(Error::Invalid { .. })),
            "{revision:?}: {refused:?}"
        );
        let refused = hub.ours.tree(&model("o/n"), revision).await;
        assert!(
            matches!(refused, Err(Error::Invalid { .. })),
            "{revision:?}: {refused:?}"
        );
    }
    assert_eq!(hub.theirs.seen(), []);
}

#[tokio::test]
async fn a_hostile_answer_is_refused_with_words_that_print_nothing_of_it() {
    let hub = Both::start(Some(TOKEN));
    hub.theirs.add(Repo::new("o/n").with("a.gguf", "x"));
    let says = |hub: &Both, body: &'static str| {
        hub.theirs.mend();
        hub.theirs
            .fault(Place::Api, "", None, Fault::Status(200, Vec::new(), body));
    };
    let bodies = [
        "",
        "[]",
        "{\"id\":3}",
        "{\"id\":\"\\u001b]0;owned\\u0007/x\"}",
        "{\"id\":\"../../x\"}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ];
    for body in bodies {
        says(&hub, body);
        let error = hub.ours.model(&model("o/n"), "main").await.expect_err("refused");
        assert!(matches!(error, Error::HubDown { .. }), "{body}: {error:?}");
        assert!(!error.to_string().contains(['\u{1b}', '\u{7}']), "{error:?}");
    }
    says(&hub, "{\"name\":\"per\\u001b[31mson\\r\"}");
    assert_eq!(hub.ours.who_am_i().await.expect("an account").name, "per[31mson");
}

#[tokio::test]
async fn a_list_of_files_that_does_not_end_is_no_list() {
    let hub = Both::start(None);
    let next = vec![("link", "<?cursor=1>; rel=\"next\"".to_owned())];
    hub.theirs
        .fault(Place::Api, "", None, Fault::Status(200, next, "[]"));
    let error = hub.ours.tree(&model("o/n"), "main").await.expect_err("endless");
    assert!(error.to_string().contains("does not end"), "{error}");
    assert_eq!(hub.theirs.seen().len(), MAX_PAGES);
}

#[tokio::test]
async fn a_signed_address_is_in_no_error() {
    let hub = Both::start(None);
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr();
    let url = format!("http://{}/f?signature=secret", closed.expect("an address"));
    let location = Location {
        url: Url::parse(&url).expect("an address"),
        size: None,
    };
    let error = hub
        .ours
        .open(&location, HeaderMap::new())
        .await
        .expect_err("nobody is there");
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
}
