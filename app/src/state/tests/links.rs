//! Links that are clicked: what opens, what is asked about, and what never opens.

use std::slice;

use hearth_protocol::window::Handed;

use super::*;
use crate::state::links::AskedLink;
use crate::state::overlay::Overlay;

/// What becomes of a link that is clicked.
fn follow(desk: &mut Desk, address: &str) -> String {
    let effects = desk
        .state
        .update(Msg::FollowLink(address.to_owned()), UnixMillis(NOW));
    match (&*effects, &desk.state.overlay) {
        ([Effect::Window(WindowEffect::OpenLink(opened))], None) => format!("opens {opened}"),
        ([Effect::Window(WindowEffect::FocusOverlay)], Some(Overlay::Link(link))) => {
            let word = if link.can_open { "asks" } else { "refuses" };
            word.to_owned()
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn web_pages_open_and_all_else_is_asked_about() {
    let cases = [
        ("https://a.example/b?c=d#e", "opens https://a.example/b?c=d#e"),
        ("HTTP://a.example", "opens HTTP://a.example"),
        ("mailto:me@a.example", "asks"),
        ("file:///etc/passwd", "asks"),
        ("vscode://x", "asks"),
        // These are programs, or pages that a message wrote itself.
        ("javascript:alert(1)", "refuses"),
        ("JavaScript:alert(1)", "refuses"),
        ("data:text/html,<script>", "refuses"),
        // These lead nowhere.
        ("", "refuses"),
        ("#part", "refuses"),
        ("../secret", "refuses"),
        ("/etc/passwd", "refuses"),
        ("C:\\Windows", "refuses"),
        ("-option", "refuses"),
        // These look like another address than they are.
        ("https://a.example/\u{202e}moc.b", "refuses"),
        ("https://a.example/ b", "refuses"),
        ("https://a.example/\nb", "refuses"),
        ("java\nscript:alert(1)", "refuses"),
    ];
    for (address, expected) in cases {
        assert_eq!(follow(&mut Desk::new(), address), expected, "{address:?}");
    }
}

#[test]
fn a_question_is_answered_once() {
    let effects = |desk: &mut Desk, msg: Msg| desk.state.update(msg, UnixMillis(NOW));
    let focus = Effect::Window(WindowEffect::FocusComposer);
    let mut desk = Desk::new();
    follow(&mut desk, "mailto:me@a.example");
    let open = Effect::Window(WindowEffect::OpenLink("mailto:me@a.example".into()));
    assert_eq!(effects(&mut desk, Msg::OpenAskedLink), [focus.clone(), open]);
    assert_eq!(effects(&mut desk, Msg::OpenAskedLink), []);

    follow(&mut desk, "javascript:x");
    assert_eq!(effects(&mut desk, Msg::OpenAskedLink), slice::from_ref(&focus));
    follow(&mut desk, "javascript:x");
    let copy = Effect::Window(WindowEffect::Copy("javascript:x".into()));
    assert_eq!(effects(&mut desk, Msg::CopyAskedLink), [focus.clone(), copy]);

    follow(&mut desk, "file:///a");
    assert_eq!(effects(&mut desk, Msg::Escape), [focus]);
    assert!(desk.state.overlay.is_none());
}

#[test]
fn the_address_of_a_question_shows_what_hides_in_it() {
    let link = AskedLink {
        address: "https://a.example/\u{202e}x".into(),
        can_open: false,
    };
    assert_eq!(link.shown(), "https://a.example/[U+202E]x");
}

#[test]
fn a_link_that_does_not_open_is_told() {
    let mut desk = Desk::new();
    desk.all([Msg::LinkNotOpened("no program opens it".into())]);
    let toast = &desk.state.toasts.shown()[0];
    assert_eq!(
        (&*toast.title, &*toast.text),
        ("The link did not open", "no program opens it")
    );
}

#[test]
fn what_hearth_is_started_with_is_shown_and_nothing_is_done_with_it() {
    let link = "hearth://Ada/owl-GGUF:Q4_K_M";
    // At the start itself.
    let mut desk = Desk::new();
    desk.state.places.handed = Handed::read(link);
    desk.all([Msg::Start]);
    assert_eq!(desk.state.page(), Page::Discover);
    let shown = |desk: &Desk| {
        desk.state
            .discover
            .shown
            .as_ref()
            .map(|shown| shown.model.to_string())
    };
    assert_eq!(shown(&desk).as_deref(), Some("Ada/owl-GGUF"));
    // By a second start, whatever is open.
    let mut desk = Desk::new();
    let hand = |text: &str| Msg::Backend(News::ShowWindow(Handed::read(text)));
    desk.all([Msg::TogglePalette, hand(link)]);
    assert_eq!(
        (desk.state.page(), desk.state.overlay.is_some()),
        (Page::Discover, false)
    );
    desk.all([hand("file:///models/a%20b.gguf")]);
    assert_eq!(desk.state.page(), Page::Models);
    let Some(Overlay::ImportModel(form)) = &desk.state.overlay else {
        panic!("no form: {:?}", desk.state.overlay);
    };
    assert_eq!(form.path, "/models/a b.gguf");
    for doing in ["Import(", "Download", "Load"] {
        assert!(!desk.log.contains(doing), "{doing}: {}", desk.log);
    }
}
