//! The frames of a WebP file (RFC 9649).
//!
//! The decoder of `image` allocates a lossy frame (VP8) as large as the frame's own header says, and compares it with the size of the
//! picture only afterwards. Of metadata, it allocates as much as the file declares.

/// The bytes of a frame of an animation before its chunks: its place, its size and its duration.
const ANIMATION_FRAME_HEADER: usize = 16;

/// The bytes in each lossy frame before its width and height.
const START_CODE: [u8; 3] = [0x9d, 0x01, 0x2a];

/// The pixels of the largest lossy frame, 0 if there is none. None if a chunk ends after the file.
///
/// A lossy frame has the type `VP8 `, but in an animation the decoder accepts any type after a chunk of transparency.
pub(super) fn largest_lossy_frame(file: &[u8]) -> Option<u64> {
    let mut largest = 0;
    // RIFF, the length of the file, WEBP.
    for (chunk_type, data) in chunks(file.get(12..).unwrap_or_default())? {
        let in_animation = match chunk_type {
            b"ANMF" => chunks(data.get(ANIMATION_FRAME_HEADER..).unwrap_or_default())?,
            _ => vec![],
        };
        let parts = in_animation.iter().map(|(_, data)| *data).chain([data]);
        largest = parts.filter_map(lossy_pixels).fold(largest, u64::max);
    }
    Some(largest)
}

/// The types and the data of chunks. None if one ends after the data.
fn chunks(mut bytes: &[u8]) -> Option<Vec<(&[u8; 4], &[u8])>> {
    let mut chunks = vec![];
    while let Some((chunk_type, rest)) = bytes.split_first_chunk::<4>() {
        let Some((length, rest)) = rest.split_first_chunk::<4>() else { break };
        let length = u32::from_le_bytes(*length) as usize;
        chunks.push((chunk_type, rest.get(..length)?));
        // A chunk with an odd length has another byte.
        bytes = rest.get(length + length % 2..).unwrap_or_default();
    }
    Some(chunks)
}

/// The number of pixels if the data can be a lossy frame.
fn lossy_pixels(data: &[u8]) -> Option<u64> {
    let size = data.get(3..)?.strip_prefix(&START_CODE)?.first_chunk::<4>()?;
    let [width, height] =
        [[size[0], size[1]], [size[2], size[3]]].map(|side| u16::from_le_bytes(side) & 0x3fff);
    Some(u64::from(width) * u64::from(height))
}
