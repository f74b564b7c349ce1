//! A bundle as one file: ustar members, compressed with zstd, the hash of it all behind.
//!
//! ```text
//! zstd frame( header ‖ content ‖ zeros … ‖ 1024 zeros ) ‖ skippable frame( BLAKE3 of the frame before )
//! ```
//! One input has one output: no owner, no time, one order. What is read back must be exactly what would be
//! written, so no byte of it can say anything else; `tar` and `zstd` read it as any other archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

const BLOCK: usize = 512;
const LEVEL: i32 = 3;
/// A skippable frame of 32 bytes.
const TRAILER: [u8; 8] = [0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0];
const TRAILER_BYTES: u64 = 40;
/// What any archive may unpack to, and how many times its own size.
const SMALL_BYTES: u64 = 1 << 30;
const MAX_RATIO: u64 = 200;
const MAX_FILES: usize = 1_000_000;

/// Writes members into an archive.
pub(crate) struct Packer {
    folder: String,
    encoder: zstd::stream::Encoder<'static, Hashing>,
}

/// Passes bytes on and hashes them.
struct Hashing {
    out: Box<dyn Write>,
    hash: blake3::Hasher,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Packer {
    pub(crate) fn new(folder: String, out: Box<dyn Write>) -> io::Result<Self> {
        let mut encoder = zstd::stream::Encoder::new(Hashing { out, hash: blake3::Hasher::new() }, LEVEL)?;
        encoder.include_checksum(true)?;
        Ok(Self { folder, encoder })
    }

    /// Adds a member whose content is a file from its beginning.
    pub(crate) fn add(&mut self, name: &str, mut content: File, size: u64) -> io::Result<()> {
        let header = header(&self.folder, name, size)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a name that archives don't have"))?;
        self.encoder.write_all(&header)?;
        content.seek(SeekFrom::Start(0))?;
        io::copy(&mut content, &mut self.encoder)?;
        self.encoder.write_all(&[0; BLOCK][..padding(size)])
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.encoder.write_all(&[0; 2 * BLOCK])?;
        let mut hashing = self.encoder.finish()?;
        let hash = hashing.hash.finalize();
        hashing.out.write_all(&TRAILER)?;
        hashing.out.write_all(hash.as_bytes())?;
        hashing.out.flush()
    }
}

fn padding(size: u64) -> usize {
    usize::try_from(size.next_multiple_of(BLOCK as u64) - size).unwrap_or(0)
}

/// The one header of a member; `None` if it cannot have one.
fn header(folder: &str, name: &str, size: u64) -> Option<[u8; BLOCK]> {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    let octal = |number: u64, digits: usize| format!("{number:0digits$o}").into_bytes();
    if name.len() > 100 || folder.len() > 155 || size >= 1 << 33 {
        return None;
    }
    put(0, name.as_bytes());
    put(100, b"0000644");
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, &octal(size, 11));
    put(136, b"00000000000");
    put(148, b"        0");
    put(257, b"ustar\x0000");
    put(345, folder.as_bytes());
    let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    block[148..156].copy_from_slice(&[&octal(sum, 6)[..], b"\0 "].concat());
    Some(block)
}

/// What was unpacked: into a file without a name, which is gone when it is closed.
#[derive(Debug)]
pub(crate) struct Unpacked {
    pub(crate) content: File,
    /// Name, offset and length of each member.
    pub(crate) members: Vec<(String, u64, u64)>,
    pub(crate) folder: String,
}

