//! A certificate for this machine, signed by a temporary authority. Only the authority's
//! certificate is written to disk, never a key.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// The names of this machine.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

const FILE: &str = "ca.pem";

/// The TLS configuration of the server.
#[derive(Debug)]
pub(super) struct TlsIdentity {
    pub(super) config: Arc<ServerConfig>,
    /// The file to trust.
    pub(super) ca: PathBuf,
}

pub(super) fn make(folder: &Path) -> Result<TlsIdentity, String> {
    let key = KeyPair::generate().map_err(text)?;
    let params = authority()?;
    let ca_pem = params.self_signed(&key).map_err(text)?.pem();
    let issuer = Issuer::new(params, key);
    let own_key = KeyPair::generate().map_err(text)?;
    let certificate = own()?.signed_by(&own_key, &issuer).map_err(text)?;
    let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own_key.serialize_der()));
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(ring)
        .with_safe_default_protocol_versions()
        .map_err(text)?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)
        .map_err(text)?;
    Ok(TlsIdentity { config: Arc::new(config), ca: write(folder, &ca_pem)? })
}

fn authority() -> Result<CertificateParams, String> {
    let mut params = CertificateParams::new(Vec::new()).map_err(text)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.distinguished_name.push(DnType::CommonName, "Aileron simulator");
    Ok(params)
}

fn own() -> Result<CertificateParams, String> {
    let mut params = CertificateParams::new(NAMES.map(str::to_owned)).map_err(text)?;
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.distinguished_name.push(DnType::CommonName, "localhost");
    Ok(params)
}

fn write(folder: &Path, pem: &str) -> Result<PathBuf, String> {
    let path = folder.join(FILE);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, pem))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(path)
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
