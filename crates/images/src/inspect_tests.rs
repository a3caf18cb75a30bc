//! What files are, by their first bytes.

use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend(b"\0\0\0\0IEND\xae\x42\x60\x82");
    bytes
}

fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 17, 8];
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes
}

fn webp(kind: &[u8; 4], rest: &[u8]) -> Vec<u8> {
    [b"RIFF\0\0\0\0WEBP", &kind[..], b"\0\0\0\0", rest].concat()
}

fn size(bytes: &[u8]) -> Result<(ImageKind, u32, u32), Unfit> {
    inspect(bytes).map(|it| (it.kind, it.width, it.height))
}

#[test]
fn each_type_tells_its_size() {
    assert_eq!(size(&png(640, 480)), Ok((ImageKind::Png, 640, 480)));
    assert_eq!(size(&jpeg(640, 480)), Ok((ImageKind::Jpeg, 640, 480)));
    assert_eq!(size(b"GIF89a\x80\x02\xe0\x01rest"), Ok((ImageKind::Gif, 640, 480)));
    let extended = webp(b"VP8X", &[0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]);
    assert_eq!(size(&extended), Ok((ImageKind::Webp, 640, 480)));
    let lossy = webp(b"VP8 ", &[0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1]);
    assert_eq!(size(&lossy), Ok((ImageKind::Webp, 640, 480)));
    let bits: u32 = 639 | 479 << 14;
    let lossless = webp(b"VP8L", &[&[0x2f], &bits.to_le_bytes()[..]].concat());
    assert_eq!(size(&lossless), Ok((ImageKind::Webp, 640, 480)));
}

#[test]
fn bombs_are_refused_by_their_head() {
    assert_eq!(size(&png(60_000, 60_000)), Err(Unfit::TooLarge { width: 60_000, height: 60_000 }));
    assert_eq!(size(&png(8192, 8192)), Err(Unfit::TooLarge { width: 8192, height: 8192 }));
    assert_eq!(size(&jpeg(65_535, 2)), Err(Unfit::TooLarge { width: 65_535, height: 2 }));
    assert!(size(&png(8192, 4096)).is_ok());
}

#[test]
fn markup_and_other_files_are_told_apart() {
    for text in [
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "\u{feff}  \n<?xml version='1.0'?><svg/>",
        "<!doctype html>",
    ] {
        assert_eq!(size(text.as_bytes()), Err(Unfit::Markup), "{text}");
    }
    for bytes in [&b""[..], b"PK\x03\x04", b"%PDF-1.7", b"BM", b"{\"error\": 1}"] {
        assert_eq!(size(bytes), Err(Unfit::Unknown));
    }
}

#[test]
fn half_an_image_is_broken_and_none_makes_a_panic() {
    for whole in [png(640, 480), jpeg(640, 480), webp(b"VP8X", &[0; 10])] {
        for end in 0..whole.len() {
            let _ = inspect(&whole[..end]);
        }
    }
    let whole = png(640, 480);
    assert_eq!(size(&whole[..whole.len() - 1]), Err(Unfit::Broken));
    assert_eq!(size(&png(0, 480)), Err(Unfit::Broken));
    assert_eq!(size(&[0xff, 0xd8, 0xff, 0xda, 0, 0]), Err(Unfit::Broken));
    assert_eq!(
        size(&[b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", &[0xff; 40][..]].concat()),
        Err(Unfit::Broken)
    );
}
