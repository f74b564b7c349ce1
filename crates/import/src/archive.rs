//! Zip archives as records: each JSON member is `{"member": "<name>", "value": …}`, what describes the others first.
//!
//! - Z1  memory is bounded by one member ([`MAX_RECORD_BYTES`]), whatever size the archive claims
//! - Z2  all that is unpacked stays in proportion to the file: an archive that was made to expand ends early, and says so
//! - Z3  nothing is written: names of members are only names
//! - Z4  an archive without its directory (it was cut off while it was written) gives the members that are whole

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};
use std::path::Path;

use serde_json::Value;
use zip::ZipArchive;
use zip::read::read_zipfile_from_stream;
use zip::result::ZipError;

use crate::json::{Parsed, is_json, parse, without_odd_numbers};
use crate::reader::{Gap, Item, MAX_RECORD_BYTES, Place, Record};

const MAGIC: &[u8; 4] = b"PK\x03\x04";
/// What an archive may unpack to at least, and how often its own size beyond that.
const SPARE_BYTES: u64 = 1 << 30;
const MOST_TIMES: u64 = 100;
/// More members than this nobody wrote by hand or by machine.
const MOST_MEMBERS: usize = 1_000_000;
/// Members in front of all others, and those that only repeat them.
const FIRST: &[&str] = &["header.json", "_journal/start.json"];
const LAST: &[&str] = &["reductions.json", "summaries.json", "_journal/summaries/"];

/// True if the file begins as an archive does.
pub(crate) fn is_archive(path: &Path) -> io::Result<bool> {
    let mut start = [0; MAGIC.len()];
    let read = File::open(path)?.take(MAGIC.len() as u64).read(&mut start)?;
    Ok(read == MAGIC.len() && start == *MAGIC)
}

enum Source {
    Directory(Box<ZipArchive<BufReader<File>>>, VecDeque<usize>),
    Stream(BufReader<File>),
}

/// An archive, read member by member.
pub(crate) struct Archive {
    source: Source,
    budget: u64,
    count: u64,
    text: String,
    ended: bool,
}

/// What was found of one member.
enum Member {
    Text(String, Vec<u8>),
    Bad(&'static str, u64),
    End,
}

impl Archive {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let bytes = file.get_ref().metadata()?.len();
        let budget = SPARE_BYTES.saturating_add(bytes.saturating_mul(MOST_TIMES));
        let source = if let Ok(zip) = ZipArchive::new(file) {
            let order = order(&zip);
            Source::Directory(Box::new(zip), order)
        } else {
            file = BufReader::new(File::open(path)?);
            file.rewind()?;
            Source::Stream(file)
        };
        Ok(Self { source, budget, count: 0, text: String::new(), ended: false })
    }

