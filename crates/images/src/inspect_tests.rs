//! Inspects real files of every type, and files that are made to look like them.

use super::*;

/// Files as usual programs write them, 24 by 16 pixels each.
const FILES: [(&str, ImageKind, &[u8]); 11] = [
    ("plain.png", ImageKind::Png, include_bytes!("../tests/files/plain.png")),
    ("palette.png", ImageKind::Png, include_bytes!("../tests/files/palette.png")),
    ("animated.png", ImageKind::Png, include_bytes!("../tests/files/animated.png")),
    ("baseline.jpg", ImageKind::Jpeg, include_bytes!("../tests/files/baseline.jpg")),
    ("progressive.jpg", ImageKind::Jpeg, include_bytes!("../tests/files/progressive.jpg")),
    ("lossy.webp", ImageKind::Webp, include_bytes!("../tests/files/lossy.webp")),
    ("lossless.webp", ImageKind::Webp, include_bytes!("../tests/files/lossless.webp")),
    ("alpha.webp", ImageKind::Webp, include_bytes!("../tests/files/alpha.webp")),
    ("animated.webp", ImageKind::Webp, include_bytes!("../tests/files/animated.webp")),
    ("still.gif", ImageKind::Gif, include_bytes!("../tests/files/still.gif")),
    ("animated.gif", ImageKind::Gif, include_bytes!("../tests/files/animated.gif")),
];

fn png(width: u32, height: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [&[(b"IHDR", &head[..])], chunks, &[(b"IEND", &[][..])]].concat() {
        bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        bytes.extend(kind);
        bytes.extend(data);
        bytes.extend([0; 4]);
    }
    bytes
}

const PIXELS: (&[u8; 4], &[u8]) = (b"IDAT", b"x");

fn jpeg(width: u16, height: u16, rest: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 9, 8];
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend([1, 0]);
    bytes.extend(rest);
    bytes
}

const SCAN: &[u8] = &[0xff, 0xda, 0, 3, 1, 7];

fn webp(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut inside = b"WEBP".to_vec();
    for (kind, data) in chunks {
        inside.extend(*kind);
        inside.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        inside.extend(*data);
        inside.extend(vec![0; data.len() % 2]);
    }
    let length = u32::try_from(inside.len()).unwrap().to_le_bytes();
    [b"RIFF", &length[..], &inside].concat()
}

fn lossless(width: u32, height: u32) -> Vec<u8> {
    let bits = (width - 1) | (height - 1) << 14;
    [&[0x2f], &bits.to_le_bytes()[..], &[0]].concat()
}

fn three(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}

fn canvas(width: u32, height: u32) -> Vec<u8> {
    [&[0; 4], &three(width - 1)[..], &three(height - 1)].concat()
}

/// A screen of one pixel, and frames on it.
fn gif(frames: &[(u16, u16)]) -> Vec<u8> {
    let mut bytes = b"GIF89a\x01\0\x01\0\0\0\0".to_vec();
    for (width, height) in frames {
        bytes.extend(b"\x2c\0\0\0\0");
        bytes.extend(width.to_le_bytes());
        bytes.extend(height.to_le_bytes());
        bytes.extend(b"\0\x02\x02D\x01\0");
    }
    bytes.push(0x3b);
    bytes
}

fn size(bytes: &[u8]) -> Result<(ImageKind, u32, u32), ImageError> {
    inspect(bytes).map(|it| (it.kind, it.width, it.height))
}

