//! Reads from git: the commit, and the tools at a ref.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use aileron_compiler::{Memory, is_package_file};

/// The short commit of the repository that holds a folder, if any.
pub(crate) fn commit(folder: &Path) -> Option<String> {
    let output = run(folder, &["rev-parse", "--short=12", "HEAD"]).ok()?;
    Some(String::from_utf8_lossy(&output).trim().to_owned())
}

/// The files below a folder as they were at a ref.
pub(crate) fn tree_at(reference: &str, folder: &Path) -> Result<Memory, String> {
    let at = if folder.is_dir() { folder } else { Path::new(".") };
    let commit = format!("{reference}^{{commit}}");
    run(at, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).map_err(|why| {
        format!("expected a file, a folder or a git ref, found {reference:?}{why}")
    })?;
    let prefix = prefix(at, folder)?;
    let listing =
        run(at, &["ls-tree", "-r", "-z", "--full-tree", reference, "--", &format!("./{prefix}")])?;
    let mut blobs = blobs(&String::from_utf8_lossy(&listing), &prefix);
    if blobs.is_empty() {
        return Err(format!("git ref {reference:?} has no files in `{prefix}`"));
    }
    blobs.extend(project_files(at, reference, &prefix)?);
    let mut tree = Memory::new(format!("{reference}:{}", prefix.trim_end_matches('/')));
    for (path, bytes) in contents(at, &blobs)? {
        tree.insert(path, bytes);
    }
    Ok(tree)
}

/// The folder's path from the top of the repository, with a slash at its end.
fn prefix(at: &Path, folder: &Path) -> Result<String, String> {
    let output = run(at, &["rev-parse", "--show-prefix"])?;
    let prefix = String::from_utf8_lossy(&output).trim().to_owned();
    if at == folder {
        Ok(prefix)
    } else {
        Ok(format!("{prefix}{}/", folder.to_string_lossy().trim_end_matches('/')))
    }
}

/// The regular files of a listing: path below the prefix, and object id.
fn blobs(listing: &str, prefix: &str) -> Vec<(String, String)> {
    let entry = |line: &str| {
        let (meta, path) = line.split_once('\t')?;
        let mut words = meta.split(' ');
        let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
        let below = path.strip_prefix(prefix)?;
        (kind == "blob" && mode.starts_with("100")).then(|| (below.to_owned(), id.to_owned()))
    };
    listing.split('\0').filter_map(entry).collect()
}

/// The manifests and lock files of packages in the folders above the tools folder, up to the folder of
/// `aileron.toml` or of the repository.
fn project_files(
    at: &Path,
    reference: &str,
    prefix: &str,
) -> Result<Vec<(String, String)>, String> {
    let mut files = Vec::new();
    let mut folder = prefix.trim_end_matches('/');
    let mut up = String::new();
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
        up.push_str("../");
        let parent = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let listing =
            run(at, &["ls-tree", "-z", "--full-tree", reference, "--", &format!("./{parent}")])?;
        let found = blobs(&String::from_utf8_lossy(&listing), &parent);
        let is_project = found.iter().any(|(name, _)| name == "aileron.toml");
        let found = found.into_iter().filter(|(name, _)| is_package_file(name));
        files.extend(found.map(|(name, id)| (format!("{up}{name}"), id)));
        if is_project {
            break;
        }
    }
    Ok(files)
}

/// The bytes of each object, by one `git cat-file`.
fn contents(at: &Path, blobs: &[(String, String)]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut child = git(at)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("git could not be started: {error}"))?;
    let ids: String = blobs.iter().map(|(_, id)| format!("{id}\n")).collect();
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(ids.as_bytes())));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = writer.join();
    let mut rest = output.stdout.as_slice();
    let mut files = Vec::with_capacity(blobs.len());
    for (path, _) in blobs {
        let bytes = next_object(&mut rest)
            .ok_or_else(|| format!("git did not give the content of `{path}`"))?;
        files.push((path.clone(), bytes));
    }
    Ok(files)
}

/// Reads one `<id> <kind> <size>\n<bytes>\n` record.
fn next_object(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let header = std::str::from_utf8(rest.get(..end)?).ok()?;
    let size: usize = header.rsplit(' ').next()?.parse().ok()?;
    let bytes = rest.get(end + 1..end + 1 + size)?.to_vec();
    *rest = rest.get(end + size + 2..)?;
    Some(bytes)
}

fn git(at: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(at);
    command
}

fn run(at: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = git(at)
        .args(args)
        .output()
        .map_err(|error| format!("; git could not be started: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    let why = why.trim().trim_start_matches("fatal: ");
    Err(if why.is_empty() { String::new() } else { format!("; git says: {why}") })
}
