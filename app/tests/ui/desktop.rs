//! A desktop that is dark or light: a session bus of its own, with a portal that tells it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};
use zbus::blocking::{Connection, connection};
use zbus::zvariant::{OwnedValue, Value};

/// What the portal tells of its colours.
pub(crate) const DARK: u32 = 1;
pub(crate) const LIGHT: u32 = 2;

/// Where the portal is found.
const PORTAL: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";

/// A session bus with a portal. Ends when dropped.
pub(crate) struct Desktop {
    bus: Child,
    address: String,
    portal: Connection,
    scheme: Arc<AtomicU32>,
}

/// The portal's end of it.
struct Settings(Arc<AtomicU32>);

#[zbus::interface(name = "org.freedesktop.portal.Settings")]
impl Settings {
    fn read_one(&self, _namespace: &str, _key: &str) -> OwnedValue {
        OwnedValue::from(self.0.load(Ordering::SeqCst))
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
        let portal = connection::Builder::address(address.as_str())?
            .name("org.freedesktop.portal.Desktop")?
            .serve_at(PORTAL, Settings(Arc::clone(&scheme)))?
            .build()?;
        Ok(Self {
            bus,
            address,
            portal,
            scheme,
        })
    }

    /// The bus, for a program's environment.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Turns dark or light, and tells it.
    pub(crate) fn turn(&self, scheme: u32) -> Result<()> {
        self.scheme.store(scheme, Ordering::SeqCst);
        let changed = ("org.freedesktop.appearance", "color-scheme", Value::from(scheme));
        self.portal
            .emit_signal(None::<&str>, PORTAL, SETTINGS, "SettingChanged", &changed)
            .context("the portal's signal")
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        drop(self.bus.kill());
        drop(self.bus.wait());
    }
}
