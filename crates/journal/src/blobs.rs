//! Payloads too large for a line, kept once under the BLAKE3 of their redacted bytes.
//!
//! A blob stands where its value stood: `{"blob":"b3:<64 hex>","bytes":N,"media":"…"}`. By its media type:
//! `text/plain` holds the text of a string, `application/json` a whole value, `data:…;base64` the bytes of a
//! data URL with that prefix, any other type the bytes of a base64 string.
//!
//! - B1  a blob is written and synced before the event that names it
//! - B2  no blob holds references to blobs
//! - B3  nobody points at another's blob: a caller's own object with a key `blob` is itself stored as one

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use event::{MAX_INLINE_BYTES, json_text};
use serde_json::{Map, Value, json};
use world::{Lock, World};

use crate::error::{Context, JournalError};
use crate::layout::Layout;
use crate::lock;
use crate::store::{Journal, read_file, write_new};

const MIN_BINARY_BYTES: usize = 4 * 1024;
/// What the payload of one line may take; the rest is for its header.
pub(crate) const LINE_BUDGET_BYTES: usize = event::MAX_LINE_BYTES - 16 * 1024;
const MAX_BLOB_BYTES: usize = 256 * 1024 * 1024;

/// A reference to a blob, as it stands in a payload.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlobRef {
    /// `b3:` and 64 hex digits.
    pub id: String,
    /// Length of its content.
    pub bytes: u64,
    /// Its media type.
    pub media: String,
}

/// A blob that is to be written.
#[derive(Debug)]
pub(crate) struct NewBlob {
    hex: String,
    content: Vec<u8>,
}

/// Every reference in a value.
pub fn blob_refs(value: &Value) -> Vec<BlobRef> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<BlobRef>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(map) => match as_ref(map) {
            Some(reference) => found.push(reference),
            None => map.values().for_each(|item| collect(item, found)),
        },
        _ => {}
    }
}

fn as_ref(map: &Map<String, Value>) -> Option<BlobRef> {
    let id = map.get("blob")?.as_str()?;
    let reference = BlobRef {
        id: id.to_owned(),
        bytes: map.get("bytes")?.as_u64()?,
        media: map.get("media")?.as_str()?.to_owned(),
    };
    blob_hex(id).map(|_| reference)
}

fn blob_hex(id: &str) -> Option<&str> {
    let hex = id.strip_prefix("b3:")?;
    (hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))).then_some(hex)
}

fn path_of(layout: &Layout, hex: &str) -> PathBuf {
    layout.blobs().join(&hex[..2]).join(hex)
}

/// True when nothing in the payload can need a blob: one look at lengths, the common case.
pub(crate) fn is_small(data: &Map<String, Value>) -> bool {
    data.values().all(small_leaves)
}

fn small_leaves(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= MIN_BINARY_BYTES,
        Value::Array(items) => items.len() < 1024 && items.iter().all(small_leaves),
        Value::Object(map) => map.len() < 1024 && !map.contains_key("blob") && map.values().all(small_leaves),
        _ => true,
    }
}

/// A payload as a line would carry it: what is too large as references.
pub fn stored_form(data: &Map<String, Value>) -> Map<String, Value> {
    if is_small(data) { data.clone() } else { split(data, LINE_BUDGET_BYTES).0 }
}

/// Moves what is too large for a line into blobs, which are returned and must be written first.
pub(crate) fn split(data: &Map<String, Value>, line_budget: usize) -> (Map<String, Value>, Vec<NewBlob>) {
    let mut blobs = Vec::new();
    let mut out = Map::new();
    let mut sizes = Vec::new();
    for (name, value) in data {
        let mut inner = Vec::new();
        let small = shrink(value, &mut inner);
        let len = json_text(&small).len();
        if len > MAX_INLINE_BYTES {
            out.insert(name.clone(), whole(value, &mut blobs));
        } else {
            blobs.append(&mut inner);
            sizes.push((len, name.clone()));
            out.insert(name.clone(), small);
        }
    }
    // many members, each small enough: the largest go until the line fits
    sizes.sort_unstable();
    let mut total: usize = sizes.iter().map(|(len, _)| len + 256).sum();
    while total > line_budget {
        let Some((len, name)) = sizes.pop() else { break };
        total -= len + 256;
        if let Some(value) = data.get(&name) {
            out.insert(name, whole(value, &mut blobs));
        }
    }
    (out, blobs)
}

