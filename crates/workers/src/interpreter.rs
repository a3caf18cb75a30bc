//! The program that runs handlers: Node.js, or the Python of a virtual environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, io};

use aileron_contract::artifact::source_text;
use aileron_contract::{ContentHash, HandlerRuntime, Packages};

use crate::options::WorkerOptions;
use crate::tree::Tree;

/// The oldest Node.js that tells ES modules by their syntax.
const OLDEST_NODE: [u32; 2] = [20, 19];
const OLDEST_PYTHON: [u32; 2] = [3, 9];

/// Memory that Node.js maps beyond its heap: stacks of threads, code, buffers.
const NODE_RESERVE: u64 = 1 << 30;

/// Virtual environments beside a manifest.
const ENVIRONMENTS: [&str; 2] = [".venv", "venv"];

/// A runtime and its program. Handlers with the same one share processes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Interpreter {
    pub(crate) runtime: HandlerRuntime,
    pub(crate) program: PathBuf,
}

impl Interpreter {
    /// The interpreter of a handler with these packages.
    pub(crate) fn new(
        runtime: HandlerRuntime,
        packages: Option<&Packages>,
        options: &WorkerOptions,
    ) -> Self {
        let program = match runtime {
            HandlerRuntime::Python => packages
                .and_then(|packages| environment(&folder(&options.tools, packages)))
                .unwrap_or_else(|| options.python.clone()),
            HandlerRuntime::Node | HandlerRuntime::Sandbox => options.node.clone(),
        };
        Self { runtime, program }
    }

    /// The arguments of a worker process before the path of its socket.
    pub(crate) fn arguments(&self, tree: &Tree, options: &WorkerOptions) -> Vec<OsString> {
        match self.runtime {
            HandlerRuntime::Python => vec!["-u".into(), tree.python_worker().into()],
            HandlerRuntime::Node | HandlerRuntime::Sandbox => {
                let megabytes = options.memory_bytes >> 20;
                let heap = format!("--max-old-space-size={megabytes}");
                vec![heap.into(), tree.node_worker().into()]
            }
        }
    }

    /// Private memory that the system lets a process map. Python raises `MemoryError` there, before
    /// its use of memory ends it; Node.js reserves more than it uses.
    pub(crate) fn data_bytes(&self, options: &WorkerOptions) -> u64 {
        match self.runtime {
            HandlerRuntime::Python => options.memory_bytes / 8 * 7,
            HandlerRuntime::Node | HandlerRuntime::Sandbox => {
                options.memory_bytes.saturating_mul(2).saturating_add(NODE_RESERVE)
            }
        }
    }

    /// Refuses a version that is too old.
    pub(crate) fn check_version(&self, version: &str) -> Result<(), String> {
        let oldest = match self.runtime {
            HandlerRuntime::Python => OLDEST_PYTHON,
            HandlerRuntime::Node | HandlerRuntime::Sandbox => OLDEST_NODE,
        };
        let mut found = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
        let found = [found.next().unwrap_or_default(), found.next().unwrap_or_default()];
        if found >= oldest {
            return Ok(());
        }
        let (name, program) = (self.name(), self.program.display());
        let [major, minor] = oldest;
        Err(format!(
            "expected {name} {major}.{minor} or newer, found {version}; install a newer one, or name \
             it with {}",
            self.setting(&program.to_string())
        ))
    }

    /// Whether the program can be found, as a path or in `PATH`.
    pub(crate) fn check_program(&self) -> Result<(), String> {
        let program = &self.program;
        let is_found = match program.components().count() {
            0 | 1 => env::var_os("PATH").is_some_and(|path| {
                env::split_paths(&path).any(|folder| folder.join(program).is_file())
            }),
            _ => program.is_file(),
        };
        match is_found {
            true => Ok(()),
            false => Err(self.missing(&io::Error::from(io::ErrorKind::NotFound))),
        }
    }

    /// The reason why the program cannot be started.
    pub(crate) fn missing(&self, error: &io::Error) -> String {
        let (name, program) = (self.name(), self.program.display().to_string());
        format!(
            "{name} is needed and `{program}` could not be started: {error}; install {name}, or name \
             its program with {}",
            self.setting(&program)
        )
    }

    /// The name of the runtime for people.
    pub(crate) fn name(&self) -> &'static str {
        match self.runtime {
            HandlerRuntime::Python => "Python",
            HandlerRuntime::Node | HandlerRuntime::Sandbox => "Node.js",
        }
    }

    fn setting(&self, program: &str) -> String {
        format!("`handlers.{} = \"{program}\"` in aileron.toml", self.runtime.as_str())
    }
}

/// The Python of a virtual environment in a folder.
fn environment(folder: &Path) -> Option<PathBuf> {
    let programs = ENVIRONMENTS.map(|name| folder.join(name).join("bin").join("python"));
    programs.into_iter().find(|program| program.exists())
}

/// The folder of a manifest.
pub(crate) fn folder(tools: &Path, packages: &Packages) -> PathBuf {
    let manifest = tools.join(&packages.manifest);
    let folder = manifest.parent().unwrap_or(tools);
    folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf())
}

/// Refuses packages whose lock file is not the one that the registry was built with.
pub(crate) fn check_lock(tools: &Path, packages: &Packages) -> Result<(), String> {
    let path = folder(tools, packages).join(&packages.lock);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!("its package lock `{}` cannot be read: {error}", path.display())
    })?;
    if ContentHash::of_bytes(source_text(&text).as_bytes()) == packages.lock_hash {
        return Ok(());
    }
    Err(format!(
        "`{}` changed since the registry was built; run `aileron build`, or restore the file",
        path.display()
    ))
}

/// The command that installs the packages of a handler.
pub(crate) fn install_command(
    runtime: HandlerRuntime,
    tools: &Path,
    packages: Option<&Packages>,
    missing: &str,
) -> String {
    let Some(packages) = packages else {
        return match runtime {
            HandlerRuntime::Python => {
                format!("write `{missing}` into a requirements.txt and install it")
            }
            HandlerRuntime::Node | HandlerRuntime::Sandbox => {
                format!("run `npm install {missing}`")
            }
        };
    };
    let folder = folder(tools, packages).display().to_string();
    let command = match packages.lock.as_str() {
        "package-lock.json" | "npm-shrinkwrap.json" => "npm ci".to_owned(),
        "pnpm-lock.yaml" => "pnpm install --frozen-lockfile".to_owned(),
        "yarn.lock" => "yarn install --frozen-lockfile".to_owned(),
        "bun.lock" => "bun install --frozen-lockfile".to_owned(),
        "uv.lock" => "uv sync --frozen".to_owned(),
        "poetry.lock" => "poetry install".to_owned(),
        "pdm.lock" => "pdm sync".to_owned(),
        "package.json" => "npm install".to_owned(),
        "pyproject.toml" => "python3 -m venv .venv && .venv/bin/pip install .".to_owned(),
        other => format!("python3 -m venv .venv && .venv/bin/pip install -r {other}"),
    };
    format!("run `{command}` in `{folder}`")
}
