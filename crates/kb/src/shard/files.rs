//! The files of a shard: names, lengths and checksums. The list is written last, so a folder
//! without it was never finished.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use aileron_contract::kb::Namespace;
use serde::{Deserialize, Serialize};

use super::DamagedShard;

/// The folder of the full-text index.
pub(super) const WORDS: &str = "words";
pub(super) const VECTORS: &str = "vectors.bin";
pub(super) const TOKENS: &str = "tokens.df";
const LIST: &str = "shard.json";

/// Changes with the meaning of any file, the analysis of words included. An index of another
/// format is rebuilt from the records.
pub(crate) const FORMAT: u32 = 2;

/// The content of `shard.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    pub(super) format: u32,
    pub(super) namespace: Namespace,
    pub(super) passages: u32,
    pub(super) records: u32,
    pub(super) dim: Option<usize>,
    /// By path from the shard's folder, with `/`.
    pub(super) files: BTreeMap<String, Sum>,
}

/// The length and checksum of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sum {
    pub(super) bytes: u64,
    pub(super) crc32: u32,
}

impl List {
    pub(super) fn bytes(&self) -> u64 {
        self.files.values().map(|sum| sum.bytes).sum()
    }

    pub(super) fn read(dir: &Path) -> Result<Self, DamagedShard> {
        let path = dir.join(LIST);
        let text = fs::read(&path).map_err(|error| DamagedShard::unreadable(&path, &error))?;
        let list: Self = serde_json::from_slice(&text)
            .map_err(|error| DamagedShard::unreadable(&path, &error))?;
        match list.format {
            FORMAT => Ok(list),
            other => {
                Err(DamagedShard::new(&path, format!("expected format {FORMAT}, found {other}")))
            }
        }
    }

    /// Whether every file is there and as long as it was.
    pub(super) fn check_sizes(&self, dir: &Path) -> Result<(), DamagedShard> {
        self.files.iter().try_for_each(|(name, sum)| {
            let path = dir.join(name);
            let found =
                fs::metadata(&path).map_err(|error| DamagedShard::unreadable(&path, &error))?;
            let expected = format!("expected {} bytes, found {}", sum.bytes, found.len());
            (found.len() == sum.bytes)
                .then_some(())
                .ok_or_else(|| DamagedShard::new(&path, expected))
        })
    }

    /// Compares every byte with the checksums.
    pub(super) fn check_sums(&self, dir: &Path) -> Result<(), DamagedShard> {
        self.files.iter().try_for_each(|(name, expected)| {
            let path = dir.join(name);
            let found = sum(&path).map_err(|error| DamagedShard::unreadable(&path, &error))?;
            let message =
                format!("expected checksum {:08x}, found {:08x}", expected.crc32, found.crc32);
            (found == *expected).then_some(()).ok_or_else(|| DamagedShard::new(&path, message))
        })
    }

    /// Makes the files durable, then the list of them.
    pub(super) fn write(mut self, dir: &Path) -> io::Result<Self> {
        for path in files(dir)?.into_iter().chain(files(&dir.join(WORDS))?) {
            File::open(&path)?.sync_all()?;
            let name = path.strip_prefix(dir).unwrap_or(&path);
            let name = name.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>();
            self.files.insert(name.join("/"), sum(&path)?);
        }
        sync_folder(&dir.join(WORDS))?;
        write_durably(&dir.join(LIST), &serde_json::to_vec_pretty(&self)?)?;
        sync_folder(dir)?;
        Ok(self)
    }
}

/// The files of a folder, without the locks that opening leaves there.
fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let lock = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "lock");
    Ok(paths.filter(|path| path.is_file() && !lock(path)).collect())
}

fn sum(path: &Path) -> io::Result<Sum> {
    let (mut file, mut hasher) = (File::open(path)?, crc32fast::Hasher::new());
    let (mut buffer, mut bytes) = (vec![0; 256 << 10], 0);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Sum { bytes, crc32: hasher.finalize() }),
            read => {
                hasher.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
}

pub(super) fn write_durably(path: &Path, content: &[u8]) -> io::Result<()> {
    fs::write(path, content)?;
    File::open(path)?.sync_all()
}

/// Makes the names in a folder durable. Only Unix can.
fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}
