//! The place of a value inside another, as a chain of borrowed steps.
//!
//! A walk that finds nothing never writes a pointer.

/// Where a value is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ValuePath<'a> {
    Root,
    Member(&'a ValuePath<'a>, &'a str),
    Item(&'a ValuePath<'a>, usize),
    /// A step with its part of the pointer precomputed.
    Written(&'a ValuePath<'a>, &'a str),
}

impl ValuePath<'_> {
    /// The place as a JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.push_to(&mut pointer);
        pointer
    }

    /// Appends the place as a JSON Pointer.
    pub(crate) fn push_to(&self, pointer: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(parent, name) => {
                parent.push_to(pointer);
                push_step(pointer, name);
            }
            Self::Written(parent, step) => {
                parent.push_to(pointer);
                pointer.push_str(step);
            }
            Self::Item(parent, index) => {
                parent.push_to(pointer);
                pointer.push('/');
                push_number(pointer, *index);
            }
        }
    }
}

/// Appends a number, without the cost of formatting.
pub(crate) fn push_number(text: &mut String, number: usize) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    // One digit always fits.
    let digit = u8::try_from(number % 10).unwrap_or_default();
    text.push(char::from(b'0' + digit));
}

/// Appends one step to a JSON Pointer.
fn push_step(pointer: &mut String, name: &str) {
    pointer.push('/');
    if !name.contains(['~', '/']) {
        return pointer.push_str(name);
    }
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_names_every_step_and_escapes_names() {
        assert_eq!(ValuePath::Root.pointer(), "");
        let list = ValuePath::Member(&ValuePath::Root, "a/b~c");
        let item = ValuePath::Item(&list, 12);
        assert_eq!(ValuePath::Member(&item, "é").pointer(), "/a~1b~0c/12/é");
        assert_eq!(ValuePath::Written(&item, "/~0").pointer(), "/a~1b~0c/12/~0");
    }
}
