//! Compressed segments as bytes: zstd frames one after the other, nothing else.
//!
//! ```text
//! ┌ frame ──────────────────────────────────────────────────────┐┌ frame …
//! │ 28 b5 2f fd │ descriptor │ size of content │ blocks │ XXH64 ││
//! └─────────────────────────────────────────────────────────────┘└
//! ```
//! Each frame has its own content size and checksum and stands alone, so one event costs one frame. There is no
//! index: where a frame ends is told by the headers of its blocks, three bytes each, which are all that is read
//! to find the others. Frames of other shapes (skippable, with a dictionary, without size or checksum) are none.
//! Zstd leaves a bit here and there unused: a change there changes no byte of the content, and is none.

use std::io;

use world::DiskFile;

/// Bytes of the segment in one frame that we write.
pub(crate) const FRAME_BYTES: usize = 1024 * 1024;
/// The largest content of a frame that is read: a few bytes must not become gigabytes.
const MAX_FRAME_BYTES: u64 = 8 * 1024 * 1024;
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A single segment with a checksum, no dictionary; the two upper bits say how long the size is.
const DESCRIPTOR: u8 = 0b0010_0100;
const CHECKSUM_BYTES: u64 = 4;
/// Zstd stores what does not compress as it is, with a few bytes around it.
const SPARE_BYTES: u64 = 1024;
const LEVEL: i32 = 9;

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Where it stands in the file.
    pub(crate) at: u64,
    /// Its bytes there.
    pub(crate) packed: u64,
    /// Where its content stands in the segment.
    pub(crate) start: u64,
    /// Its bytes there.
    pub(crate) len: u64,
}

/// The frames of a file, up to the first place that is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frames {
    pub(crate) list: Vec<Frame>,
    /// Why there are no more, if that is not the end of the file.
    pub(crate) damage: Option<&'static str>,
}

impl Frames {
    /// Bytes of the segment.
    pub(crate) fn len(&self) -> u64 {
        self.list.last().map_or(0, |last| last.start + last.len)
    }

    /// The frame that has this byte of the segment, by its place in the list.
    pub(crate) fn find(&self, offset: u64) -> Option<usize> {
        let at = self.list.partition_point(|frame| frame.start + frame.len <= offset);
        (at < self.list.len()).then_some(at)
    }
}

/// Finds the frames of a file of so many bytes.
pub(crate) fn scan(file: &dyn DiskFile, len: u64) -> io::Result<Frames> {
    let mut frames = Frames::default();
    let (mut at, mut start) = (0, 0);
    while at < len {
        match frame(file, at, start, len)? {
            Ok(frame) => {
                (at, start) = (at + frame.packed, start + frame.len);
                frames.list.push(frame);
            }
            Err(what) => {
                frames.damage = Some(what);
                break;
            }
        }
    }
    if len == 0 {
        frames.damage = Some("a compressed segment without a frame");
    }
    Ok(frames)
}

fn frame(file: &dyn DiskFile, at: u64, start: u64, end: u64) -> io::Result<Result<Frame, &'static str>> {
    let mut head = [0; 13];
    let read = file.read_full_at(&mut head, at)?;
    let (content, mut next) = match content_size(&head[..read]) {
        Ok((content, bytes)) => (content, at + bytes),
        Err(what) => return Ok(Err(what)),
    };
    loop {
        let mut block = [0; 3];
        if file.read_full_at(&mut block, next)? < block.len() {
            return Ok(Err("a frame ends inside a block"));
        }
        let word = u32::from_le_bytes([block[0], block[1], block[2], 0]);
        let (last, kind, size) = (word & 1 == 1, word >> 1 & 3, u64::from(word >> 3));
        next += 3 + if kind == 1 { 1 } else { size };
        if kind == 3 || next > end {
            return Ok(Err("a frame with a block that is none"));
        }
        if last {
            break;
        }
    }
    next += CHECKSUM_BYTES;
    if next > end {
        return Ok(Err("a frame without its checksum"));
    }
    if next - at > content + content / 64 + SPARE_BYTES {
        return Ok(Err("a frame that is larger than what is in it"));
    }
    Ok(Ok(Frame { at, packed: next - at, start, len: content }))
}

