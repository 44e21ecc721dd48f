//! Lets other processes of the same person ask this backend: over a Unix socket in the data folder, or a named pipe.
//!
//! Only its owner may connect. What the lines say is `hearth_protocol::wire`'s; here they are carried. Of several
//! backends on one data folder one listens.

mod ask;
mod lines;
mod serve;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::time::Duration;

pub use ask::connect;
pub(crate) use serve::{Local, Shut};
#[cfg(unix)]
use unix::{Door, knock};
#[cfg(windows)]
use windows::{Door, knock};

/// How long a side may take to say its hello.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the last lines may take when a side ends.
const LAST_WORDS_TIMEOUT: Duration = Duration::from_secs(2);
