//! Zones defined by their changes, written as TZif (RFC 8536), the format of the platform's
//! database, so that such a zone is read like any other.

use jiff::Timestamp;

/// Never shown; the format requires one.
const ABBREVIATION: &[u8] = b"LMT\0";
const MAGIC: &[u8] = b"TZif2";
const RESERVED: [u8; 15] = [0; 15];

/// A zone that is `before` seconds ahead of UTC until the first of these changes, each of which has
/// the offset from then on. `None` if there are more different offsets than the format allows.
pub(super) fn written(before: i32, changes: &[(Timestamp, i32)]) -> Option<Vec<u8>> {
    let mut offsets = vec![before];
    let mut kinds = Vec::with_capacity(changes.len());
    for (_, offset) in changes {
        let known = offsets.iter().position(|it| it == offset);
        let kind = known.unwrap_or_else(|| {
            offsets.push(*offset);
            offsets.len() - 1
        });
        kinds.push(u8::try_from(kind).ok()?);
    }
    // Readers of version 2 skip the version 1 block, which is still required.
    let mut data = block(&[], &[], &[before])?;
    let moments: Vec<i64> = changes.iter().map(|(at, _)| at.as_second()).collect();
    data.extend(block(&moments, &kinds, &offsets)?);
    data.extend(b"\n\n");
    Some(data)
}

fn block(moments: &[i64], kinds: &[u8], offsets: &[i32]) -> Option<Vec<u8>> {
    let mut data = [MAGIC, &RESERVED].concat();
    let counts = [0, 0, 0, moments.len(), offsets.len(), ABBREVIATION.len()];
    for count in counts {
        data.extend(u32::try_from(count).ok()?.to_be_bytes());
    }
    data.extend(moments.iter().flat_map(|moment| moment.to_be_bytes()));
    data.extend(kinds);
    for offset in offsets {
        data.extend(offset.to_be_bytes());
        data.extend([0, 0]);
    }
    data.extend(ABBREVIATION);
    Some(data)
}
