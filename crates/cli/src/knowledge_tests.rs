//! The faults of the knowledge base that tools receive.

use aileron_kb::embed::EmbedError;

use super::*;

fn check(error: KbError, expected: FaultCode) {
    let message = error.to_string();
    assert_eq!(fault(error), CapabilityFault::new(expected, message));
}

#[test]
fn each_error_becomes_the_fault_that_says_what_can_be_done() {
    let embedding =
        |transient| KbError::Embedding(EmbedError { message: "late".into(), transient });
    let why = || "why".to_owned();
    check(embedding(true), FaultCode::Timeout);
    check(embedding(false), FaultCode::Refused);
    check(KbError::Query { why: why() }, FaultCode::Refused);
    check(KbError::Missing { path: "kb".into() }, FaultCode::Refused);
    check(KbError::Busy { path: "kb".into() }, FaultCode::Unavailable);
    check(KbError::DamagedIndex { why: why() }, FaultCode::Unavailable);
    let other = KbError::OtherModel { index: "a".into(), given: "b".into() };
    check(other, FaultCode::Refused);
}

#[test]
fn an_answer_that_nobody_waits_for_keeps_nothing() {
    let runtime = crate::installation::runtime().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let engine = KbEngine::new(KnowledgeBase::at(folder.path(), None));
    let (begin, begun) = std::sync::mpsc::channel();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let base = Arc::downgrade(&engine.0);
    let answer = engine.ask(move |_| {
        begin.send(()).unwrap();
        held.recv().unwrap();
        Ok(())
    });
    runtime.block_on(async {
        let task = tokio::spawn(answer);
        tokio::task::spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    });
    drop(engine);
    release.send(()).unwrap();
    drop(runtime);
    assert!(base.upgrade().is_none());
}
