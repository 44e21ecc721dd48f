//! The desktop's notifications, for who does not look at the window.

use std::thread;

use notify_rust::Notification;

/// Tells something by the desktop, on a thread of its own: its service may take a while to answer. A desktop without one
/// tells nothing, which is no fault.
pub(crate) fn tell(title: String, text: String) {
    let work = move || {
        let mut notification = Notification::new();
        notification
            .appname("Hearth")
            .icon("hearth")
            .summary(&title)
            .body(&escaped(&text));
        if let Err(error) = notification.show() {
            tracing::info!(%error, "the desktop shows no notification");
        }
    };
    if let Err(error) = thread::Builder::new().name("hearth-notify".into()).spawn(work) {
        tracing::warn!(%error, "nothing is told by the desktop");
    }
}

/// A text in which a desktop that reads a few tags of HTML there finds none.
fn escaped(text: &str) -> String {
    if cfg!(any(target_os = "macos", target_os = "windows")) {
        return text.to_owned();
    }
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    #[cfg(target_os = "linux")]
    fn no_name_of_a_file_can_be_a_tag() {
        assert_eq!(escaped("<b>a & b"), "&lt;b&gt;a &amp; b");
    }
}
