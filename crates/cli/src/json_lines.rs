//! Writes values as JSON lines, to stdout or to a new file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::commands::findings::written;
use crate::output::{self, Failure, StdoutReader};

/// The target of the lines. An unfinished file is deleted.
#[derive(Debug)]
pub(crate) enum JsonLines {
    Stdout(BufWriter<StdoutLock<'static>>),
    File(PartialFile),
}

/// An unfinished file.
#[derive(Debug)]
pub(crate) struct PartialFile {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl JsonLines {
    /// To this file, or to stdout if none is named.
    pub(crate) fn to(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout().lock())));
        };
        let file = create(path).map_err(|error| cannot_be_made(path, &error))?;
        let file = Some(BufWriter::new(file));
        Ok(Self::File(PartialFile { path: path.to_owned(), file }))
    }

    /// Writes a line; returns whether the output is still read.
    pub(crate) fn put(&mut self, value: &impl Serialize) -> Result<StdoutReader, Failure> {
        match self {
            Self::Stdout(stdout) => output::reader(line(stdout, value)),
            Self::File(unfinished) => unfinished.write(|file| line(file, value)),
        }
    }

    /// Flushes all lines.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Stdout(mut stdout) => output::reader(stdout.flush()).map(drop),
            Self::File(mut unfinished) => {
                unfinished.write(Write::flush)?;
                unfinished.file = None;
                Ok(())
            }
        }
    }
}

impl PartialFile {
    fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<StdoutReader, Failure> {
        let result = self.file.as_mut().map_or(Ok(()), write);
        let shown = written(&self.path);
        result.map_err(|error| Failure::Failed(format!("`{shown}` cannot be written: {error}")))?;
        Ok(StdoutReader::There)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            drop(fs::remove_file(&self.path));
        }
    }
}

/// A file that only its owner can read, like its source.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn cannot_be_made(path: &Path, error: &io::Error) -> Failure {
    let shown = written(path);
    Failure::Usage(match error.kind() {
        ErrorKind::AlreadyExists => format!("`{shown}` exists already; name another file"),
        _ => format!("`{shown}` cannot be made: {error}"),
    })
}

fn line(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *to, value)?;
    to.write_all(b"\n")
}