/// What a frame's header says of its content, and how long the header is.
fn content_size(head: &[u8]) -> Result<(u64, u64), &'static str> {
    let rest = head.strip_prefix(&MAGIC).ok_or("bytes that are no zstd frame")?;
    let (descriptor, rest) = rest.split_first().ok_or("a frame ends inside its header")?;
    if descriptor & 0b0011_1111 != DESCRIPTOR {
        return Err("a frame of another shape than segments have");
    }
    let (bytes, more) = match descriptor >> 6 {
        0 => (1, 0),
        1 => (2, 256),
        2 => (4, 0),
        _ => (8, 0),
    };
    let mut size = [0; 8];
    size[..bytes].copy_from_slice(rest.get(..bytes).ok_or("a frame ends inside its header")?);
    let size = u64::from_le_bytes(size).saturating_add(more);
    if size == 0 || size > MAX_FRAME_BYTES {
        return Err("a frame that is larger than frames may be, or empty");
    }
    Ok((size, 5 + bytes as u64))
}

/// Compresses one frame.
pub(crate) fn pack(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(true))?;
    compressor.set_parameter(zstd::zstd_safe::CParameter::ContentSizeFlag(true))?;
    compressor.compress(content)
}

/// The content of a frame; `None` if it is not what was compressed.
pub(crate) fn unpack(file: &dyn DiskFile, frame: &Frame) -> io::Result<Option<Vec<u8>>> {
    let mut packed = vec![0; usize::try_from(frame.packed).unwrap_or(0)];
    let read = file.read_full_at(&mut packed, frame.at)?;
    let len = usize::try_from(frame.len).unwrap_or(0);
    let content = zstd::bulk::decompress(&packed[..read], len).ok();
    Ok(content.filter(|content| content.len() == len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use world::sim::SimWorld;
    use world::{Open, World};

    fn written(bytes: &[u8]) -> (World, Box<dyn DiskFile>) {
        let sim = SimWorld::new(1);
        sim.write("/f/packed", bytes);
        let world = sim.process();
        let file = world.disk.open("/f/packed".as_ref(), Open::Read).expect("a file");
        (world, file)
    }

    fn content(len: usize) -> Vec<u8> {
        (0..len).map(|n| u8::try_from(n / 7 % 251).unwrap_or(0)).collect()
    }

    #[test]
    fn frames_of_every_size_are_found_and_unpacked() {
        let sizes = [1, 2, 255, 256, 257, 300, 65_791, 65_792, 65_793, 200_000, FRAME_BYTES];
        let packed: Vec<u8> = sizes.iter().flat_map(|len| pack(&content(*len)).expect("packs")).collect();
        let (_world, file) = written(&packed);
        let frames = scan(&*file, packed.len() as u64).expect("scans");
        assert_eq!(frames.damage, None);
        assert_eq!(frames.len(), sizes.iter().sum::<usize>() as u64);
        for (frame, len) in frames.list.iter().zip(sizes) {
            assert_eq!(unpack(&*file, frame).expect("reads"), Some(content(len)));
        }
        assert_eq!(frames.find(0), Some(0));
        assert_eq!(frames.find(1), Some(1));
        assert_eq!(frames.find(frames.len()), None);
    }

    #[test]
    fn what_is_no_frame_of_ours_is_told() {
        let good = pack(&content(5000)).expect("packs");
        let plain = zstd::bulk::compress(&content(5000), 3).expect("packs");
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"hide"].concat();
        for bad in [
            &b""[..],
            b"{}",
            &plain,
            &skippable,
            &good[..good.len() - 1],
            &good[..6],
            &[&good[..], b"x"].concat(),
        ] {
            let (_world, file) = written(bad);
            assert!(scan(&*file, bad.len() as u64).expect("scans").damage.is_some(), "{bad:?}");
        }
    }

    #[test]
    fn a_changed_bit_is_seen_or_changes_no_byte_of_the_content() {
        let good = pack(&content(3000)).expect("packs");
        let mut same = 0;
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let (_world, file) = written(&bad);
            let frames = scan(&*file, bad.len() as u64).expect("scans");
            let whole = frames.damage.is_none() && frames.list.len() == 1;
            if whole && let Some(unpacked) = unpack(&*file, &frames.list[0]).expect("reads") {
                assert_eq!(unpacked, content(3000), "bit {bit}");
                same += 1;
            }
        }
        // a few bits of a compressed block say nothing
        assert!(same * 100 < good.len() * 8, "{same} of {}", good.len() * 8);
    }
}
