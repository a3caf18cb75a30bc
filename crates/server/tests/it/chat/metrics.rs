//! The figures of text conversations in `/metrics`.

use serde_json::Value;

use super::http::{finish, send};
use super::world::World;

async fn summary(world: &World) -> Value {
    finish(send(world.address, "GET /metrics", "ada", b"").await).await.json()
}

#[tokio::test]
async fn what_the_model_is_given_is_counted_in_text_too() {
    let world = World::new().await;
    world.say("ada", "c", "say Hi").await;
    let first = summary(&world).await;
    let start = first["contextStartTokens"].clone();
    assert_eq!((&start["count"], &first["contextPeakTokens"]["count"]), (&1.into(), &1.into()));
    let tokens = start["p50"].as_u64().unwrap();
    assert!(tokens > 0, "{first}");
    assert_eq!(start["p99"].as_u64(), Some(tokens), "one value is exact");
    let longer = format!("say {}", "word ".repeat(1000));
    world.say("ada", "c", &longer).await;
    let second = summary(&world).await;
    assert_eq!(second["contextStartTokens"], start, "a conversation begins once");
    let peak = second["contextPeakTokens"]["p99"].as_u64().unwrap();
    assert!(peak > tokens + 1000, "{second}");
}