#[test]
fn real_files_of_every_kind_tell_their_size() {
    for (name, kind, bytes) in FILES {
        assert_eq!(size(bytes), Ok((kind, 24, 16)), "{name}");
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused_and_what_follows_a_whole_one_is_not() {
    for (name, _, bytes) in FILES {
        for end in 0..bytes.len() {
            assert!(inspect(&bytes[..end]).is_err(), "{name} cut at {end}");
        }
        assert!(inspect(&[bytes, b"\0trailing"].concat()).is_ok(), "{name}");
    }
}

/// Every byte of every file is changed in several ways; each inspection ends.
#[test]
fn a_damaged_file_never_makes_a_panic() {
    for (_, _, bytes) in FILES {
        for at in 0..bytes.len() {
            for change in [0x00, 0x01, 0x7f, 0x80, 0xff] {
                let mut damaged = bytes.to_vec();
                damaged[at] = change;
                let _ = inspect(&damaged);
                damaged.truncate(at + 1);
                let _ = inspect(&damaged);
            }
        }
    }
}

#[test]
fn bombs_are_refused_wherever_their_size_stands() {
    let large = |width, height| Err(ImageError::TooLarge { width, height });
    assert_eq!(size(&png(60_000, 60_000, &[PIXELS])), large(60_000, 60_000));
    assert_eq!(size(&png(8192, 8192, &[PIXELS])), large(8192, 8192));
    assert_eq!(size(&png(8192, 4096, &[PIXELS])), Ok((ImageKind::Png, 8192, 4096)));
    assert_eq!(size(&jpeg(65_535, 2, SCAN)), large(65_535, 2));
    assert_eq!(size(&gif(&[(65_535, 65_535)])), large(65_535, 65_535));
    assert_eq!(size(&webp(&[(b"VP8L", &lossless(16_384, 2))])), large(16_384, 2));
    let hidden = webp(&[(b"VP8X", &canvas(24, 16)), (b"VP8L", &lossless(16_384, 16_384))]);
    assert_eq!(size(&hidden), large(16_384, 16_384));
}

#[test]
fn an_animation_is_bounded_as_a_whole() {
    assert_eq!(size(&gif(&[(4096, 4096); 16])), Ok((ImageKind::Gif, 4096, 4096)));
    assert_eq!(size(&gif(&[(4096, 4096); 17])), Err(ImageError::TooMuch));
    let frame = [&[0; 4], &4096_u32.to_be_bytes()[..], &4096_u32.to_be_bytes()].concat();
    let frames = vec![(b"fcTL", &frame[..]); 17];
    assert_eq!(size(&png(4096, 4096, &frames)), Err(ImageError::TooMuch));
    let pixels = lossless(4096, 4096);
    let inside = webp(&[(b"VP8L", &pixels)])[12..].to_vec();
    let frame = [&[0; 6], &three(4095)[..], &three(4095), &[0; 4], &inside].concat();
    let frames = [vec![(b"VP8X", canvas(4096, 4096))], vec![(b"ANMF", frame); 17]].concat();
    let frames: Vec<_> = frames.iter().map(|(kind, data)| (*kind, data.as_slice())).collect();
    assert_eq!(size(&webp(&frames[..17])), Ok((ImageKind::Webp, 4096, 4096)));
    assert_eq!(size(&webp(&frames)), Err(ImageError::TooMuch));
    let scans = [&SCAN.repeat(101)[..], &[0xff, 0xd9]].concat();
    assert_eq!(size(&jpeg(24, 16, &scans)), Err(ImageError::TooMuch));
}

#[test]
fn heads_without_pixels_and_pixels_without_an_end_are_broken() {
    let frame = [&[0; 6], &three(23)[..], &three(15), &[0; 4]].concat();
    let other = webp(&[(b"VP8L", &lossless(8, 8))])[12..].to_vec();
    let wrong = [&frame[..], &other].concat();
    for (what, bytes) in [
        ("a PNG without pixels", png(24, 16, &[])),
        ("a PNG with empty pixels", png(24, 16, &[(b"IDAT", b"")])),
        ("a PNG of no width", png(0, 16, &[PIXELS])),
        ("a JPEG that ends after its size", jpeg(24, 16, &[])),
        ("a JPEG without a scan", jpeg(24, 16, &[0xff, 0xd9])),
        ("a JPEG without an end", jpeg(24, 16, SCAN)),
        ("a JPEG whose scan has no size", [&[0xff, 0xd8][..], SCAN, &[0xff, 0xd9]].concat()),
        ("the first bytes of a GIF", b"GIF89a\x01\0\x01\0".to_vec()),
        ("a GIF without a frame", gif(&[])),
        ("a WebP with a head alone", webp(&[(b"VP8X", &canvas(24, 16))])),
        ("a WebP whose frame is empty", webp(&[(b"VP8X", &canvas(24, 16)), (b"ANMF", &frame)])),
        ("a WebP whose frame lies", webp(&[(b"VP8X", &canvas(24, 16)), (b"ANMF", &wrong)])),
        ("a WebP of two sizes", webp(&[(b"VP8X", &canvas(24, 16)), (b"VP8L", &lossless(8, 8))])),
        ("a WebP of nothing known", webp(&[(b"JUNK", b"x")])),
    ] {
        assert_eq!(size(&bytes), Err(ImageError::Broken), "{what}");
    }
}

#[test]
fn markup_and_other_files_are_told_apart() {
    for text in [
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "\u{feff}  \n<?xml version='1.0'?><svg/>",
        "<!doctype html>",
    ] {
        assert_eq!(size(text.as_bytes()), Err(ImageError::Markup), "{text}");
    }
    for bytes in [&b""[..], b"PK\x03\x04", b"%PDF-1.7", b"BM", b"{\"error\": 1}"] {
        assert_eq!(size(bytes), Err(ImageError::Unknown));
    }
}
