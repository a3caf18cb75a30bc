//! Which calendar files there are, and whose.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

use aileron_runtime::capability::Fault;

use super::disk;

/// A calendar file as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OnDisk {
    /// Seen from the root, with `/` between the parts.
    pub(super) path: String,
    /// The address it is named after, in lower case.
    pub(super) owner: Option<String>,
    pub(super) stamp: Stamp,
}

/// What tells one version of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) modified_ns: i64,
    pub(super) len: i64,
}

/// The calendar files of a folder and of the folders in it.
pub(super) fn files(root: &Path) -> Result<Vec<OnDisk>, Fault> {
    let mut found = Vec::new();
    for name in names(root)? {
        let path = root.join(&name);
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() && !name.starts_with('.') => {
                let owner = address(&name);
                for inner in names(&path)? {
                    let file = format!("{name}/{inner}");
                    found.extend(calendar(root, file, owner.clone()));
                }
            }
            Ok(data) if data.is_file() => {
                let owner = name.strip_suffix(".ics").and_then(address);
                found.extend(calendar(root, name, owner));
            }
            _ => {}
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn names(folder: &Path) -> Result<Vec<String>, Fault> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(disk(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| disk(folder, &error))?;
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}

/// A file that went away meanwhile is none.
fn calendar(root: &Path, path: String, owner: Option<String>) -> Option<OnDisk> {
    let name = path.rsplit('/').next().unwrap_or_default();
    if !name.ends_with(".ics") || name.starts_with('.') {
        return None;
    }
    let data = fs::metadata(root.join(&path)).ok().filter(Metadata::is_file)?;
    Some(OnDisk { stamp: stamp(&data), path, owner })
}

fn stamp(data: &Metadata) -> Stamp {
    let modified = data.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = modified.unwrap_or_default().as_nanos();
    Stamp {
        modified_ns: i64::try_from(nanoseconds).unwrap_or(i64::MAX),
        len: i64::try_from(data.len()).unwrap_or(i64::MAX),
    }
}

fn address(name: &str) -> Option<String> {
    name.contains('@').then(|| name.to_lowercase())
}
