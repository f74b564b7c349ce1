//! Bytes in, lines out: bounded, whatever stands in the file.
//!
//! Plain, zstd or gzip (told apart by their magic numbers). A line beyond [`MAX_RECORD_BYTES`] is counted and
//! dropped while it is read. Damaged compression ends the file early, like a torn tail, and says so.

use std::io::{self, BufRead, BufReader, Read};

use super::MAX_RECORD_BYTES;

const BUFFER_BYTES: usize = 256 * 1024;
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
/// After a giant line its memory is given back.
const KEPT_BYTES: usize = 4 * 1024 * 1024;

/// The decoded bytes of a file.
pub(super) struct Bytes<'r> {
    input: Box<dyn BufRead + 'r>,
    packed: bool,
    /// How many bytes were handed out.
    pub(super) offset: u64,
    /// The compressed data broke off before its end.
    pub(super) damaged: bool,
}

/// One line, without its line feed.
pub(super) struct LineRead {
    /// Where it starts.
    pub(super) offset: u64,
    /// Its length; if the line was too long, the buffer holds nothing of it.
    pub(super) bytes: u64,
    /// Longer than a record may be.
    pub(super) too_long: bool,
    /// It ended with a line feed.
    pub(super) ended: bool,
}

impl<'r> Bytes<'r> {
    pub(super) fn open(input: impl Read + 'r) -> io::Result<Self> {
        let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
        let (zstd, gzip) = packing(&mut input)?;
        let packed = zstd || gzip;
        let input: Box<dyn BufRead + 'r> = if zstd {
            let decoder = zstd::stream::read::Decoder::with_buffer(input)?;
            Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder))
        } else if gzip {
            let decoder = flate2::bufread::MultiGzDecoder::new(input);
            Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder))
        } else {
            Box::new(input)
        };
        Ok(Self { input, packed, offset: 0, damaged: false })
    }

    /// What comes next; empty at the end.
    pub(super) fn peek(&mut self) -> io::Result<&[u8]> {
        if self.damaged {
            return Ok(&[]);
        }
        loop {
            match self.input.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // the decoder's own errors carry no error of the operating system
                Err(error) if self.packed && error.raw_os_error().is_none() => {
                    self.damaged = true;
                    return Ok(&[]);
                }
                Err(error) => return Err(error),
            }
        }
        self.input.fill_buf()
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.offset += bytes as u64;
    }

    /// Reads the next line into `line`; `None` at the end.
    pub(super) fn line(&mut self, line: &mut Vec<u8>) -> io::Result<Option<LineRead>> {
        line.clear();
        line.shrink_to(KEPT_BYTES);
        let mut read = LineRead { offset: self.offset, bytes: 0, too_long: false, ended: false };
        while !read.ended {
            let waiting = self.peek()?;
            if waiting.is_empty() {
                return Ok((read.bytes > 0).then_some(read));
            }
            let end = memchr::memchr(b'\n', waiting);
            let taken = end.unwrap_or(waiting.len());
            read.bytes += taken as u64;
            read.too_long |= read.bytes > MAX_RECORD_BYTES as u64;
            if read.too_long {
                line.clear();
            } else {
                line.extend_from_slice(&waiting[..taken]);
            }
            read.ended = end.is_some();
            self.consume(taken + usize::from(read.ended));
        }
        Ok(Some(read))
    }
}

/// Whether it is zstd, whether it is gzip.
fn packing(input: &mut impl BufRead) -> io::Result<(bool, bool)> {
    let waiting = loop {
        match input.fill_buf() {
            Ok(waiting) => break waiting,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    Ok((waiting.starts_with(ZSTD_MAGIC), waiting.starts_with(GZIP_MAGIC)))
}
