//! A real CalDAV server: Radicale, installed once through pip into the target folder, started on a
//! free port with its own users and calendars.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A server that ends with the test.
pub(crate) struct Radicale {
    pub(crate) base: String,
    process: Child,
    folder: TempDir,
}

impl Drop for Radicale {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Radicale {
    /// Users are ada and mira; their password is `secret`, and each has a calendar `work`.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let users = folder.path().join("users");
        fs::write(&users, "ada:secret\nmira:secret\n").unwrap();
        // All users may read everything, and write their own calendars.
        let rights = folder.path().join("rights");
        fs::write(&rights, "[own]\nuser: .+\ncollection: {user}(/.*)?\npermissions: RrWw\n[all]\nuser: .+\ncollection: .*\npermissions: Rr\n").unwrap();
        for user in ["ada", "mira"] {
            calendar(folder.path(), user);
        }
        let (base, process) = serve(folder.path(), &users, &rights);
        Self { base, process, folder }
    }

    /// The events of a calendar as they lie on the server's disk.
    pub(crate) fn events(&self, user: &str) -> Vec<String> {
        let names = fs::read_dir(store(self.folder.path(), user)).unwrap().flatten();
        let texts = names.filter(|it| it.file_name().to_string_lossy().ends_with(".ics"));
        texts.map(|it| fs::read_to_string(it.path()).unwrap()).collect()
    }

    /// Deletes all events of a calendar, as another program would.
    pub(crate) fn delete_events(&self, user: &str) {
        for entry in fs::read_dir(store(self.folder.path(), user)).unwrap().flatten() {
            if entry.file_name().to_string_lossy().ends_with(".ics") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    }

    /// Gives the calendar of a user another address.
    pub(crate) fn rename(&self, user: &str, name: &str) {
        let from = store(self.folder.path(), user);
        fs::rename(&from, from.with_file_name(name)).unwrap();
    }

    /// Gives it the address back that it had at first.
    pub(crate) fn rename_back(&self, user: &str, name: &str) {
        let to = store(self.folder.path(), user);
        fs::rename(to.with_file_name(name), &to).unwrap();
    }

    /// The events of a calendar that has another name.
    pub(crate) fn events_of(&self, user: &str, name: &str) -> usize {
        let place = store(self.folder.path(), user).with_file_name(name);
        let names = fs::read_dir(place).unwrap().flatten();
        names.filter(|it| it.file_name().to_string_lossy().ends_with(".ics")).count()
    }

    /// Puts an event there as another program would.
    pub(crate) fn put(&self, user: &str, name: &str, text: &str) {
        fs::write(store(self.folder.path(), user).join(name), text).unwrap();
    }
}

fn store(folder: &Path, user: &str) -> PathBuf {
    folder.join("data/collection-root").join(user).join("work")
}

fn calendar(folder: &Path, user: &str) {
    let store = store(folder, user);
    fs::create_dir_all(&store).unwrap();
    fs::write(
        store.join(".Radicale.props"),
        "{\"tag\": \"VCALENDAR\", \"D:displayname\": \"Work\"}",
    )
    .unwrap();
}

/// Somebody else may take a port that was free a moment ago; then another one is tried.
fn serve(folder: &Path, users: &Path, rights: &Path) -> (String, Child) {
    let mut said = String::new();
    for _ in 0..3 {
        match try_serve(folder, users, rights) {
            Ok(serving) => return serving,
            Err(why) => said.push_str(&why),
        }
    }
    panic!("Radicale does not start: {said}");
}

fn try_serve(folder: &Path, users: &Path, rights: &Path) -> Result<(String, Child), String> {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let option = |name: &str, value: &str| format!("--{name}={value}");
    let mut process = Command::new(python())
        .args(["-m", "radicale", "--config", ""])
        .arg(option("server-hosts", &format!("127.0.0.1:{port}")))
        .arg(option("auth-type", "htpasswd"))
        .arg(option("auth-htpasswd-filename", users.to_str().unwrap()))
        .arg(option("auth-htpasswd-encryption", "plain"))
        .arg(option("auth-delay", "0"))
        .arg(option("rights-type", "from_file"))
        .arg(option("rights-file", rights.to_str().unwrap()))
        .arg(option("storage-filesystem-folder", folder.join("data").to_str().unwrap()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    for line in lines.by_ref().map_while(Result::ok) {
        said.push_str(&line);
        said.push('\n');
        if line.contains("ready") {
            // Its later output must be read, or it would block.
            std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
            return Ok((format!("http://127.0.0.1:{port}/"), process));
        }
    }
    let _ = process.kill();
    let _ = process.wait();
    Err(said)
}

/// The Python that has Radicale.
fn python() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/sdk/radicale/python/bin/python");
    assert!(python.exists(), "`cargo xtask install` installs {}", python.display());
    python
}
