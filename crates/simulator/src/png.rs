//! A small image of one colour, for the image endpoints.

use aileron_contract::ContentHash;

/// The pixels of the longer side.
const SIDE: u32 = 64;

/// The first bytes of every PNG.
const MAGIC: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n'];

/// A picture of this shape; the prompt decides on its colour.
pub(crate) fn of_prompt(prompt: &str, width: u32, height: u32) -> Vec<u8> {
    let (width, height) = scaled(width.max(1), height.max(1));
    let mut png = MAGIC.to_vec();
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits per channel, RGB, the only defined methods, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut png, *b"IHDR", &header);
    chunk(&mut png, *b"IDAT", &zlib(&pixels(colour(prompt), width, height)));
    chunk(&mut png, *b"IEND", &[]);
    png
}

fn scaled(width: u32, height: u32) -> (u32, u32) {
    let longer = u64::from(width.max(height));
    let scale = |side: u32| {
        let scaled = u64::from(side) * u64::from(SIDE) / longer;
        u32::try_from(scaled.max(1)).unwrap_or(SIDE)
    };
    (scale(width), scale(height))
}

fn colour(prompt: &str) -> [u8; 3] {
    let hash = ContentHash::of_bytes(prompt.as_bytes());
    let byte = |at: usize| {
        let digits = hash.as_str().get(at..at + 2).unwrap_or_default();
        u8::from_str_radix(digits, 16).unwrap_or_default()
    };
    [byte(0), byte(2), byte(4)]
}

/// Each row begins with the number of its filter: none.
fn pixels(colour: [u8; 3], width: u32, height: u32) -> Vec<u8> {
    let mut row = vec![0];
    (0..width).for_each(|_| row.extend(colour));
    (0..height).flat_map(|_| row.clone()).collect()
}

/// A zlib stream of one stored block, which holds the 12 KB of the largest picture.
fn zlib(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap_or(u16::MAX);
    let data = &data[..usize::from(length)];
    let mut out = vec![0x78, 0x01, 0x01];
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend(data);
    out.extend(adler(data).to_be_bytes());
    out
}

fn adler(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    b << 16 | a
}

fn chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or_default();
    png.extend(length.to_be_bytes());
    let checked: Vec<u8> = kind.iter().chain(data).copied().collect();
    png.extend(&checked);
    png.extend(crc32fast::hash(&checked).to_be_bytes());
}
