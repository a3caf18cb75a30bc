//! Which clients are accepted, by token and by JSON Web Token whose keys are published.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aileron_capability::ManualClock;
use aileron_server::{Auth, Jwks, Jwt, JwtKeys, JwtRules};
use axum::Router;
use axum::routing::get;
use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::stage::{ADA, Plan, Stage};

#[tokio::test]
async fn nobody_is_let_in_without_a_token_that_is_known() {
    let stage = Stage::usual().await;
    for authorization in ["", "Bearer", "Bearer ", "Bearer nonsense-0123456789", "Basic YTpi", ADA]
    {
        let client = stage.stranger().with("authorization", authorization);
        for path in ["/v1/tools", "/v1/conversations", "/nothing", "/metrics"] {
            let refused = client.get(path).await;
            let found = (refused.status, refused.code());
            assert_eq!(found, (401, "UNAUTHENTICATED".to_owned()), "{authorization:?} {path}");
            assert_eq!(refused.header("www-authenticate"), Some("bearer"));
        }
        let refused = client.get("/api/chat").await;
        let sentence = String::from_utf8(refused.body.clone()).unwrap();
        assert_eq!((refused.status, sentence.contains("sign in")), (401, true), "{sentence}");
        assert!(!sentence.contains('{'), "what a page shows is a sentence: {sentence}");
        assert_eq!(refused.header("www-authenticate"), Some("bearer"));
        let program = client.clone().with("accept", "application/json");
        assert_eq!(program.get("/api/chat").await.code(), "UNAUTHENTICATED");
    }
    for path in ["/health", "/openapi.json"] {
        assert_eq!(stage.stranger().get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_browser_may_send_its_token_among_the_protocols_of_a_websocket() {
    let stage = Stage::usual().await;
    let client = stage.stranger();
    let with = |protocols: &str| client.clone().with("sec-websocket-protocol", protocols);
    assert_eq!(
        with(&format!("aileron.v1, aileron.bearer.{ADA}")).get("/v1/tools").await.status,
        200
    );
    assert_eq!(with("aileron.v1, aileron.bearer.nonsense").get("/v1/tools").await.status, 401);
}

/// An issuer that signs tokens and publishes keys.
struct Issuer {
    address: std::net::SocketAddr,
    published: watch::Sender<Value>,
    asked: Arc<AtomicUsize>,
}

impl Issuer {
    async fn start() -> Self {
        let (published, keys) = watch::channel(json!({ "keys": [] }));
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let show = move || {
            counter.fetch_add(1, Ordering::SeqCst);
            let keys = keys.borrow().to_string();
            async move { keys }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/jwks", get(show));
        tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
        Self { address, published, asked }
    }

    fn publish(&self, keys: &[&Pair]) {
        let keys: Vec<Value> = keys.iter().map(|pair| pair.public()).collect();
        self.published.send(json!({ "keys": keys })).unwrap();
    }

    async fn server(&self, clock: Arc<ManualClock>) -> Stage {
        let keys = JwtKeys::Public(Jwks::at(&format!("http://{}/jwks", self.address)).unwrap());
        let auth = Auth::Jwt(Box::new(Jwt { keys, rules: JwtRules::default(), clock }));
        Plan { auth, ..Plan::default() }.start().await
    }
}

struct Pair {
    id: &'static str,
    pair: EcdsaKeyPair,
}

impl Pair {
    fn new(id: &'static str) -> Self {
        let (random, how) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let made = EcdsaKeyPair::generate_pkcs8(how, &random).unwrap();
        Self { id, pair: EcdsaKeyPair::from_pkcs8(how, made.as_ref(), &random).unwrap() }
    }

    fn public(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let number = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        json!({ "kty": "EC", "crv": "P-256", "kid": self.id, "use": "sig",
            "x": number(&point[1..33]), "y": number(&point[33..]) })
    }

    fn token(&self, user: &str) -> String {
        let part = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let header = part(json!({ "alg": "ES256", "kid": self.id }));
        let signed = format!("{header}.{}", part(json!({ "sub": user, "exp": 4_000_000_000_u64 })));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
    }
}

async fn status(stage: &Stage, token: &str) -> u16 {
    let client = stage.stranger().with("authorization", &format!("Bearer {token}"));
    client.get("/v1/tools").await.status
}

#[tokio::test]
async fn published_keys_are_followed_when_they_change() {
    let issuer = Issuer::start().await;
    let (old, new, unknown) = (Pair::new("old"), Pair::new("new"), Pair::new("unknown"));
    issuer.publish(&[&old]);
    let clock = Arc::new(ManualClock::at(1_800_000_000_000));
    let stage = issuer.server(clock.clone()).await;
    assert_eq!(status(&stage, &old.token("ada")).await, 200);
    assert_eq!(status(&stage, &new.token("ada")).await, 401, "it is not published yet");
    assert_eq!(issuer.asked.load(Ordering::SeqCst), 1, "nobody is asked twice in a moment");
    issuer.publish(&[&old, &new]);
    clock.advance(31_000);
    assert_eq!(status(&stage, &new.token("ada")).await, 200);
    assert_eq!(status(&stage, &unknown.token("ada")).await, 401);
    issuer.publish(&[&new]);
    clock.advance(11 * 60_000);
    assert_eq!(status(&stage, &old.token("ada")).await, 401, "a key that is withdrawn is no good");
    assert_eq!(status(&stage, &new.token("ada")).await, 200);
    assert_eq!(issuer.asked.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn without_keys_nobody_can_be_told_from_a_stranger() {
    let issuer = Issuer::start().await;
    let pair = Pair::new("key");
    issuer.published.send(json!("nonsense")).unwrap();
    let clock = Arc::new(ManualClock::at(1_800_000_000_000));
    let stage = issuer.server(clock).await;
    assert_eq!(status(&stage, &pair.token("ada")).await, 503);
}