    /// What an importer recognises an archive by: its first member.
    pub(crate) fn head(&mut self) -> Vec<Value> {
        match self.next_item() {
            Some(Item::Record(record)) => record.value.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The next member; `None` at the end.
    pub(crate) fn next_item(&mut self) -> Option<Item<'_>> {
        let place = Place { line: self.count + 1, offset: self.count };
        let (reason, bytes) = match self.member() {
            Member::End => return None,
            Member::Bad(reason, bytes) => (reason, bytes),
            Member::Text(name, bytes) => match record(&name, &bytes) {
                Some((text, value, repaired)) => {
                    self.count += 1;
                    self.text = text;
                    return Some(Item::Record(Record { text: &self.text, value, place, repaired }));
                }
                None => ("member is not JSON", bytes.len() as u64),
            },
        };
        self.count += 1;
        Some(Item::Gap(Gap { reason, bytes, place, text: None }))
    }

    fn member(&mut self) -> Member {
        if self.ended {
            return Member::End;
        }
        if self.budget == 0 {
            self.ended = true;
            return Member::Bad("archive unpacks to more than it can hold", 1);
        }
        let budget = self.budget;
        let member = match &mut self.source {
            Source::Directory(zip, order) => {
                let Some(index) = order.pop_front() else { return Member::End };
                match zip.by_index(index) {
                    Ok(mut file) => {
                        let name = name_of(file.name());
                        unpack(name, &mut file, budget)
                    }
                    Err(_) => Member::Bad("member cannot be unpacked", 1),
                }
            }
            Source::Stream(file) => match read_zipfile_from_stream(file) {
                Ok(Some(mut member)) => {
                    let name = name_of(member.name());
                    if is_json_name(&name) {
                        unpack(name, &mut member, budget)
                    } else {
                        Member::Bad("member is no JSON", 1)
                    }
                }
                Ok(None) => Member::End,
                Err(_) => {
                    self.ended = true;
                    Member::Bad("archive ends in the middle of a member", 1)
                }
            },
        };
        let bytes = match &member {
            Member::Text(_, bytes) => bytes.len() as u64,
            Member::Bad(_, bytes) => *bytes,
            Member::End => 0,
        };
        self.budget = self.budget.saturating_sub(bytes);
        member
    }
}

/// A name that is no text names nothing.
fn name_of(name: Result<Cow<'_, str>, ZipError>) -> String {
    name.map(Cow::into_owned).unwrap_or_default()
}

fn is_json_name(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// JSON members, in the order in which they are told.
fn order(zip: &ZipArchive<BufReader<File>>) -> VecDeque<usize> {
    let rank = |name: &str| {
        let first = FIRST.iter().position(|first| *first == name);
        let last = LAST.iter().position(|last| name.starts_with(last)).map(|place| FIRST.len() + 1 + place);
        first.or(last).unwrap_or(FIRST.len())
    };
    let named =
        (0..zip.len().min(MOST_MEMBERS)).filter_map(|index| Some((index, zip.name_for_index(index)?.ok()?)));
    let mut members: Vec<(usize, usize)> =
        named.filter(|(_, name)| is_json_name(name)).map(|(index, name)| (rank(&name), index)).collect();
    members.sort_unstable();
    members.into_iter().map(|(_, index)| index).collect()
}

fn unpack(name: String, member: &mut impl Read, budget: u64) -> Member {
    let most = budget.min(MAX_RECORD_BYTES as u64);
    let mut bytes = Vec::new();
    match member.take(most + 1).read_to_end(&mut bytes) {
        Ok(read) if read as u64 > most => Member::Bad("member is larger than 64 MiB", read as u64),
        Ok(_) => Member::Text(name, bytes),
        Err(_) => Member::Bad("member is damaged", bytes.len().max(1) as u64),
    }
}

type Made = (String, Option<Value>, Vec<&'static str>);

/// A member as the text of a record.
fn record(name: &str, bytes: &[u8]) -> Option<Made> {
    let body = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim();
    let (body, repaired) = if is_json(body) {
        (body.to_owned(), Vec::new())
    } else {
        (without_odd_numbers(body).filter(|fixed| is_json(fixed))?, vec!["numbers"])
    };
    let text = format!("{{\"member\":{},\"value\":{body}}}", Value::from(name));
    let value = match parse(&text) {
        Parsed::Value(value) => Some(value),
        _ => None,
    };
    Some((text, value, repaired))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::CompressionMethod;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn made(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in members {
            zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).expect("starts");
            zip.write_all(bytes).expect("writes");
        }
        zip.finish().expect("finishes").into_inner()
    }

    fn read(bytes: &[u8]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.eval");
        std::fs::write(&path, bytes).expect("writes");
        let mut archive = Archive::open(&path).expect("opens");
        let mut found = Vec::new();
        while let Some(item) = archive.next_item() {
            found.push(match item {
                Item::Record(record) => record.text.to_owned(),
                Item::Gap(gap) => format!("!{}", gap.reason),
            });
        }
        found
    }

    #[test]
    fn members_come_in_order_however_they_are_packed() {
        let members: &[(&str, &[u8])] = &[
            ("summaries.json", b"[]"),
            ("samples/1.json", b"{\"a\": NaN}"),
            ("../../etc/passwd", b"no"),
            ("header.json", b"{}"),
            ("samples/2.json", b"no json"),
        ];
        let expected = [
            "{\"member\":\"header.json\",\"value\":{}}",
            "{\"member\":\"samples/1.json\",\"value\":{\"a\": null}}",
            "!member is not JSON",
            "{\"member\":\"summaries.json\",\"value\":[]}",
        ];
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated, CompressionMethod::Zstd] {
            assert_eq!(read(&made(members, method)), expected, "{method:?}");
        }
    }

    #[test]
    fn an_archive_that_was_cut_off_gives_its_whole_members() {
        let whole =
            made(&[("_journal/start.json", b"{}"), ("samples/1.json", b"[1]")], CompressionMethod::Deflated);
        let found = read(&whole[..whole.len() - 120]);
        assert_eq!(found[0], "{\"member\":\"_journal/start.json\",\"value\":{}}");
    }

    #[test]
    fn a_bomb_is_a_gap() {
        let zeros = vec![b' '; MAX_RECORD_BYTES + 10];
        assert_eq!(
            read(&made(&[("a.json", &zeros), ("b.json", b"1")], CompressionMethod::Deflated)),
            ["!member is larger than 64 MiB", "{\"member\":\"b.json\",\"value\":1}"]
        );
    }
}
