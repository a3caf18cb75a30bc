//! Many texts are few writes.

use super::*;

/// Counts the writes that reach it.
#[derive(Default)]
struct Counting {
    writes: usize,
    bytes: usize,
}

impl Write for &mut Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn thousands_of_findings_are_a_few_writes() {
    for colours in [ColorChoice::Never, ColorChoice::AlwaysAnsi] {
        let texts =
            (0..6_502).map(|i| format!("\u{1b}[33mwarning\u{1b}[0m {i}\n  in several\n  lines"));
        let mut counting = Counting::default();
        write_all(&mut counting, colours, texts).unwrap();
        assert!(counting.bytes > 6_502 * 20, "{} bytes", counting.bytes);
        assert!(counting.writes <= counting.bytes / BUFFER + 2, "{} writes", counting.writes);
    }
}
