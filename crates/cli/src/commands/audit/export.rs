//! `aileron audit export`: records as JSON lines, for other programs.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use aileron_contract::AuditRecord;
use aileron_store::{AuditLog, AuditStream};

use super::{failure, nothing};
use crate::args::ExportArgs;
use crate::commands::findings::written;
use crate::output::{self, Failure, Outcome, Reader, count};

pub(super) fn run(args: &ExportArgs, log: &AuditLog) -> Result<Outcome, Failure> {
    let records = log.read(args.filters.filter()?);
    let exported = match &args.out {
        Some(path) => to_file(records, path)?,
        None => to_stdout(records)?,
    };
    if exported == 0 {
        output::talk(nothing(log)?);
    } else if let Some(path) = &args.out {
        output::talk(&format!("{} written to {}", count(exported, "record"), written(path)));
    }
    Ok(Outcome::Fine)
}

fn to_stdout(records: AuditStream) -> Result<usize, Failure> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut exported = 0;
    for record in records {
        if output::reader(write(&mut stdout, &record.map_err(failure)?))? == Reader::Left {
            return Ok(exported);
        }
        exported += 1;
    }
    output::reader(stdout.flush())?;
    Ok(exported)
}

/// Writes all records or leaves no file.
fn to_file(records: AuditStream, path: &Path) -> Result<usize, Failure> {
    let file = create(path).map_err(|error| cannot_be_made(path, &error))?;
    fill(file, records, path).inspect_err(|_| drop(std::fs::remove_file(path)))
}

fn fill(file: File, records: AuditStream, path: &Path) -> Result<usize, Failure> {
    let failed = |error: io::Error| {
        Failure::Failed(format!("`{}` cannot be written: {error}", written(path)))
    };
    let mut file = BufWriter::new(file);
    let mut exported = 0;
    for record in records {
        write(&mut file, &record.map_err(failure)?).map_err(failed)?;
        exported += 1;
    }
    file.flush().map_err(failed)?;
    Ok(exported)
}

/// A file for its owner alone, as the store is.
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

fn write(to: &mut impl Write, record: &AuditRecord) -> io::Result<()> {
    serde_json::to_writer(&mut *to, record)?;
    to.write_all(b"\n")
}