/// Why an archive cannot be read.
#[derive(Debug)]
pub(crate) enum BadPack {
    /// It is not one that we would write.
    Other(&'static str),
    /// The disk refused.
    Disk(io::Error),
}

impl From<io::Error> for BadPack {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Unpacks an archive. Nothing is written under any name.
pub(crate) fn unpack(path: &Path) -> Result<Unpacked, BadPack> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let packed = len.checked_sub(TRAILER_BYTES).ok_or(BadPack::Other("too short for an archive"))?;
    check_trailer(&mut file, packed)?;
    file.seek(SeekFrom::Start(0))?;
    let content = tempfile::tempfile()?;
    let limit = SMALL_BYTES.max(packed.saturating_mul(MAX_RATIO));
    let bad = |_| BadPack::Other("not one whole zstd frame");
    let frame = BufReader::new((&file).take(packed));
    let mut decoder = zstd::stream::Decoder::with_buffer(frame).map_err(bad)?.single_frame();
    let bytes = copy(&mut decoder, &content, limit)?;
    let mut rest = decoder.finish();
    if rest.read(&mut [0])? > 0 {
        return Err(BadPack::Other("something stands behind the zstd frame"));
    }
    let (members, folder) = members(&content, bytes)?;
    Ok(Unpacked { content, members, folder })
}

fn check_trailer(file: &mut File, packed: u64) -> Result<(), BadPack> {
    let mut trailer = [0; 40];
    file.read_exact_at(&mut trailer, packed)?;
    let mut hash = blake3::Hasher::new();
    io::copy(&mut (&mut *file).take(packed), &mut hash)?;
    let holds = trailer[..8] == TRAILER && trailer[8..] == *hash.finalize().as_bytes();
    if holds { Ok(()) } else { Err(BadPack::Other("its bytes are not those that were packed")) }
}

fn copy(from: &mut impl Read, mut to: &File, limit: u64) -> Result<u64, BadPack> {
    let (mut buffer, mut total) = (vec![0; 256 * 1024], 0);
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(total),
            Ok(count) => count,
            Err(_) => return Err(BadPack::Other("not one whole zstd frame")),
        };
        total += count as u64;
        if total > limit {
            return Err(BadPack::Other("it unpacks to more than bundles are"));
        }
        to.write_all(&buffer[..count])?;
    }
}

type Members = (Vec<(String, u64, u64)>, String);

/// The members, if the bytes are exactly those that would be written for them.
fn members(content: &File, bytes: u64) -> Result<Members, BadPack> {
    let (mut members, mut folder, mut at) = (Vec::new(), None, 0);
    let mut block = [0; BLOCK];
    while at + BLOCK as u64 <= bytes {
        content.read_exact_at(&mut block, at)?;
        if block == [0; BLOCK] {
            let ends = bytes == at + 2 * BLOCK as u64 && zeros(content, at, bytes)?;
            let folder = folder.ok_or(BadPack::Other("an empty archive"))?;
            return if ends {
                Ok((members, folder))
            } else {
                Err(BadPack::Other("it does not end as archives do"))
            };
        }
        let (own, name, size) = member(&block).ok_or(BadPack::Other("a member that is no plain file"))?;
        if header(&own, &name, size) != Some(block) || folder.get_or_insert_with(|| own.clone()) != &own {
            return Err(BadPack::Other("a member that is not as we write them"));
        }
        let start = at + BLOCK as u64;
        let end = start + size.next_multiple_of(BLOCK as u64);
        if end > bytes || members.len() >= MAX_FILES || !zeros(content, start + size, end)? {
            return Err(BadPack::Other("a member that does not end as it should"));
        }
        members.push((name, start, size));
        at = end;
    }
    Err(BadPack::Other("it does not end as archives do"))
}

fn member(block: &[u8; BLOCK]) -> Option<(String, String, u64)> {
    let text = |bytes: &[u8]| {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).ok().map(str::to_owned)
    };
    let size = u64::from_str_radix(&text(&block[124..136])?, 8).ok()?;
    Some((text(&block[345..500])?, text(&block[..100])?, size))
}

fn zeros(content: &File, from: u64, to: u64) -> io::Result<bool> {
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(0)];
    content.read_exact_at(&mut bytes, from)?;
    Ok(bytes.iter().all(|byte| *byte == 0))
}

/// Any bytes, compressed and with the trailer of an archive.
#[cfg(test)]
pub(crate) fn wrapped(tar: &[u8]) -> Vec<u8> {
    sealed(zstd::encode_all(tar, LEVEL).unwrap_or_default())
}

/// More zeros than any bundle unpacks to.
#[cfg(test)]
pub(crate) fn bomb() -> Vec<u8> {
    sealed(zstd::encode_all(io::repeat(0).take(SMALL_BYTES + 1), LEVEL).unwrap_or_default())
}

#[cfg(test)]
fn sealed(mut frame: Vec<u8>) -> Vec<u8> {
    let hash = blake3::hash(&frame);
    frame.extend(TRAILER);
    frame.extend(hash.as_bytes());
    frame
}
