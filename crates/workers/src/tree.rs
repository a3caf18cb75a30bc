//! The folder from which worker processes run: the sources of the artifact, the module `aileron`, the
//! programs of the workers, and links to the installed packages.
//!
//! The sources lie as deep as needed for Node.js to find the packages of the project where it would
//! find them from the tools folder: `node_modules` of the folders of the tools and of all folders
//! above is linked at the same level.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, os::unix::fs::symlink};

use aileron_capability::foreign::javascript;
use tempfile::TempDir;

use crate::python;

/// Number of folders above the tools folder whose packages can be imported.
const LEVELS: usize = 8;

/// The programs of the workers.
const PROGRAMS: [(&str, &str); 12] = [
    ("node/worker.mjs", include_str!("node/worker.mjs")),
    ("node/context.mjs", include_str!("node/context.mjs")),
    ("node/faults.mjs", include_str!("node/faults.mjs")),
    ("node/typescript.mjs", include_str!("node/typescript.mjs")),
    ("python/main.py", include_str!("python/main.py")),
    ("python/aileron_worker/__init__.py", include_str!("python/aileron_worker/__init__.py")),
    ("python/aileron_worker/call.py", include_str!("python/aileron_worker/call.py")),
    ("python/aileron_worker/connection.py", include_str!("python/aileron_worker/connection.py")),
    ("python/aileron_worker/context.py", include_str!("python/aileron_worker/context.py")),
    ("python/aileron_worker/faults.py", include_str!("python/aileron_worker/faults.py")),
    ("python/aileron_worker/output.py", include_str!("python/aileron_worker/output.py")),
    ("python/aileron_worker/worker.py", include_str!("python/aileron_worker/worker.py")),
];
const NODE_PACKAGE: &str = r#"{"name":"aileron","type":"module","exports":"./index.js"}"#;

/// The folder of one engine. It is removed with it.
#[derive(Debug)]
pub(crate) struct Tree {
    root: TempDir,
    tools: PathBuf,
    used: AtomicUsize,
}

impl Tree {
    /// Creates the folder, readable only for this user.
    pub(crate) fn new(tools: &Path) -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("aileron-").tempdir()?;
        let root_path = root.path().canonicalize()?;
        let package = root_path.join("node_modules").join("aileron");
        fs::create_dir_all(&package)?;
        fs::write(package.join("package.json"), NODE_PACKAGE)?;
        fs::write(package.join("index.js"), javascript::aileron_source())?;
        fs::create_dir(root_path.join("node"))?;
        fs::create_dir_all(root_path.join("python").join("aileron_worker"))?;
        for (path, text) in PROGRAMS {
            fs::write(root_path.join(path), text)?;
        }
        fs::write(root_path.join("python").join("aileron.py"), python::aileron_source())?;
        let tools = std::path::absolute(tools)?;
        let tree = Self { root, tools, used: AtomicUsize::new(0) };
        tree.link_above()?;
        Ok(tree)
    }

    /// The folder of the sources.
    pub(crate) fn sources(&self) -> PathBuf {
        self.level(0).join("tools")
    }

    /// The program of Node.js workers.
    pub(crate) fn node_worker(&self) -> PathBuf {
        self.root().join("node").join("worker.mjs")
    }

    /// The program of Python workers.
    pub(crate) fn python_worker(&self) -> PathBuf {
        self.root().join("python").join("main.py")
    }

    /// A fresh working directory for one process, and the path of its socket.
    pub(crate) fn place(&self) -> io::Result<(PathBuf, PathBuf)> {
        let number = self.used.fetch_add(1, Ordering::Relaxed);
        let folder = self.root().join("work").join(number.to_string());
        fs::create_dir_all(folder.join("tmp"))?;
        Ok((folder, self.root().join(format!("{number}.sock"))))
    }

    /// Writes the modules of a tool, by their path below the tools folder.
    pub(crate) fn write<'a>(
        &self,
        modules: impl Iterator<Item = (&'a String, &'a String)>,
    ) -> io::Result<()> {
        let mut folders = BTreeSet::new();
        for (path, text) in modules {
            let path = contained(path)?;
            let target = self.sources().join(path);
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(self.sources().join(folder))?;
            fs::write(target, text)?;
            folders.extend(folder.ancestors().map(Path::to_path_buf));
        }
        folders
            .iter()
            .try_for_each(|folder| link(&self.tools.join(folder), &self.sources().join(folder)))
    }

    fn root(&self) -> PathBuf {
        // The folder exists as long as this value, so its path can be resolved.
        self.root.path().canonicalize().unwrap_or_else(|_| self.root.path().to_path_buf())
    }

    /// The folder that stands for the one `up` levels above the tools folder's parent.
    fn level(&self, up: usize) -> PathBuf {
        (up..LEVELS).fold(self.root(), |path, _| path.join("up"))
    }

    fn link_above(&self) -> io::Result<()> {
        fs::create_dir_all(self.sources())?;
        let above = self.tools.ancestors().skip(1).take(LEVELS);
        above.enumerate().try_for_each(|(up, folder)| link(folder, &self.level(up)))
    }
}

/// Links the installed packages of a folder, if it has any and they are not linked yet.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (from.join("node_modules"), to.join("node_modules"));
    if !from.is_dir() || to.symlink_metadata().is_ok() {
        return Ok(());
    }
    symlink(from, to)
}

/// The path, if it stays below its folder.
fn contained(path: &str) -> io::Result<&Path> {
    let path = Path::new(path);
    if path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(path);
    }
    let message =
        format!("expected the path of a module below the tools folder, found `{}`", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}
