//! A tools folder on disk.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::source_tree::{DirEntry, EntryKind, Listing, ReadError, SourceTree};

/// A tools folder on disk. Symbolic links are followed while they stay inside.
#[derive(Debug)]
pub struct Folder {
    label: String,
    root: PathBuf,
    real_root: PathBuf,
    /// How many folders above belong to the same project.
    above: usize,
}

/// Maximum number of folders above the tools folder in which a project's files are looked for.
const MOST_ABOVE: usize = 8;

impl Folder {
    /// Opens a folder; the label is the path as the person wrote it.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let real_root = fs::canonicalize(path).map_err(|error| describe(&error))?;
        if !real_root.is_dir() {
            return Err(ReadError::Other("it is not a folder".to_owned()));
        }
        let label = path.to_string_lossy().replace('\\', "/").trim_end_matches('/').to_owned();
        let above = levels_above(&real_root);
        Ok(Self { label, root: path.to_owned(), real_root, above })
    }

    /// The entry of a name, with links followed if they stay inside.
    fn entry(&self, directory: &str, name: &str) -> Result<DirEntry, ReadError> {
        let path = self.root.join(directory).join(name);
        let link = fs::symlink_metadata(&path).map_err(|error| describe(&error))?;
        let meta = if link.is_symlink() { self.follow(&path)? } else { link };
        let kind = if meta.is_dir() { EntryKind::Directory } else { EntryKind::File };
        Ok(DirEntry { name: name.to_owned(), kind })
    }

    fn named_entry(
        &self,
        directory: &str,
        name: OsString,
    ) -> Result<DirEntry, (String, ReadError)> {
        match name.into_string() {
            Ok(name) => self.entry(directory, &name).map_err(|error| (name, error)),
            Err(name) => {
                let why = ReadError::Other("its name is not UTF-8".to_owned());
                Err((name.to_string_lossy().into_owned(), why))
            }
        }
    }

    fn follow(&self, path: &Path) -> Result<fs::Metadata, ReadError> {
        let real = fs::canonicalize(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => ReadError::BadLink("it leads to nothing".to_owned()),
            ErrorKind::PermissionDenied => describe(&error),
            _ => ReadError::BadLink("it leads in circles".to_owned()),
        })?;
        if !real.starts_with(&self.real_root) {
            return Err(ReadError::BadLink("it leads out of the tools folder".to_owned()));
        }
        if self.contains_itself(path, &real) {
            return Err(ReadError::BadLink("it leads in circles".to_owned()));
        }
        fs::metadata(real).map_err(|error| describe(&error))
    }

    /// Whether a link leads to a folder that holds the link.
    fn contains_itself(&self, link: &Path, real: &Path) -> bool {
        let parent = link.parent().and_then(|parent| fs::canonicalize(parent).ok());
        parent.is_some_and(|parent| parent.starts_with(real))
    }
}

/// The number of folders up to the project's own, which has `aileron.toml` or `.git`. Without either,
/// only the folder that holds the tools folder belongs to it.
fn levels_above(root: &Path) -> usize {
    let is_project =
        |folder: &Path| folder.join("aileron.toml").is_file() || folder.join(".git").exists();
    root.ancestors().take(MOST_ABOVE + 1).position(is_project).unwrap_or(1)
}

fn describe(error: &std::io::Error) -> ReadError {
    match error.kind() {
        ErrorKind::NotFound => ReadError::NotFound,
        ErrorKind::PermissionDenied => ReadError::Other("permission denied".to_owned()),
        _ => ReadError::Other(error.to_string()),
    }
}

impl SourceTree for Folder {
    fn label(&self) -> &str {
        &self.label
    }

    fn entries(&self, directory: &str) -> Result<Listing, ReadError> {
        let listing = fs::read_dir(self.root.join(directory)).map_err(|error| describe(&error))?;
        let mut names = Vec::new();
        for entry in listing {
            let entry = entry.map_err(|error| describe(&error))?;
            names.push(entry.file_name());
        }
        names.sort();
        Ok(names.into_iter().map(|name| self.named_entry(directory, name)).collect())
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let full = self.root.join(path);
        fs::symlink_metadata(&full).map_err(|error| describe(&error))?;
        let meta = self.follow(&full)?;
        if !meta.is_file() {
            return Err(ReadError::Other("it is not a regular file".to_owned()));
        }
        read_bounded(&full, meta.len(), limit)
    }

    fn read_project(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let levels = path.split('/').take_while(|step| *step == "..").count();
        if levels == 0 {
            return self.read(path, limit);
        }
        if levels > self.above {
            return Err(ReadError::NotFound);
        }
        let full = self.real_root.join(path);
        let meta = fs::metadata(&full).map_err(|error| describe(&error))?;
        if !meta.is_file() {
            return Err(ReadError::NotFound);
        }
        read_bounded(&full, meta.len(), limit)
    }
}

/// Reads a file of that many bytes, if they are not more than `limit`.
fn read_bounded(path: &Path, bytes: u64, limit: u64) -> Result<Vec<u8>, ReadError> {
    if bytes > limit {
        return Err(ReadError::TooLarge { bytes, limit });
    }
    let file = fs::File::open(path).map_err(|error| describe(&error))?;
    let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or_default());
    file.take(limit + 1).read_to_end(&mut content).map_err(|error| describe(&error))?;
    if content.len() as u64 > limit {
        return Err(ReadError::TooLarge { bytes: content.len() as u64, limit });
    }
    Ok(content)
}
