//! Signatures that other programs made.

use serde_json::json;

use super::*;

const N: &str = "tubmxWR7_We0iQLy-Ex78sgqdUkl_fbvmtnwk7rB2iW6ezZ5qady42rU30xEhIs8AIqJdgTr0y-Lu1Lee5GsDDOr9vAn3Tx7E3e5l1EkuCLmFDGlj2YbphJTWeuAHR3LE82GheXiWAAN6DUjBuV1Y5yLtXTUH202O3oDu9UyJ2FIRsw8kljmSl1499N1yMFiyQMHTXQe7Hy1LQeUIWA6OrIt8uOqSmZ9h7ye71jz2BQ9KuTFznzmBVgz33phV2dFwT7CkVqweOONDINTQ5Q6KvqLHP2DK1C3xrDWnkEBgM8bUL8sAmgyN9YnM00dASQKyIn3ma-sPy6xgUJQQoXVjw";

/// `{"sub":"ada","exp":4000000000}`, signed by OpenSSL.
const RS256: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQwMDAwMDAwMDB9.HqfDoeboFVXCNNny6eCOHoxUCWEPXFURccieETjahCKcO95oJ-_ucWQwSRkqwWuR5aipFtZ1-4WkZ4UTgOocxiM7X6osMNja2IlUZaSCTxNQlIYjxluTs8-vpFpe_mWsM5lf0LlXkexvSqUdIEbtF2WrnFxemq3gaWFtGu-Gk8Y8zLtPH1fliqhmb4BmPs2SvEEgCXblG7AbIBxs4VSb6xRNHPPkzXccYcvIhKJbFKcUry1awqLacu6a5gHUC_GRKF6Y6x9aLQZ4opPhjApfaMRtn2bbgJGZ2OCyTsH9L8UNRuCm3jdnh7sumHmRqo6rzbUcvglYIkXZZgtOmKxGyw";

fn rsa() -> Value {
    json!({ "kty": "RSA", "kid": "rsa", "alg": "RS256", "use": "sig", "n": N, "e": "AQAB" })
}

fn verified(token: &str) -> bool {
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap();
    SigningKey::read(&rsa()).unwrap().verifies(signed.as_bytes(), &signature)
}

#[test]
fn a_signature_of_rsa_is_checked() {
    assert!(verified(RS256));
    assert!(!verified(&RS256.replacen("eyJzdWIi", "eyJzdWJi", 1)));
    assert!(!verified(&format!("{RS256}AAAA")));
}

#[test]
fn a_key_fits_what_it_was_made_for() {
    let key = SigningKey::read(&rsa()).unwrap();
    assert!(key.fits("RS256", Some("rsa")) && key.fits("RS256", None));
    for (alg, id) in [("RS256", Some("other")), ("ES256", None), ("HS256", None), ("none", None)] {
        assert!(!key.fits(alg, id), "{alg} {id:?}");
    }
}

#[test]
fn keys_of_other_kinds_are_passed_over() {
    for key in [
        json!({ "kty": "oct", "k": "AAAA" }),
        json!({ "kty": "RSA", "n": N, "e": "AQAB", "use": "enc" }),
        json!({ "kty": "RSA", "n": N, "e": "AQAB", "alg": "RS512" }),
        json!({ "kty": "RSA", "n": "!", "e": "AQAB" }),
        json!({ "kty": "EC", "crv": "P-384", "x": "AA", "y": "AA" }),
        json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA" }),
        json!({}),
        json!("key"),
    ] {
        assert!(SigningKey::read(&key).is_none(), "{key}");
    }
}
