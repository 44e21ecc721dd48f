//! Downloads: their news, and changes of which only a refusal is told.

use hearth_protocol::DownloadId;
use hearth_protocol::command::DownloadCommand;

use super::*;
use crate::effect::downloads::DownloadsEffect;

#[test]
fn news_of_downloads_come_and_of_changes_only_what_was_refused() {
    let mut desk = Desk::new();
    let watch = desk.run(BackendEffect::Downloads(DownloadsEffect::Watch));
    let pause = DownloadsEffect::Pause(DownloadId(1));
    let (first, second) = (pause.clone(), pause);
    let first = desk.run(BackendEffect::Downloads(first));
    let second = desk.run(BackendEffect::Downloads(second));
    let (
        Command::Download(DownloadCommand::Subscribe { mut events }),
        Command::Download(DownloadCommand::Pause { reply: done, .. }),
        Command::Download(DownloadCommand::Pause { reply: refused, .. }),
    ) = (watch, first, second)
    else {
        panic!("other commands");
    };
    events
        .send(DownloadEvent::Removed(DownloadId(2)))
        .expect("a listener");
    done.send(Ok(()));
    refused.send(Err(Error::Cancelled));
    desk.check(expect![[r#"
        Backend(Downloads(Event(Removed(DownloadId(2)))))
        Backend(Downloads(Refused(Cancelled)))
    "#]]);
    drop(events);
    desk.check(expect![[r#"
        Backend(Downloads(Event(Closed(BackendGone))))
    "#]]);
}
