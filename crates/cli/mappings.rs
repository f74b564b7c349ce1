//! Mapping files of the user's own: those that a call names, and those in `$XDG_CONFIG_HOME/recount/mappings`.
//!
//! One that was named has to be right; one in the folder that is not is said, and the others are used.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use ::import::Importer;

use crate::failure::Failure;
use crate::place;
use crate::unsaid::unsaid_path;

/// A larger file is no mapping.
const MAX_BYTES: u64 = 1024 * 1024;

/// The importers that they are, named ones first.
pub(crate) fn own(named: &[PathBuf]) -> Result<Vec<&'static dyn Importer>, Failure> {
    let mut own = named.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    for path in in_folder()? {
        match read(&path) {
            Ok(importer) => own.push(importer),
            Err(failure) => eprintln!("warning: not used: {}", failure.text()),
        }
    }
    Ok(own)
}

fn in_folder() -> Result<Vec<PathBuf>, Failure> {
    let Ok(entries) = fs::read_dir(place::config("recount/mappings")?) else { return Ok(Vec::new()) };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut found: Vec<_> = paths.filter(|path| path.extension() == Some(OsStr::new("toml"))).collect();
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<&'static dyn Importer, Failure> {
    let shown = unsaid_path(path);
    let unread = |error| Failure::io(&format!("read {shown}"), &error);
    if fs::metadata(path).map_err(unread)?.len() > MAX_BYTES {
        return Err(Failure::usage(format!("{shown} is larger than 1 MiB and no mapping")));
    }
    let text = fs::read_to_string(path).map_err(unread)?;
    ::import::mapping(&text).map_err(|error| {
        let failure = Failure::usage(format!("{shown}: {error}"));
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })
}
