//! The guard and the table of routes, over the router itself: no socket, and a library that is empty.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use hearth_protocol::command::LibraryCommand;
use hearth_protocol::library::LibraryEvent;
use hearth_protocol::{Command, EventSink};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::limits::COPIES;
use super::site::{Phase, Site};
use super::*;

/// A router whose backend has an empty library and refuses all else.
async fn router(config: ServerConfig, folder: &tempfile::TempDir) -> (axum::Router, LocalServer) {
    router_within(Limits::default(), config, folder).await
}

/// The same within other limits.
async fn router_within(
    limits: Limits,
    config: ServerConfig,
    folder: &tempfile::TempDir,
) -> (axum::Router, LocalServer) {
    let (client, commands) = Client::new();
    std::thread::spawn(move || {
        let mut kept: Vec<EventSink<LibraryEvent>> = Vec::new();
        for command in commands {
            match command {
                Command::Library(LibraryCommand::Watch { mut events }) => {
                    if events.send(LibraryEvent::Files(Vec::new())).is_ok() {
                        kept.push(events);
                    }
                }
                command => {
                    let error = Error::not_yet(command.name());
                    command.refuse(error);
                }
            }
        }
    });
    let store = Store::open(&folder.path().join("hearth.db")).await;
    let mut server = LocalServer::new(
        client,
        store,
        folder.path().join("logs"),
        folder.path().join("slots"),
    )
    .await;
    server.parts.limits = limits;
    server.parts.bodies = Bodies::new(limits.bodies);
    let (_phase, reached) = watch::channel(Phase::Serving);
    let (_, config) = watch::channel(Arc::new(config));
    let site = Site::new(server.parts.clone(), config, reached);
    (routes::router(site), server)
}

fn get(path: &str) -> axum::http::request::Builder {
    Request::get(path).header("host", "localhost:1234")
}

async fn ask(router: &axum::Router, request: Request<Body>) -> (StatusCode, Value) {
    let response = router.clone().oneshot(request).await.expect("an answer");
    let status = response.status();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

fn empty(builder: axum::http::request::Builder) -> Request<Body> {
    builder.body(Body::empty()).expect("a request")
}

#[tokio::test]
async fn a_refusal_has_the_shape_of_its_interface() {
    let folder = tempfile::tempdir().expect("a folder");
    let (router, _server) = router(ServerConfig::default(), &folder).await;
    let (status, body) = ask(&router, empty(get("/v1/nothing"))).await;
    assert_eq!(
        (status, &body["error"]["param"]),
        (StatusCode::NOT_FOUND, &Value::Null)
    );
    assert_eq!(body["error"]["type"], "not_found_error");
    let (_, body) = ask(&router, empty(get("/v1/messages/nothing"))).await;
    assert_eq!(
        (&body["type"], &body["error"]["type"]),
        (&"error".into(), &"not_found_error".into())
    );
    let (_, body) = ask(&router, empty(get("/nothing"))).await;
    assert_eq!(body["error"]["code"], 404);
    let (status, body) = ask(&router, empty(get("/v1/chat/completions"))).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{body}");
}

/// The words of a library once stood where programs look for JSON.
#[tokio::test]
async fn an_address_that_is_no_text_is_refused_as_all_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (router, _server) = router(ServerConfig::default(), &folder).await;
    let mut count = 0;
    for route in routes::routes() {
        let Some((before, behind)) = route.path.split_once('{') else {
            continue;
        };
        let behind = behind.split_once('}').expect("a name").1;
        let request = Request::builder()
            .method(route.method)
            .uri(format!("{before}%ff{behind}"))
            .header("host", "localhost");
        let (status, body) = ask(&router, empty(request)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{}: {body}", route.path);
        let message = body["error"]["message"].as_str().expect("words");
        assert!(message.contains("UTF-8"), "{}: {message}", route.path);
        count += 1;
    }
    assert!(count > 5);
    let request = get("/slots?fail_on_no_slot=%ff&model=a&model=b");
    let (status, body) = ask(&router, empty(request)).await;
    assert!(
        status.is_client_error() && body["error"]["message"].is_string(),
        "{status}: {body}"
    );
}

#[tokio::test]
async fn a_foreign_host_and_a_foreign_page_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = ServerConfig {
        cors_origins: vec!["https://chat.example.org".into()],
        ..ServerConfig::default()
    };
    let (router, _server) = router(config, &folder).await;
    let (status, body) = ask(
        &router,
        empty(Request::get("/v1/models").header("host", "evil.com")),
    )
    .await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (StatusCode::FORBIDDEN, &"host_not_allowed".into())
    );
    let (status, body) = ask(
        &router,
        empty(get("/v1/models").header("origin", "http://evil.com")),
    )
    .await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (StatusCode::FORBIDDEN, &"origin_not_allowed".into())
    );

    let page = "https://chat.example.org";
    let preflight = Request::options("/v1/chat/completions")
        .header("host", "localhost")
        .header("origin", page)
        .header("access-control-request-headers", "x-stainless-os");
    let response = router.clone().oneshot(empty(preflight)).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(response.headers()["access-control-allow-origin"], page);
    assert_eq!(
        response.headers()["access-control-allow-headers"],
        "x-stainless-os"
    );
}