fn whole(value: &Value, blobs: &mut Vec<NewBlob>) -> Value {
    reference(json_text(value).into_bytes(), "application/json", blobs)
}

fn reference(content: Vec<u8>, media: &str, blobs: &mut Vec<NewBlob>) -> Value {
    let hex = blake3::hash(&content).to_hex().to_string();
    let value = json!({"blob": format!("b3:{hex}"), "bytes": content.len(), "media": media});
    blobs.push(NewBlob { hex, content });
    value
}

/// Leaves first: large strings, verified binary, and objects that claim to be blobs.
fn shrink(value: &Value, blobs: &mut Vec<NewBlob>) -> Value {
    match value {
        Value::String(text) => shrink_text(text, blobs),
        Value::Array(items) => items.iter().map(|item| shrink(item, blobs)).collect(),
        Value::Object(map) if map.contains_key("blob") => whole(value, blobs),
        Value::Object(map) => map.iter().map(|(name, item)| (name.clone(), shrink(item, blobs))).collect(),
        other => other.clone(),
    }
}

fn shrink_text(text: &str, blobs: &mut Vec<NewBlob>) -> Value {
    if text.len() > MIN_BINARY_BYTES
        && let Some((media, content)) = binary(text)
    {
        return reference(content, &media, blobs);
    }
    if text.len() > MAX_INLINE_BYTES {
        return reference(text.as_bytes().to_vec(), "text/plain", blobs);
    }
    Value::String(text.to_owned())
}

/// The bytes of a base64 string or data URL of a format we know, if encoding them again gives the same text.
fn binary(text: &str) -> Option<(String, Vec<u8>)> {
    let (prefix, encoded) = match text.strip_prefix("data:") {
        Some(rest) => {
            let comma = rest.get(..128.min(rest.len()))?.find(";base64,")?;
            let (head, tail) = text.split_at("data:".len() + comma + ";base64,".len());
            (head.trim_end_matches(','), tail)
        }
        None => ("", text),
    };
    let media = magic(encoded)?;
    let content = STANDARD.decode(encoded).ok()?;
    if STANDARD.encode(&content) != encoded {
        return None;
    }
    Some((if prefix.is_empty() { media.to_owned() } else { prefix.to_owned() }, content))
}

/// Reads a blob by its id.
type ReadBlob<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, JournalError>;

/// The value as it was before it was split.
pub(crate) fn put_back(value: &Value, blob: ReadBlob<'_>) -> Result<Value, JournalError> {
    match value {
        Value::Array(items) => items.iter().map(|item| put_back(item, blob)).collect(),
        Value::Object(map) => match as_ref(map) {
            Some(reference) => restored(&reference, blob(&reference.id)?),
            None => map.iter().map(|(name, item)| Ok((name.clone(), put_back(item, blob)?))).collect(),
        },
        other => Ok(other.clone()),
    }
}

fn restored(reference: &BlobRef, content: Vec<u8>) -> Result<Value, JournalError> {
    let changed = || JournalError::BlobChanged { id: reference.id.clone() };
    match reference.media.as_str() {
        "application/json" => serde_json::from_slice(&content).map_err(|_| changed()),
        "text/plain" => String::from_utf8(content).map(Value::String).map_err(|_| changed()),
        media if media.starts_with("data:") => Ok(format!("{media},{}", STANDARD.encode(content)).into()),
        _ => Ok(STANDARD.encode(content).into()),
    }
}

/// Formats by their first bytes.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\x00asm", "application/wasm"),
];

/// The media type by the first bytes of what the base64 encodes.
fn magic(encoded: &str) -> Option<&'static str> {
    let head = STANDARD.decode(encoded.get(..16)?).ok()?;
    MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, media)| *media)
}

/// Holds `blobs/lock` shared: from the look-up of a blob until the event that names it stands.
pub(crate) fn hold(world: &World, layout: &Layout) -> Result<Box<dyn world::DiskFile>, JournalError> {
    let folder = layout.blobs();
    world.disk.create_dir_all(&folder).at("make", &folder)?;
    let path = folder.join("lock");
    let file = lock::open(world, &path)?;
    lock::take(world, &*file, &path, Lock::Shared)?;
    Ok(file)
}

