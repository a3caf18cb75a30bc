//! Archives, whole and damaged.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use super::*;

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    for (path, content) in files {
        let mut header = [0_u8; 512];
        header[..path.len()].copy_from_slice(path.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        out.write_all(&header).unwrap();
        out.write_all(content).unwrap();
        out.write_all(&vec![0; content.len().next_multiple_of(512) - content.len()]).unwrap();
    }
    out.write_all(&[0; 1024]).unwrap();
    out.finish().unwrap()
}

fn zip(path: &str, content: &[u8]) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(content).unwrap();
    let packed = packer.finish().unwrap();
    let sizes =
        [(packed.len() as u32).to_le_bytes(), (content.len() as u32).to_le_bytes()].concat();
    let name = (path.len() as u16).to_le_bytes();
    let mut local = [
        b"PK\x03\x04".as_slice(),
        &[20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &sizes,
        &name,
        &[0, 0],
        path.as_bytes(),
    ]
    .concat();
    local.extend(&packed);
    let entry = [
        b"PK\x01\x02".as_slice(),
        &[20, 0, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &sizes,
        &name,
        &[0; 16],
        path.as_bytes(),
    ]
    .concat();
    let offset = (local.len() as u32).to_le_bytes();
    let size = (entry.len() as u32).to_le_bytes();
    let end =
        [b"PK\x05\x06".as_slice(), &[0, 0, 0, 0, 1, 0, 1, 0], &size, &offset, &[0, 0]].concat();
    [local, entry, end].concat()
}

#[test]
fn exactly_the_named_file_is_taken() {
    let archive = tar(&[("package/es/model.onnx", b"spanish"), ("package/model.onnx", b"english")]);
    assert_eq!(member(&archive, "package/model.onnx").unwrap(), b"english");
    assert_eq!(member(&archive, "model.onnx").unwrap_err(), "no model.onnx");
    let archive = zip("a/b.onnx", b"weights weights weights");
    assert_eq!(member(&archive, "a/b.onnx").unwrap(), b"weights weights weights");
    assert_eq!(member(&archive, "b.onnx").unwrap_err(), "no b.onnx");
}

#[test]
fn a_damaged_archive_is_a_fault_and_no_panic() {
    for archive in [tar(&[("a", &[7; 3000])]), zip("a", &[7; 3000])] {
        for cut in 0..archive.len() {
            let _ = member(&archive[..cut], "a");
            let mut flipped = archive.clone();
            flipped[cut] ^= 0xff;
            let _ = member(&flipped, "a");
        }
    }
    assert!(member(b"", "a").is_err());
    assert!(member(b"no archive", "a").unwrap_err().contains("neither a zip nor a tar.gz"));
}
