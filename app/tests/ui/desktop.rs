//! A desktop that is dark or light, has a dialog for files and shows notifications: a session bus of its own, with a portal.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use anyhow::{Context, Result};
use zbus::blocking::{Connection, connection};
use zbus::fdo;
use zbus::message::Header;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

/// What the portal tells of its colours.
pub(crate) const DARK: u32 = 1;
pub(crate) const LIGHT: u32 = 2;

/// Where the portal is found.
const PORTAL: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";
const REQUEST: &str = "org.freedesktop.portal.Request";

/// Where notifications are told.
const NOTIFICATIONS: &str = "/org/freedesktop/Notifications";
/// Longest wait for one; a guard against hanging, not a measure.
const PATIENCE: Duration = Duration::from_secs(240);

/// A session bus with a portal. Ends when dropped.
pub(crate) struct Desktop {
    bus: Child,
    address: String,
    portal: Connection,
    scheme: Arc<AtomicU32>,
    /// The dialog for files that is open, if one is.
    request: Arc<Mutex<Option<String>>>,
    notices: mpsc::Receiver<(String, String)>,
}

/// What shows notifications: tells the title and the text of each.
struct Notices(mpsc::Sender<(String, String)>);

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notices {
    #[allow(
        clippy::too_many_arguments,
        reason = "the desktop's specification has as many"
    )]
    fn notify(
        &self,
        _app: &str,
        _replaces: u32,
        _icon: &str,
        title: &str,
        text: &str,
        _actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _timeout: i32,
    ) -> fdo::Result<u32> {
        let told = self.0.send((title.to_owned(), text.to_owned()));
        told.map_err(|error| fdo::Error::Failed(error.to_string()))?;
        Ok(1)
    }
}

/// The portal's end of it.
struct Settings(Arc<AtomicU32>);

#[zbus::interface(name = "org.freedesktop.portal.Settings")]
impl Settings {
    fn read_one(&self, _namespace: &str, _key: &str) -> OwnedValue {
        OwnedValue::from(self.0.load(Ordering::SeqCst))
    }
}

/// The portal's dialog for files, with the last request that was made of it.
struct FileChooser(Arc<Mutex<Option<String>>>);

#[zbus::interface(name = "org.freedesktop.portal.FileChooser")]
impl FileChooser {
    /// Names the request, as the caller wants it named; what is chosen comes later, with a signal of the request.
    fn open_file(
        &self,
        _parent: &str,
        _title: &str,
        options: HashMap<String, OwnedValue>,
        #[zbus(header)] header: Header<'_>,
    ) -> fdo::Result<OwnedObjectPath> {
        let token = options.get("handle_token").map(<&str>::try_from);
        let (Some(Ok(token)), Some(sender)) = (token, header.sender()) else {
            return Err(fdo::Error::InvalidArgs("a request without a name".into()));
        };
        let sender = sender.trim_start_matches(':').replace('.', "_");
        let request = format!("{PORTAL}/request/{sender}/{token}");
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(request.clone());
        OwnedObjectPath::try_from(request).map_err(|error| fdo::Error::Failed(error.to_string()))
    }
}

impl Desktop {
    /// A desktop of these colours.
    pub(crate) fn start(scheme: u32) -> Result<Self> {
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("dbus-daemon does not start; ./x test installs it")?;
        let told = bus.stdout.take().context("no pipe")?;
        let mut address = String::new();
        BufReader::new(told).read_line(&mut address)?;
        let address = address.trim().to_owned();
        let scheme = Arc::new(AtomicU32::new(scheme));
        let request = Arc::default();
        let (notices, told) = mpsc::channel();
        let portal = connection::Builder::address(address.as_str())?
            .name("org.freedesktop.portal.Desktop")?
            .serve_at(PORTAL, Settings(Arc::clone(&scheme)))?
            .serve_at(PORTAL, FileChooser(Arc::clone(&request)))?
            .name("org.freedesktop.Notifications")?
            .serve_at(NOTIFICATIONS, Notices(notices))?
            .build()?;
        Ok(Self {
            bus,
            address,
            portal,
            scheme,
            request,
            notices: told,
        })
    }

    /// The bus, for a program's environment.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The title and the text of the next notification, waited for.
    pub(crate) fn notified(&self) -> Result<(String, String)> {
        self.notices.recv_timeout(PATIENCE).context("no notification")
    }

    /// Turns dark or light, and tells it.
    pub(crate) fn turn(&self, scheme: u32) -> Result<()> {
        self.scheme.store(scheme, Ordering::SeqCst);
        let changed = ("org.freedesktop.appearance", "color-scheme", Value::from(scheme));
        self.portal
            .emit_signal(None::<&str>, PORTAL, SETTINGS, "SettingChanged", &changed)
            .context("the portal's signal")
    }

    /// Chooses these files in the dialog, where one is open. Who asked may not listen yet; then it is to be told again.
    pub(crate) fn choose(&self, files: &[&Path]) -> Result<()> {
        let request = self.request.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(request) = request.as_deref() else {
            return Ok(());
        };
        let address = |file: &&Path| format!("file://{}", file.display()).replace(' ', "%20");
        let files: Vec<_> = files.iter().map(address).collect();
        let chosen = (0_u32, HashMap::from([("uris", Value::from(files))]));
        self.portal
            .emit_signal(None::<&str>, request, REQUEST, "Response", &chosen)
            .context("the portal's signal")
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        drop(self.bus.kill());
        drop(self.bus.wait());
    }
}
