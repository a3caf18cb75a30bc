//! Lists the calendar files and their owners.

use std::fs::{self, DirEntry, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

use aileron_capability::CapabilityFault;

use super::disk;

/// A calendar file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OnDisk {
    /// Relative to the root, with `/` as separator.
    pub(super) path: String,
    /// The address it is named after, in lower case.
    pub(super) owner: Option<String>,
    pub(super) stamp: FileStamp,
}

/// The modification time and length of a file, which identify its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub(super) modified_ns: i64,
    pub(super) len: i64,
}

/// The calendar files of a folder and of the folders in it.
pub(super) fn files(root: &Path) -> Result<Vec<OnDisk>, CapabilityFault> {
    let mut found = Vec::new();
    each(root, |name, entry| {
        let Some(data) = metadata(entry) else { return Ok(()) };
        if data.is_file() {
            let owner = name.strip_suffix(".ics").and_then(address);
            found.extend(is_calendar(&name).then(|| on_disk(name.clone(), owner, &data)));
        } else if data.is_dir() && !name.starts_with('.') {
            inside(&name, entry, &mut found)?;
        }
        Ok(())
    })?;
    Ok(found)
}

fn inside(folder: &str, entry: &DirEntry, found: &mut Vec<OnDisk>) -> Result<(), CapabilityFault> {
    let owner = address(folder);
    each(&entry.path(), |name, entry| {
        if !is_calendar(&name) {
            return Ok(());
        }
        let data = metadata(entry).filter(Metadata::is_file);
        let file = data.map(|data| on_disk(format!("{folder}/{name}"), owner.clone(), &data));
        found.extend(file);
        Ok(())
    })
}

/// The entries of a folder whose names are UTF-8. A missing folder counts as empty.
fn each(
    folder: &Path,
    mut visit: impl FnMut(String, &DirEntry) -> Result<(), CapabilityFault>,
) -> Result<(), CapabilityFault> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(disk(folder, &error)),
    };
    for entry in entries {
        let entry = entry.map_err(|error| disk(folder, &error))?;
        if let Ok(name) = entry.file_name().into_string() {
            visit(name, &entry)?;
        }
    }
    Ok(())
}

/// Read relative to the open folder, which is faster than by the full path. A file that was deleted
/// meanwhile has none.
fn metadata(entry: &DirEntry) -> Option<Metadata> {
    let data = entry.metadata().ok()?;
    if data.is_symlink() { fs::metadata(entry.path()).ok() } else { Some(data) }
}

fn is_calendar(name: &str) -> bool {
    name.ends_with(".ics") && !name.starts_with('.')
}

fn on_disk(path: String, owner: Option<String>, data: &Metadata) -> OnDisk {
    let modified = data.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = modified.unwrap_or_default().as_nanos();
    let stamp = FileStamp {
        modified_ns: i64::try_from(nanoseconds).unwrap_or(i64::MAX),
        len: i64::try_from(data.len()).unwrap_or(i64::MAX),
    };
    OnDisk { path, owner, stamp }
}

fn address(name: &str) -> Option<String> {
    name.contains('@').then(|| name.to_lowercase())
}
