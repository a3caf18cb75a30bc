//! Every capability has a name, and its name reads back.

use super::*;

/// The match makes a capability that is missing in the table a compile error here.
fn is_in_the_table(capability: &Capability) -> bool {
    match capability {
        Capability::Http(_) | Capability::Secret(_) => false,
        Capability::Messaging
        | Capability::Voice
        | Capability::Audio
        | Capability::Audit
        | Capability::Kb
        | Capability::Calendar
        | Capability::Images
        | Capability::Tools => true,
    }
}

#[test]
fn names_read_back() {
    for (name, capability) in Capability::PLAIN {
        assert!(is_in_the_table(&capability));
        assert_eq!(capability.to_string(), name);
        assert_eq!(name.parse(), Ok(capability));
    }
    for name in ["http:api.example.com", "secret:API_KEY"] {
        assert_eq!(name.parse::<Capability>().map(|it| it.to_string()).as_deref(), Ok(name));
    }
}

#[test]
fn another_name_is_refused() {
    let error = "mail".parse::<Capability>().unwrap_err().to_string();
    assert_eq!(
        error,
        "expected a capability (messaging, voice, audio, audit, kb, calendar, images, tools, \
         http:<host>, secret:<NAME>), found \"mail\""
    );
}
