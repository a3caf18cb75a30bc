//! The embedded files are complete, compressed and found by their paths.

use super::*;

#[test]
fn every_file_is_found_by_its_path() {
    for file in FILES {
        let found = find(file.path).unwrap();
        assert_eq!(found.identity, file.identity, "{}", file.path);
    }
    for path in ["", "/", "index.html/", "../Cargo.toml", "assets", "assets/", "index.html.br"] {
        assert_eq!(find(path), None, "{path}");
    }
}

#[test]
fn the_first_view_is_html_that_is_asked_for_again() {
    let index = find("index.html").unwrap();
    assert_eq!(index.content_type, "text/html; charset=utf-8");
    assert_eq!(index.cache, CacheRule::Revalidate);
    assert!(String::from_utf8_lossy(&index.identity).contains("<script type=\"module\""));
}

#[test]
fn every_asset_is_immutable_and_has_a_known_type() {
    let assets: Vec<_> = FILES.iter().filter(|file| file.path.starts_with("assets/")).collect();
    assert!(!assets.is_empty(), "the page has scripts and styles");
    for BuiltInFile { path, .. } in assets {
        let found = find(path).unwrap();
        assert_eq!(found.cache, CacheRule::Immutable, "{path}");
        assert_ne!(found.content_type, "application/octet-stream", "{path}");
    }
}

/// Small files do not become smaller.
#[test]
fn every_text_of_some_length_has_both_compressed_copies() {
    for file in FILES.iter().filter(|file| file.identity.len() > 1400) {
        let is_text = ["html", "js", "css", "svg", "json"]
            .iter()
            .any(|ending| file.path.rsplit('.').next() == Some(ending));
        if is_text {
            assert!(file.brotli.unwrap().len() < file.identity.len(), "{}", file.path);
            assert!(file.gzip.unwrap().len() < file.identity.len(), "{}", file.path);
        }
    }
}

#[test]
fn the_version_and_fingerprints_are_hexadecimal() {
    let texts = FILES.iter().map(|file| file.fingerprint).chain([VERSION]);
    for text in texts {
        assert_eq!(text.len(), 16, "{text}");
        assert!(text.bytes().all(|byte| byte.is_ascii_hexdigit()), "{text}");
    }
}
