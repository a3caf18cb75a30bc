//! Embeds the files that `aileron init` writes: the shipped tools, prompts and demo records, straight from
//! the repository, so that they are never older than the binary.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Each folder of the repository, and its name in a project.
const FOLDERS: [(&str, &str); 3] =
    [("tools", "tools"), ("prompts", "prompts"), ("demo/knowledge", "knowledge")];

/// Files of the crate that compiles native handlers into the binary; no project gets them.
const OF_CRATE: [&str; 3] = ["tools/Cargo.toml", "tools/README.md", "tools/_crate"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    let mut table = "pub(super) const EMBEDDED: &[(&str, &str)] = &[\n".to_owned();
    for (folder, name) in FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        for path in files(&root, Path::new(folder))? {
            let inside = path.strip_prefix(folder)?;
            let project = Path::new(name).join(inside).display().to_string().replace('\\', "/");
            let source = root.join(&path);
            writeln!(
                table,
                "    ({project:?}, include_str!({:?})),",
                source.display().to_string()
            )?;
        }
    }
    table.push_str("];\n");
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("embedded.rs"), table)?;
    Ok(())
}

/// The files below a folder of the repository, sorted. Files of editors and operating systems are
/// left out.
fn files(root: &Path, folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut names: Vec<_> = fs::read_dir(root.join(folder))?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<Result<_, std::io::Error>>()?;
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let path = folder.join(&name);
        let is_hidden = name.to_string_lossy().starts_with('.');
        if is_hidden || OF_CRATE.iter().any(|own| path == Path::new(own)) {
            continue;
        }
        match root.join(&path).is_dir() {
            true => found.extend(files(root, &path)?),
            false => found.push(path),
        }
    }
    Ok(found)
}
