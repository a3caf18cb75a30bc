//! TLS: a certificate that is trusted, and one that is not.

use std::sync::Arc;

use aileron_contract::transport::{ProviderEvent, Setup, Severity};
use aileron_transports::upstream::Upstream;
use aileron_transports::{GeminiLive, tls};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::accept_async;

use crate::provider::{Peer, Provider, event, no_roots, world};

pub(crate) fn certificate() -> (CertificateDer<'static>, TlsAcceptor) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(ring).with_safe_default_protocol_versions();
    let config = config.unwrap().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate.clone()], key).unwrap();
    (certificate, TlsAcceptor::from(Arc::new(config)))
}

#[tokio::test]
async fn a_trusted_provider_is_talked_to_over_tls() {
    let (certificate, acceptor) = certificate();
    let provider = Provider::new().await;
    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let world = world(&provider.base("wss"), tls(roots).unwrap());
    let mut upstream = Upstream::begin(world, Setup::new("m", ""), GeminiLive::default);
    let peer = async {
        let stream = acceptor.accept(provider.tcp().await).await.unwrap();
        let mut peer = Peer(accept_async(stream).await.unwrap());
        peer.set_up().await;
        peer
    };
    let (_peer, ready) = tokio::join!(peer, event(&mut upstream));
    assert_eq!(ready, ProviderEvent::Ready { session: None });
}

#[tokio::test]
async fn a_provider_that_is_not_trusted_is_not_tried_again() {
    let (_, acceptor) = certificate();
    let provider = Provider::new().await;
    let world = world(&provider.base("wss"), no_roots());
    let mut upstream = Upstream::begin(world, Setup::new("m", ""), GeminiLive::default);
    let refused = async { acceptor.accept(provider.tcp().await).await.is_err() };
    let (refused, closed) = tokio::join!(refused, event(&mut upstream));
    assert!(refused);
    assert!(
        matches!(closed, ProviderEvent::Closed(fault) if fault.severity == Severity::Fatal && fault.code == "close 1015")
    );
}
