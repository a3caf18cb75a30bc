//! Writes the table of the files under `dist`, which `cargo xtask page` builds and the repository contains,
//! so that building the program needs no Node.

#[path = "src/fingerprint.rs"]
mod fingerprint;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use fingerprint::Fingerprint;

const INDEX: &str = "index.html";
const MISSING: &str = "crates/page/dist/index.html is missing: the page was not built. Run \
                       `cargo xtask page` (needs Node), or restore the folder from the repository";

/// The endings of the compressed copies.
const BROTLI: &str = ".br";
const GZIP: &str = ".gz";

fn main() -> Result<(), Box<dyn Error>> {
    let dist = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    if !dist.join(INDEX).is_file() {
        println!("cargo::error={MISSING}");
        return Ok(());
    }
    let mut files = BTreeMap::new();
    collect(&dist, "", &mut files)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("files.rs");
    fs::write(out, table(&files)?)?;
    Ok(())
}

/// All files under a folder by their path in `dist`.
fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, PathBuf>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().ok_or("a file name that is not UTF-8")?;
        let path = format!("{prefix}{name}");
        match entry.file_type()?.is_dir() {
            true => collect(&entry.path(), &format!("{path}/"), files)?,
            false => drop(files.insert(path, entry.path())),
        }
    }
    Ok(())
}

/// The files in the order of their paths, and the version of them all.
fn table(files: &BTreeMap<String, PathBuf>) -> Result<String, Box<dyn Error>> {
    let mut text = String::from("static FILES: &[BuiltInFile] = &[\n");
    let mut version = Fingerprint::default();
    let plain = files.iter().filter(|(path, _)| !path.ends_with(BROTLI) && !path.ends_with(GZIP));
    for (path, file) in plain {
        let bytes = fs::read(file)?;
        version.add(path.as_bytes());
        version.add(&bytes);
        let mut own = Fingerprint::default();
        own.add(&bytes);
        let compressed = |ending: &str| match files.get(&format!("{path}{ending}")) {
            Some(file) => format!("Some(include_bytes!({file:?}))"),
            None => "None".to_owned(),
        };
        writeln!(
            text,
            "    BuiltInFile {{ path: {path:?}, fingerprint: {:?}, identity: \
             include_bytes!({file:?}), brotli: {}, gzip: {} }},",
            own.to_string(),
            compressed(BROTLI),
            compressed(GZIP),
        )?;
    }
    writeln!(text, "];\nconst VERSION: &str = {:?};", version.to_string())?;
    Ok(text)
}