#[tokio::test]
async fn a_key_is_asked_for_where_one_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = ServerConfig {
        keys_required: true,
        ..ServerConfig::default()
    };
    let (router, server) = router(config, &folder).await;
    let key = server.parts.keys.make("test").await.expect("a key");
    let (status, body) = ask(&router, empty(get("/v1/models"))).await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (StatusCode::UNAUTHORIZED, &"invalid_api_key".into())
    );
    let wrong = get("/v1/models").header("authorization", "Bearer hearth-wrong");
    assert_eq!(ask(&router, empty(wrong)).await.0, StatusCode::UNAUTHORIZED);
    let right = get("/v1/models").header("x-api-key", key.secret.expose());
    assert_eq!(ask(&router, empty(right)).await.0, StatusCode::OK);
    // What is meant for a proxy on the way does not hide it.
    let both = get("/v1/models")
        .header("authorization", "Bearer other")
        .header("x-api-key", key.secret.expose());
    assert_eq!(ask(&router, empty(both)).await.0, StatusCode::OK);
    // Whether it is there, it says to everyone.
    assert_eq!(ask(&router, empty(get("/health"))).await.0, StatusCode::OK);

    server.parts.keys.revoke(key.key.id).await.expect("revoked");
    let revoked = get("/v1/models").header("x-api-key", key.secret.expose());
    assert_eq!(ask(&router, empty(revoked)).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn without_a_key_there_is_no_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_router, server) = router(ServerConfig::default(), &folder).await;
    let config = ServerConfig {
        port: 0,
        network: true,
        ..ServerConfig::default()
    };
    let refused = server.start(config).await;
    assert!(matches!(refused, Err(Error::Invalid { field, .. }) if field == "network"));
}

#[tokio::test]
async fn a_taken_port_is_named_with_a_free_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_router, server) = router(ServerConfig::default(), &folder).await;
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = other.local_addr().expect("an address").port();
    let config = ServerConfig {
        port,
        ..ServerConfig::default()
    };
    // The next one is taken too, where there is IPv6, and by nobody that IPv4 would see.
    let next = std::net::TcpListener::bind(("::1", port + 1)).ok();
    let free = match server.start(config.clone()).await {
        Err(Error::PortTaken {
            port: taken,
            free: Some(free),
        }) if taken == port => free,
        outcome => panic!("{outcome:?}"),
    };
    assert!(next.is_none() || free != port + 1, "{free} is taken");
    let offered = ServerConfig {
        port: free,
        ..config.clone()
    };
    let started = server.start(offered).await;
    assert!(matches!(started, Ok(ServerStatus::Running { .. })), "{started:?}");
    drop(other);
    // Started, started again and started another way: it is there, and the port is free at the end.
    for keys_required in [false, false] {
        let config = ServerConfig {
            keys_required,
            ..config.clone()
        };
        assert!(matches!(
            server.start(config).await,
            Ok(ServerStatus::Running { .. })
        ));
    }
    server.stop().await;
    std::net::TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
}

#[tokio::test]
async fn the_memory_of_a_body_is_free_again_when_its_request_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits {
        bodies: 100 * COPIES,
        ..Limits::default()
    };
    let (router, _server) = router_within(limits, ServerConfig::default(), &folder).await;
    let post = |path: &str, length: usize| {
        let request = Request::post(path).header("host", "localhost");
        request.body(Body::from(vec![b' '; length])).expect("a request")
    };
    for _ in 0..3 {
        let (status, body) = ask(&router, post("/tokenize", 60)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    }
    let held = router
        .clone()
        .oneshot(post("/tokenize", 60))
        .await
        .expect("an answer");
    let response = router
        .clone()
        .oneshot(post("/v1/messages", 60))
        .await
        .expect("an answer");
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(body["error"]["type"], "overloaded_error", "{body}");
    drop(held);
    let (status, body) = ask(&router, post("/tokenize", 60)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
}

#[test]
fn each_route_is_there_once() {
    let mut seen = std::collections::HashSet::new();
    for route in routes::routes() {
        assert!(
            seen.insert((route.method.clone(), route.path)),
            "{} {}",
            route.method,
            route.path
        );
    }
}
