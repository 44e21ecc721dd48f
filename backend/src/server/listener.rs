//! Takes connections and serves them: within limits, over TLS where that is asked for, until the server ends.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hearth_protocol::server::ServerConfig;
use hearth_protocol::{Error, Result};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use super::connection::speak;
use super::limits::Limits;
use super::site::{Phase, reached};

/// Connections that are open at once; those beyond wait in the system's queue.
const MOST_CONNECTIONS: usize = 4_096;

/// Open files that are asked of the system: one for each connection, and some for all else.
const WANTED_FILES: u64 = 2 * MOST_CONNECTIONS as u64;

/// How long a client may take for the head of a request, and for the start of TLS. A connection that asks nothing is kept
/// as long.
pub(super) const HEAD_PATIENCE: Duration = Duration::from_secs(120);

/// Connections that wait in the system's queue.
const WAITING_CONNECTIONS: i32 = 1_024;

/// How many ports are looked at for a free one.
const PORTS_LOOKED_AT: u16 = 100;

/// How long to wait after a connection could not be taken, such as for want of file handles.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Listens where the settings say.
///
/// # Errors
/// [`Error::PortTaken`] with a free one, [`Error::Invalid`] where the port may not be used.
pub(super) async fn listen(config: &ServerConfig) -> Result<Vec<TcpListener>> {
    // Where it cannot be raised, fewer connections are open at once.
    if let Err(error) = rlimit::increase_nofile_limit(WANTED_FILES) {
        tracing::debug!(%error, "the limit of open files stays");
    }
    match open(config, config.port).await {
        Ok(listeners) => Ok(listeners),
        Err(error) => Err(refused(config, &error).await),
    }
}

/// Opens a port of both kinds of address. A machine without IPv6 goes without.
async fn open(config: &ServerConfig, port: u16) -> io::Result<Vec<TcpListener>> {
    let first = bind(config, port).await?;
    let port = first.local_addr()?.port();
    let mut listeners = vec![first];
    // Names such as localhost may mean either kind.
    match bind_ipv6(config, port) {
        Ok(second) => listeners.push(second),
        // Who says localhost would reach that other program.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
        Err(error) => tracing::debug!(%error, "the server has no IPv6 address"),
    }
    Ok(listeners)
}

async fn bind(config: &ServerConfig, port: u16) -> io::Result<TcpListener> {
    if config.network {
        return TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).await;
    }
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

/// The same port of IPv6. IPv4 has a listener of its own, which this one would take the port of.
fn bind_ipv6(config: &ServerConfig, port: u16) -> io::Result<TcpListener> {
    let place = if config.network {
        Ipv6Addr::UNSPECIFIED
    } else {
        Ipv6Addr::LOCALHOST
    };
    let socket = Socket::new(Domain::IPV6, Type::STREAM, Some(Protocol::TCP))?;
    socket.set_only_v6(true)?;
    // As tokio's own does: on Windows it would let two programs have one port.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&SocketAddr::from((place, port)).into())?;
    socket.listen(WAITING_CONNECTIONS)?;
    TcpListener::from_std(socket.into())
}

/// Why there is no listening on the port, with what to do.
async fn refused(config: &ServerConfig, error: &io::Error) -> Error {
    let port = config.port;
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            let mut free = None;
            for next in (port.saturating_add(1)..=u16::MAX).take(PORTS_LOOKED_AT.into()) {
                if open(config, next).await.is_ok() {
                    free = Some(next);
                    break;
                }
            }
            Error::PortTaken { port, free }
        }
        io::ErrorKind::PermissionDenied => Error::invalid(
            "port",
            format!("is {port}, which only an administrator may use; take one above 1023"),
        ),
        _ => Error::invalid("port", format!("is {port}, which cannot be used: {error}")),
    }
}

/// Is there for as long as a port is open.
#[derive(Clone)]
pub(super) struct Open(
    #[expect(dead_code, reason = "what it tells, it tells by being dropped")] mpsc::Sender<Infallible>,
);

/// Tells when a port is free.
pub(super) struct Closed(mpsc::Receiver<Infallible>);

/// Both ends of an open port.
pub(super) fn open_port() -> (Open, Closed) {
    let (open, closed) = mpsc::channel(1);
    (Open(open), Closed(closed))
}

impl Closed {
    /// Waits until the port is free.
    pub(super) async fn wait(&mut self) {
        // Nothing is ever sent.
        self.0.recv().await;
    }
}

/// Serves connections until `phase` says that it ends. Gives when all of them are closed; the port is free before that,
/// when `open` is dropped.
pub(super) async fn serve(
    listeners: Vec<TcpListener>,
    open: Open,
    tls: Option<TlsAcceptor>,
    router: Router,
    phase: watch::Receiver<Phase>,
    limits: Limits,
) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut accepting = JoinSet::new();
    for listener in listeners {
        let (tls, router) = (tls.clone(), router.clone());
        accepting.spawn(accept(
            (listener, open.clone()),
            tls,
            router,
            Arc::clone(&room),
            phase.clone(),
            limits,
        ));
    }
    drop(open);
    while accepting.join_next().await.is_some() {}
}

/// Takes connections of one listener.
async fn accept(
    (listener, open): (TcpListener, Open),
    tls: Option<TlsAcceptor>,
    router: Router,
    room: Arc<Semaphore>,
    mut phase: watch::Receiver<Phase>,
    limits: Limits,
) {
    let mut connections = JoinSet::new();
    loop {
        let taken = tokio::select! {
            () = reached(&mut phase, Phase::Finishing) => break,
            taken = take(&listener, &room) => taken,
            Some(ended) = connections.join_next(), if !connections.is_empty() => {
                tell_panic(ended);
                continue;
            }
        };
        match taken {
            Ok((stream, place)) => {
                let (tls, router, phase) = (tls.clone(), router.clone(), phase.clone());
                connections.spawn(async move {
                    connection(stream, tls, router, phase, limits).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection to the local server could not be taken");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
    }
    drop(listener);
    drop(open);
    while let Some(ended) = connections.join_next().await {
        tell_panic(ended);
    }
}

/// A handler that panicked took its connection with it, and its client knows no more than that.
fn tell_panic(ended: std::result::Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a request to the local server broke off");
    }
}

async fn take(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(room).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

/// Serves one connection until its client leaves or the server ends.
async fn connection(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    router: Router,
    mut phase: watch::Receiver<Phase>,
    limits: Limits,
) {
    // A token goes out when it is there, and not with the next one.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small packets of a connection are held back");
    }
    let Some(tls) = tls else {
        return speak(stream, router, phase, limits).await;
    };
    let accepted = tokio::select! {
        accepted = tokio::time::timeout(HEAD_PATIENCE, tls.accept(stream)) => accepted,
        // Nobody has asked anything yet.
        () = reached(&mut phase, Phase::Finishing) => return,
    };
    match accepted {
        Ok(Ok(stream)) => speak(stream, router, phase, limits).await,
        Ok(Err(error)) => tracing::debug!(%error, "a client does not speak TLS"),
        Err(_) => tracing::debug!("a client was too slow with TLS"),
    }
}

/// Where a server can be reached.
///
/// # Errors
/// [`Error::Internal`] where the system does not say it.
pub(super) fn address(listeners: &[TcpListener]) -> Result<SocketAddr> {
    let first = listeners
        .first()
        .ok_or_else(|| Error::internal("no port is open"))?;
    first.local_addr().map_err(Error::internal)
}
