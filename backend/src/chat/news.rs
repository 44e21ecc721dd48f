//! Tells whoever listens what has changed in the list of chats.

use hearth_protocol::chat::list::ChatsEvent;
use hearth_protocol::{ChatId, EventSink, Result};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, oneshot};

use super::Chats;
use crate::store::Store;

/// Changes that a slow listener may be behind before it is told that anything may have changed.
const BEHIND: usize = 256;

/// A change: in a chat, or `None` in the list alone.
type Change = Option<ChatId>;

/// Where changes are told. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct News(broadcast::Sender<Change>);

impl Default for News {
    fn default() -> Self {
        Self(broadcast::Sender::new(BEHIND))
    }
}

impl News {
    /// Tells that something was written in a chat, or about it in the list.
    pub(super) fn of(&self, chat: ChatId) {
        self.tell(Some(chat));
    }

    /// Tells that the list has changed.
    pub(super) fn of_list(&self) {
        self.tell(None);
    }

    fn tell(&self, change: Change) {
        if self.0.send(change).is_err() {
            tracing::trace!("nobody listens for changes of chats");
        }
    }
}

impl Chats {
    /// Tells a listener the list of chats, now and after each change, until it leaves.
    pub(crate) async fn watch(&self, mut events: EventSink<ChatsEvent>) {
        let mut changes = self.news.0.subscribe();
        let (left, has_left) = oneshot::channel::<()>();
        events.on_abandoned(move || drop(left));
        let store = self.store.clone();
        let told = async {
            let mut changed = Some(Vec::new());
            loop {
                let event = match list(&store, changed).await {
                    Ok(event) => event,
                    Err(error) => return events.refuse(error),
                };
                if events.send(event).is_err() {
                    return;
                }
                changed = match next(&mut changes).await {
                    Some(changed) => changed,
                    None => return,
                };
            }
        };
        tokio::select! {
            () = told => (),
            // Nothing is ever sent: the channel closes when the listener leaves.
            _ = has_left => (),
        }
    }
}

async fn list(store: &Store, changed: Option<Vec<ChatId>>) -> Result<ChatsEvent> {
    Ok(ChatsEvent::Chats {
        chats: store.list_chats().await?,
        folders: store.list_folders().await?,
        changed,
    })
}

/// Waits for a change and takes all that have come with it: the chats they are in, or nothing where some were missed.
/// `None` when there can be no more.
async fn next(changes: &mut broadcast::Receiver<Change>) -> Option<Option<Vec<ChatId>>> {
    let mut changed = Some(Vec::new());
    let mut note = |change: Change| {
        if let (Some(chat), Some(changed)) = (change, &mut changed)
            && !changed.contains(&chat)
        {
            changed.push(chat);
        }
    };
    let mut missed = false;
    match changes.recv().await {
        Ok(change) => note(change),
        Err(RecvError::Lagged(_)) => missed = true,
        Err(RecvError::Closed) => return None,
    }
    loop {
        match changes.try_recv() {
            Ok(change) => note(change),
            Err(TryRecvError::Lagged(_)) => missed = true,
            Err(TryRecvError::Empty | TryRecvError::Closed) => break,
        }
    }
    Some(changed.filter(|_| !missed))
}
