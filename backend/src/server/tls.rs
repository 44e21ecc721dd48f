//! HTTPS: a certificate and its key from files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::server::{self, TlsFiles};
use hearth_protocol::{Error, Result};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::files::{blocking, read_small};

/// Longest file, in bytes: a few certificates.
const LONGEST: u64 = 1 << 20;

/// How long its files are waited for: they can lie on a drive that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What speaks TLS, where that is asked for.
///
/// # Errors
/// [`Error::Invalid`] names the file and what is wrong with it.
pub(super) async fn of(config: &server::ServerConfig) -> Result<Option<TlsAcceptor>> {
    let Some(files) = &config.tls else {
        return Ok(None);
    };
    let read = timeout(PATIENCE, acceptor(files)).await;
    let late = || Error::invalid("tls", "cannot be used: the disk with its files does not answer");
    read.unwrap_or_else(|_| Err(late())).map(Some)
}

async fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor> {
    let files = files.clone();
    blocking(move || {
        let odd = |path: &Path, reason: &dyn std::fmt::Display| {
            Error::invalid("tls", format!("cannot be used: {}: {reason}", path.display()))
        };
        let read = |path: &Path| read_small(path, LONGEST).map_err(|error| odd(path, &error));
        let pem = read(&files.certificate)?;
        let certificates = CertificateDer::pem_slice_iter(&pem)
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(|error| odd(&files.certificate, &error))?;
        if certificates.is_empty() {
            return Err(odd(&files.certificate, &"it holds no certificate in PEM"));
        }
        let key =
            PrivateKeyDer::from_pem_slice(&read(&files.key)?).map_err(|error| odd(&files.key, &error))?;
        // Named, since the process has no default of its own.
        let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(Error::internal)?
            .with_no_client_auth()
            .with_single_cert(certificates, key)
            .map_err(|error| odd(&files.key, &error))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    })
    .await
}
