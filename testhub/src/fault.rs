//! What can go wrong, and where.

/// The requests that a fault is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// `/api/…`.
    Api,
    /// `/owner/name/resolve/…`.
    Resolve,
    /// The bodies of files.
    File,
}

/// A fault of an answer. Those that speak of bytes count from the start of what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// None: for requests that a later rule shall not reach.
    Nothing,
    /// No answer comes until the test lets it go ([`crate::TestHub::release`]). For the hub itself.
    Hold,
    /// This status, these headers, this text.
    Status(u16, Vec<(&'static str, String)>, &'static str),
    /// The whole file with 200, whatever range was asked for.
    IgnoreRange,
    /// The range that was asked for, with 200.
    OkWithContentRange,
    /// 206 with a range that starts this many bytes later.
    OtherStart(u64),
    /// The range under another ETag.
    OtherEtag,
    /// `Content-Range` tells a file this many bytes longer than it is.
    OtherTotal(u64),
    /// 416.
    NotSatisfiable,
    /// A page of HTML with 200, as a network's sign-in page.
    Html,
    /// The connection closes after this many bytes.
    CloseAfter(u64),
    /// `Content-Length` tells this many bytes more than come.
    LongerLength(u64),
    /// Nothing more comes after this many bytes, and the connection stays.
    StallAfter(u64),
    /// The first byte is another.
    WrongByte,
    /// No length and no range is told: the whole file in chunks.
    Chunked,
}

/// A fault with the requests it is meant for.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) place: Place,
    pub(crate) path: String,
    pub(crate) times: Option<usize>,
    pub(crate) fault: Fault,
}

/// The fault for a request, and one less of it for the next.
pub(crate) fn take(rules: &mut Vec<Rule>, place: Place, path: &str) -> Option<Fault> {
    let at = rules
        .iter()
        .position(|rule| rule.place == place && path.contains(&rule.path))?;
    let fault = rules[at].fault.clone();
    if let Some(times) = &mut rules[at].times {
        *times -= 1;
        if *times == 0 {
            rules.remove(at);
        }
    }
    Some(fault)
}
