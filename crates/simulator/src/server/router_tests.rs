//! Which paths and keys are let in.

use super::*;

fn check(path: &str, expected: RequestedProtocol) {
    assert_eq!(requested_protocol(&path.parse().unwrap()), expected, "{path}");
}

fn realtime(model: &str) -> RequestedProtocol {
    RequestedProtocol::Realtime { model: model.to_owned() }
}

#[test]
fn the_protocol_is_found_whatever_the_version_and_the_slashes() {
    let service = "google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";
    check(&format!("/ws/{service}"), RequestedProtocol::Gemini);
    check(&format!("//ws/{service}?key=k"), RequestedProtocol::Gemini);
    check(&format!("//ws/{}", service.replace("v1beta", "v1")), RequestedProtocol::Gemini);
    check(&format!("/ws/{service}Constrained"), RequestedProtocol::Gemini);
    check(
        "/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent",
        RequestedProtocol::Gemini,
    );
    check("/v1/realtime?model=gpt-realtime-2.1", realtime("gpt-realtime-2.1"));
    check("//v1//realtime/?model=m", realtime("m"));
    check("/realtime", realtime(""));
    check("/v1/responses", RequestedProtocol::Nothing);
    check("/", RequestedProtocol::Nothing);
}

fn headers(name: &'static str, value: &str) -> HeaderMap {
    HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
}

#[test]
fn a_key_of_gemini_may_come_in_four_ways() {
    let uri = |text: &str| text.parse::<Uri>().unwrap();
    assert!(has_google_key(&uri("/x?key=k"), &HeaderMap::new()));
    assert!(has_google_key(&uri("/x?access_token=auth_tokens/1"), &HeaderMap::new()));
    assert!(has_google_key(&uri("/x"), &headers("x-goog-api-key", "k")));
    assert!(has_google_key(&uri("/x"), &headers("authorization", "Token t")));
    assert!(!has_google_key(&uri("/x?key="), &HeaderMap::new()));
    assert!(!has_google_key(&uri("/x"), &headers("authorization", "Basic b")));
}

#[test]
fn a_key_of_realtime_may_come_from_a_browser() {
    assert!(has_openai_key(&headers("authorization", "Bearer sk")));
    let offered = "realtime, openai-insecure-api-key.ek_1";
    assert!(has_openai_key(&headers("sec-websocket-protocol", offered)));
    assert!(!has_openai_key(&headers("sec-websocket-protocol", "realtime")));
    assert!(!has_openai_key(&headers("authorization", "Bearer ")));
}
