//! Which tokens are accepted.

use aileron_capability::ManualClock;
use serde_json::json;

use super::*;

const NOW: u64 = 1_800_000_000;
const SECRET: &[u8] = b"a secret of at least 32 bytes for tests";

fn part(value: &Value) -> String {
    BASE64URL_NOPAD.encode(value.to_string().as_bytes())
}

fn signed(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let text = format!("{}.{}", part(header), part(claims));
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let signature = hmac::sign(&key, text.as_bytes());
    format!("{text}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
}

/// A good token of Ada, with some claims changed.
fn token(more: Value) -> String {
    let mut claims = json!({ "sub": "ada", "exp": NOW + 60, "iss": "us", "aud": "aileron" });
    for (name, value) in more.as_object().unwrap() {
        claims[name] = value.clone();
    }
    signed(&json!({ "alg": "HS256" }), &claims, SECRET)
}

async fn person(token: &str) -> Result<Person, AuthError> {
    let rules = JwtRules {
        issuer: Some("us".to_owned()),
        audience: Some("aileron".to_owned()),
        claims: vec!["team".to_owned()],
        ..JwtRules::default()
    };
    let clock = Arc::new(ManualClock::at(NOW * 1000));
    Jwt { keys: JwtKeys::secret(SECRET).unwrap(), rules, clock }.person(token).await
}

#[tokio::test]
async fn a_good_token_says_who_somebody_is() {
    let more = json!({ "scope": "kb:read admin", "team": "light", "email": "ada@example.com" });
    let ada = person(&token(more)).await.unwrap();
    assert_eq!(ada.id, Some(UserId::new("ada").unwrap()));
    assert_eq!(ada.scopes, ["kb:read", "admin"]);
    assert_eq!(Value::Object(ada.claims), json!({ "team": "light" }), "only what was asked for");
    let ada = person(&token(json!({ "scopes": ["a", "b c"] }))).await.unwrap();
    assert_eq!(ada.scopes, ["a", "b c"]);
}

#[tokio::test]
async fn times_are_kept_with_some_leeway() {
    for (claims, expected) in [
        (json!({ "exp": NOW - 59 }), Ok(())),
        (json!({ "exp": NOW - 60 }), Err(AuthError::Expired)),
        (json!({ "exp": 0 }), Err(AuthError::Expired)),
        (json!({ "exp": -1.0e300 }), Err(AuthError::Expired)),
        (json!({ "exp": "4000000000" }), Err(AuthError::WrongToken)),
        (json!({ "exp": null }), Err(AuthError::WrongToken)),
        (json!({ "nbf": NOW + 60 }), Ok(())),
        (json!({ "nbf": NOW + 61 }), Err(AuthError::TooEarly)),
        (json!({ "nbf": null }), Ok(())),
    ] {
        assert_eq!(person(&token(claims.clone())).await.map(drop), expected, "{claims}");
    }
}

#[tokio::test]
async fn a_token_for_someone_else_is_refused() {
    for (claims, expected) in [
        (json!({ "iss": "them" }), Err(AuthError::NotForUs)),
        (json!({ "iss": null }), Err(AuthError::NotForUs)),
        (json!({ "aud": "other" }), Err(AuthError::NotForUs)),
        (json!({ "aud": [] }), Err(AuthError::NotForUs)),
        (json!({ "aud": ["other", "aileron"] }), Ok(())),
        (json!({ "sub": "" }), Err(AuthError::WrongToken)),
        (json!({ "sub": 7 }), Err(AuthError::WrongToken)),
    ] {
        assert_eq!(person(&token(claims.clone())).await.map(drop), expected, "{claims}");
    }
}

#[tokio::test]
async fn the_algorithm_is_not_the_tokens_to_choose() {
    let claims = json!({ "sub": "ada", "exp": NOW + 60, "iss": "us", "aud": "aileron" });
    for alg in ["none", "None", "HS384", "HS512", "RS256", "ES256", "hs256", ""] {
        let token = signed(&json!({ "alg": alg }), &claims, SECRET);
        assert_eq!(person(&token).await, Err(AuthError::WrongToken), "{alg}");
    }
    let unsigned = format!("{}.{}.", part(&json!({ "alg": "none" })), part(&claims));
    assert_eq!(person(&unsigned).await, Err(AuthError::WrongToken));
    let critical = signed(&json!({ "alg": "HS256", "crit": ["b64"] }), &claims, SECRET);
    assert_eq!(person(&critical).await, Err(AuthError::WrongToken));
}

#[tokio::test]
async fn a_token_that_was_changed_or_signed_by_another_is_refused() {
    let good = token(json!({}));
    let (text, signature) = good.rsplit_once('.').unwrap();
    let forged = part(&json!({ "sub": "bob", "exp": NOW + 60, "iss": "us", "aud": "aileron" }));
    let header = good.split('.').next().unwrap();
    for token in [
        format!("{header}.{forged}.{signature}"),
        format!("{text}."),
        format!("{text}.{signature}="),
        text.to_owned(),
        String::new(),
        "..".to_owned(),
        "a.b.c".to_owned(),
        "a".repeat(MAX_TOKEN_BYTES + 1),
    ] {
        assert_eq!(person(&token).await, Err(AuthError::WrongToken), "{token:.80}");
    }
    let header = json!({ "alg": "HS256" });
    let other = signed(
        &header,
        &json!({ "sub": "ada", "exp": NOW + 60 }),
        b"another secret, 32 bytes at least",
    );
    assert_eq!(person(&other).await, Err(AuthError::WrongToken));
}

#[test]
fn a_short_secret_is_no_secret() {
    assert!(JwtKeys::secret(b"short").is_none());
    assert_eq!(format!("{:?}", JwtKeys::secret(SECRET).unwrap()), "Secret");
}