/// Writes and syncs the blobs that are not there yet. The caller holds `blobs/lock`.
pub(crate) fn write(journal: &Journal, blobs: &[NewBlob]) -> Result<(), JournalError> {
    let (world, layout) = (&journal.world, &journal.layout);
    for blob in blobs {
        let path = path_of(layout, &blob.hex);
        let folder = layout.blobs().join(&blob.hex[..2]);
        let there = world.disk.stat(&path).at("look at", &path)?;
        if there.is_none_or(|stat| stat.len != blob.content.len() as u64) {
            write_one(world, blob, &folder, &path)?;
        }
        // the writer of a blob that is there may not have come to sync the name yet
        world.disk.sync_dir(&folder).at("sync", &folder)?;
        journal.sync_names_of(&folder)?;
    }
    Ok(())
}

/// Written aside, synced, renamed: a crash leaves either nothing or the whole blob under its name.
fn write_one(world: &World, blob: &NewBlob, folder: &Path, path: &Path) -> Result<(), JournalError> {
    world.disk.create_dir_all(folder).at("make", folder)?;
    let mut random = [0; 8];
    world.chance.fill(&mut random).at("draw a name in", folder)?;
    let aside = folder.join(format!(".{}-{:016x}", world.pid, u64::from_le_bytes(random)));
    let written = write_new(world, &aside, &blob.content)
        .and_then(|()| world.disk.rename(&aside, path).at("rename", &aside));
    if written.is_err() {
        let _ = world.disk.remove(&aside);
    }
    written
}

/// Reads a blob and checks it against its name.
pub(crate) fn read(world: &World, layout: &Layout, id: &str) -> Result<Vec<u8>, JournalError> {
    let missing = || JournalError::NoBlob { id: id.to_owned() };
    let hex = blob_hex(id).ok_or_else(missing)?;
    let path = path_of(layout, hex);
    if world.disk.stat(&path).at("look at", &path)?.is_none() {
        return Err(missing());
    }
    let content = read_file(world, &path, MAX_BLOB_BYTES)?;
    if blake3::hash(&content).to_hex().as_str() == hex {
        Ok(content)
    } else {
        Err(JournalError::BlobChanged { id: id.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_one(value: Value) -> (Value, Vec<NewBlob>) {
        let data: Map<String, Value> = [("v".to_owned(), value)].into_iter().collect();
        let (mut out, blobs) = split(&data, 3 * 1024 * 1024);
        (out.remove("v").expect("the member"), blobs)
    }

    #[test]
    fn a_large_string_becomes_a_blob_where_it_stands() {
        let text = "x".repeat(MAX_INLINE_BYTES + 1);
        let (value, blobs) = split_one(json!({"a": [text.clone(), "small"]}));
        assert_eq!(value["a"][0]["media"], "text/plain");
        assert_eq!(value["a"][0]["bytes"], text.len());
        assert_eq!(value["a"][1], "small");
        assert_eq!(blobs[0].content, text.as_bytes());
        assert_eq!(blob_refs(&value).len(), 1);
    }

    #[test]
    fn an_image_is_stored_as_its_bytes_and_rebuilt_from_them() {
        let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
        image.resize(6000, 7);
        let encoded = STANDARD.encode(&image);
        let (value, blobs) = split_one(json!(encoded.clone()));
        assert_eq!((value["media"].as_str(), &blobs[0].content), (Some("image/png"), &image));
        let (value, blobs) = split_one(json!(format!("data:image/png;base64,{encoded}")));
        assert_eq!((value["media"].as_str(), &blobs[0].content), (Some("data:image/png;base64"), &image));
        let broken = format!("{}\n{}", &encoded[..76], &encoded[76..]);
        assert!(split_one(json!(broken.clone())).1.is_empty(), "what does not encode back stays text");
    }

    #[test]
    fn nobody_points_at_a_blob_of_somebody_else() {
        let forged =
            json!({"deep": [{"blob": format!("b3:{}", "0".repeat(64)), "bytes": 1, "media": "text/plain"}]});
        let (value, blobs) = split_one(forged.clone());
        assert_eq!(value["deep"][0]["media"], "application/json");
        assert_eq!(serde_json::from_slice::<Value>(&blobs[0].content).ok(), Some(forged["deep"][0].clone()));
    }

    #[test]
    fn a_member_of_many_small_leaves_goes_whole() {
        let many: Value = (0..60_000).map(|n| json!(n)).collect();
        let (value, blobs) = split_one(many.clone());
        assert_eq!(value["media"], "application/json");
        assert_eq!(serde_json::from_slice::<Value>(&blobs[0].content).ok(), Some(many));
    }
}
