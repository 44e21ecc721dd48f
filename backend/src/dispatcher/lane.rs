//! Commands that change what is stored: carried out one after the other, in the order in which they were asked. Of
//! two that change the same thing the later one wins, and none is lost at the end.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use hearth_protocol::{Error, Reply, Result};
use tokio::sync::{mpsc, oneshot};

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A queue of work and a task that does it. What is put here must be short and wait for no folder of a person's, since
/// what follows waits for it. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct Lane(mpsc::UnboundedSender<Work>);

impl Lane {
    /// An empty lane. Must be called within the runtime.
    pub(super) fn open() -> Self {
        let (lane, mut waiting) = mpsc::unbounded_channel::<Work>();
        tokio::spawn(async move {
            while let Some(work) = waiting.recv().await {
                // A task of its own, so that a panic ends this command and not those behind it.
                if let Err(error) = tokio::spawn(work).await {
                    tracing::error!(%error, "a command broke off");
                }
            }
        });
        Self(lane)
    }

    /// Sends the outcome of `work` when its turn has come.
    pub(super) fn answer<T: Send + 'static>(
        &self,
        reply: Reply<T>,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) {
        self.add(async move { reply.send(work.await) });
    }

    /// The outcome of `work` when its turn has come.
    ///
    /// # Errors
    /// That of the work; [`Error::BackendGone`] where it broke off.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (done, outcome) = oneshot::channel();
        self.add(async move {
            if done.send(work.await).is_err() {
                tracing::debug!("nobody waits for the outcome any more");
            }
        });
        outcome.await.unwrap_or(Err(Error::BackendGone))
    }

    /// Waits until all that was asked before is done, but no longer than this. Gives whether it is.
    pub(super) async fn finish(&self, limit: Duration) -> bool {
        let (done, finished) = oneshot::channel();
        self.add(async move {
            if done.send(()).is_err() {
                tracing::debug!("nobody waits for the end of the lane any more");
            }
        });
        // An error means that the runtime has ended, and the lane with it.
        let is_done = tokio::time::timeout(limit, finished).await.is_ok();
        if !is_done {
            tracing::warn!("the database does not answer; the last changes may be lost");
        }
        is_done
    }

    fn add(&self, work: impl Future<Output = ()> + Send + 'static) {
        if self.0.send(Box::pin(work)).is_err() {
            // What the work carries answers by itself that the backend is gone.
            tracing::debug!("the lane has ended and takes no more commands");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use hearth_protocol::{Answer, Error, Waker};

    use super::*;

    /// Never reached by what ends.
    const LIMIT: Duration = Duration::from_secs(600);

    #[tokio::test(flavor = "multi_thread")]
    async fn work_is_done_in_order_and_finish_waits_for_all_of_it() {
        let lane = Lane::open();
        let done = Arc::new(Mutex::new(Vec::new()));
        let answers: Vec<Answer<u32>> = (0..100)
            .map(|number| {
                let (reply, answer) = Reply::new(Waker::none());
                let done = Arc::clone(&done);
                lane.answer(reply, async move {
                    // The longer it waited, the more often it lets others go first.
                    for _ in number..100 {
                        tokio::task::yield_now().await;
                    }
                    done.lock().expect("lock").push(number);
                    Ok(number)
                });
                answer
            })
            .collect();
        assert!(lane.finish(LIMIT).await);
        assert_eq!(*done.lock().expect("lock"), (0..100).collect::<Vec<u32>>());
        let answers: Vec<_> = answers.iter().filter_map(Answer::try_take).collect();
        assert_eq!(answers, (0..100).map(Ok).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn work_that_breaks_off_is_answered_and_holds_up_nothing() {
        let lane = Lane::open();
        let (reply, broken) = Reply::<u32>::new(Waker::none());
        lane.answer(reply, async { panic!("a fault, for the test") });
        let (reply, whole) = Reply::new(Waker::none());
        lane.answer(reply, async { Ok(7) });
        assert!(lane.finish(LIMIT).await);
        assert_eq!(broken.try_take(), Some(Err(Error::BackendGone)));
        assert_eq!(whole.try_take(), Some(Ok(7)));
    }

    #[tokio::test]
    async fn who_waits_for_work_gets_its_outcome_and_who_leaves_ends_nothing() {
        let lane = Lane::open();
        let done = Arc::new(Mutex::new(Vec::new()));
        let work = |number: u32| {
            let done = Arc::clone(&done);
            async move {
                tokio::task::yield_now().await;
                done.lock().expect("lock").push(number);
                match number {
                    2 => Err(Error::Cancelled),
                    3 => panic!("a fault, for the test"),
                    _ => Ok(number),
                }
            }
        };
        tokio::select! {
            biased;
            outcome = lane.run(work(0)) => panic!("{outcome:?} before its turn"),
            () = std::future::ready(()) => (),
        }
        let (one, two, three, four) =
            tokio::join!(biased; lane.run(work(1)), lane.run(work(2)), lane.run(work(3)), lane.run(work(4)));
        assert_eq!((one, two), (Ok(1), Err(Error::Cancelled)));
        assert_eq!((three, four), (Err(Error::BackendGone), Ok(4)));
        assert_eq!(*done.lock().expect("lock"), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn work_that_never_ends_does_not_hold_the_end() {
        let lane = Lane::open();
        let (reply, _answer) = Reply::<u32>::new(Waker::none());
        lane.answer(reply, std::future::pending());
        assert!(!lane.finish(Duration::ZERO).await);
    }
}
