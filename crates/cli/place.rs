//! Where the store is, and where its keys are: the only reader of environment and home.
//!
//! Reads find a store by flag, variable, the nearest folder upward, else the user's own. **Writes never
//! search upward**: a cloned repository is untrusted input and must not collect secrets.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum as _;
use recorder::{Durability, Recorder, Store};
use redact::{Keys, Owner, Redactor, Rules, RulesError};
use world::{Chance as _, RealChance, World};

use crate::args::{Global, KnownValues};
use crate::failure::{Failure, IO};
use crate::pauses::Pauses;
use crate::shelf::Folder;
use crate::sources::Source;

/// An absolute path from a variable; empty or relative ones count as unset.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

pub(crate) fn home() -> Result<PathBuf, Failure> {
    let missing = || Failure::new(IO, "no home folder is known").hint("set HOME, or say where with --store");
    std::env::home_dir().filter(|path| path.is_absolute()).ok_or_else(missing)
}

/// A folder of the user by its XDG variable, else by its default under the home folder.
fn xdg(name: &str, default: &str) -> Result<PathBuf, Failure> {
    variable(name).map_or_else(|| Ok(home()?.join(default)), Ok)
}

fn own_store() -> Result<PathBuf, Failure> {
    Ok(xdg("XDG_DATA_HOME", ".local/share")?.join("recount"))
}

/// The store that was named by flag or variable.
fn named(global: &Global) -> Option<PathBuf> {
    let variable = || std::env::var_os("RECOUNT_STORE").filter(|v| !v.is_empty()).map(PathBuf::from);
    global.store.clone().or_else(variable)
}

/// Where writes go.
pub(crate) fn to_write(global: &Global) -> Result<PathBuf, Failure> {
    named(global).map_or_else(own_store, Ok)
}

/// Where reads look.
pub(crate) fn to_read(global: &Global) -> Result<PathBuf, Failure> {
    if let Some(named) = named(global) {
        return Ok(named);
    }
    let here = std::env::current_dir().map_err(|e| Failure::io("find the current folder", &e))?;
    let upward = here.ancestors().find(|folder| folder.join("journal/STORE").is_file());
    upward.map_or_else(own_store, |folder| Ok(folder.to_owned()))
}

/// Opens the store to read from.
pub(crate) fn store(global: &Global) -> Result<Store, Failure> {
    Ok(Store::open(World::real(), &to_read(global)?)?)
}

/// Opens the store that writes go to, to read it.
pub(crate) fn store_to_write(global: &Global) -> Result<Store, Failure> {
    Ok(Store::open(World::real(), &to_write(global)?)?)
}

/// Opens the store to write to, with all that a secret is known by on this machine.
pub(crate) fn recorder(
    global: &Global,
    durability: Durability,
    known: &KnownValues,
) -> Result<Recorder, Failure> {
    recorder_in(&to_write(global)?, durability, known)
}

/// The same for the store in this folder.
pub(crate) fn recorder_in(
    root: &Path,
    durability: Durability,
    known: &KnownValues,
) -> Result<Recorder, Failure> {
    let journal = journal::Journal::open(World::real(), root)?;
    let keys = keys(journal.store_id())?;
    let shelf = Folder::new(keys_dir(journal.store_id())?.join("shown"));
    let redactor = redactor(&keys, known)?.with_shelf(Arc::new(shelf));
    let pause = Pauses::new(keys_dir(journal.store_id())?.join("paused"));
    Ok(Recorder::new(&journal, &keys, durability).with_redactor(redactor).with_pause(Box::new(pause)))
}

/// A redactor that knows what this machine keeps secret, and the rules of its user and project.
pub(crate) fn redactor(keys: &Keys, known: &KnownValues) -> Result<Redactor, Failure> {
    let rules = rules()?;
    let mut left_out = known.no_known.clone();
    for name in rules.skipped() {
        let source = Source::from_str(name, true).map_err(|_| {
            let names: Vec<String> = Source::each().map(Source::name).collect();
            Failure::usage(format!("the rules skip {name:?}, which is no source"))
                .hint(format!("the sources are {}", names.join(", ")))
        })?;
        left_out.push(source);
    }
    let values = Source::known(&left_out)?;
    let key = learned()?.map_or(keys.redaction_key, |(key, _)| key);
    Ok(Redactor::new(keys).with_own(rules, &values, &key))
}

/// The rules of the user, then those of the project around the current folder.
pub(crate) fn rules() -> Result<Rules, Failure> {
    let mut rules = Rules::new();
    let here = std::env::current_dir().map_err(|e| Failure::io("find the current folder", &e))?;
    let project =
        here.ancestors().map(|folder| folder.join(".recount/rules.toml")).find(|file| file.is_file());
    let user = config("recount/rules.toml")?;
    let files = [(Some(user).filter(|file| file.is_file()), Owner::User), (project, Owner::Project)];
    for (file, owner) in files {
        let Some(file) = file else { continue };
        let text =
            fs::read_to_string(&file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
        rules.load(&text, &file.display().to_string(), owner).map_err(|e| bad_rules(&e))?;
    }
    Ok(rules)
}

/// Rules that are not what they say: nothing is recorded by half of them.
fn bad_rules(error: &RulesError) -> Failure {
    Failure::usage(error.to_string()).hint("nothing is recorded or redacted until the rules can be loaded")
}

/// The kinds of secrets that stand in a text, by the rules and known values that the store would be written by.
pub(crate) fn secrets_in(global: &Global, text: &str) -> Result<Vec<&'static str>, Failure> {
    let keys = match store(global) {
        Ok(store) => keys_to_read(store.journal().store_id())?,
        Err(_) => passing_keys()?,
    };
    let (_, spans) = redactor(&keys, &KnownValues::default())?.redact_text(text);
    let mut kinds: Vec<&str> = spans.into_iter().map(|span| span.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds)
}

/// The keys of a store as far as they are there; who only reads makes none.
pub(crate) fn keys_to_read(store: &str) -> Result<Keys, Failure> {
    if keys_dir(store)?.join("redaction.key").is_file() { keys(store) } else { passing_keys() }
}

/// Where writes go, with a store there: it is made for those who are called by programs, which cannot ask a
/// person to make one.
pub(crate) fn made(global: &Global) -> Result<PathBuf, Failure> {
    let (root, made) = made_quietly(global)?;
    if made {
        eprintln!("made a store in {}", crate::harmless::harmless(&root.display().to_string()));
    }
    Ok(root)
}

/// The same without a word; true if it was made now.
pub(crate) fn made_quietly(global: &Global) -> Result<(PathBuf, bool), Failure> {
    let root = to_write(global)?;
    let root = std::path::absolute(&root).map_err(|e| Failure::io("resolve the folder", &e))?;
    if root.join("journal/STORE").exists() {
        return Ok((root, false));
    }
    let (journal, made) = journal::Journal::init(World::real(), &root)?;
    keys(journal.store_id())?;
    crate::seals::sealer(&journal)?.begin()?;
    Ok((root, made))
}

/// Opens the store to read from, with a redactor that remembers its sessions and writes nothing.
pub(crate) fn store_and_redactor(global: &Global, known: &KnownValues) -> Result<(Store, Redactor), Failure> {
    let store = store(global)?;
    let id = store.journal().store_id();
    let shelf = Folder::new(keys_dir(id)?.join("shown")).read_only();
    let redactor = redactor(&keys_to_read(id)?, known)?.with_shelf(Arc::new(shelf));
    Ok((store, redactor))
}

/// Where files beside the journal are.
pub(crate) fn artifacts(global: &Global, flag: Option<&Path>, writes: bool) -> Result<PathBuf, Failure> {
    let variable = || std::env::var_os("RECOUNT_ARTIFACTS").filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(folder) = flag.map(Path::to_owned).or_else(variable) {
        return std::path::absolute(&folder)
            .map_err(|e| Failure::io(&format!("find {}", folder.display()), &e));
    }
    let store = if writes { to_write(global)? } else { to_read(global)? };
    let store =
        std::path::absolute(&store).map_err(|e| Failure::io(&format!("find {}", store.display()), &e))?;
    Ok(store.join("artifacts"))
}

/// The settings of the project around the current folder, if it has any.
pub(crate) fn project_settings() -> Result<Option<(PathBuf, String)>, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::io("find the current folder", &e))?;
    let file = here.ancestors().map(|folder| folder.join(".recount.toml")).find(|file| file.is_file());
    let Some(file) = file else { return Ok(None) };
    let text = fs::read_to_string(&file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
    Ok(Some((file, text)))
}

/// The variables of this process that are text.
pub(crate) fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// A folder or file below the user's folder of what programs remember.
pub(crate) fn state(path: &str) -> Result<PathBuf, Failure> {
    Ok(xdg("XDG_STATE_HOME", ".local/state")?.join(path))
}

/// A file below the user's folder of settings.
pub(crate) fn config(path: &str) -> Result<PathBuf, Failure> {
    Ok(xdg("XDG_CONFIG_HOME", ".config")?.join(path))
}

/// Saved searches: a line each, the name, a tab, the query. The user's own, never a project's.
pub(crate) fn searches() -> Result<BTreeMap<String, String>, Failure> {
    let file = config("recount/searches")?;
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::io(&format!("read {}", file.display()), &error)),
    };
    let pair = |line: &str| line.split_once('\t').map(|(name, query)| (name.to_owned(), query.to_owned()));
    Ok(text.lines().filter_map(pair).collect())
}

/// Saves a search; one of the same name is replaced.
pub(crate) fn save_search(name: &str, query: &str) -> Result<(), Failure> {
    let file = config("recount/searches")?;
    let fail = |e: io::Error| Failure::io(&format!("write {}", file.display()), &e);
    let mut all = searches()?;
    all.insert(name.to_owned(), query.split_whitespace().collect::<Vec<_>>().join(" "));
    let text: String = all.iter().map(|(name, query)| format!("{name}\t{query}\n")).collect();
    let folder = file.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(fail)?;
    let aside = folder.join(format!("searches.new-{}", hex(&random().map_err(fail)?[..8])));
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    options
        .open(&aside)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(&aside, &file))
        .map_err(fail)
}

/// Where learned values are known by, and the key that makes their traces.
fn learned_dir() -> Result<PathBuf, Failure> {
    config("recount/known")
}

/// The key and the lines of what was learned, if anything was.
pub(crate) fn learned() -> Result<Option<([u8; 32], String)>, Failure> {
    let folder = learned_dir()?;
    let fail = |e: io::Error| Failure::io(&format!("read what was learned in {}", folder.display()), &e);
    if !folder.join("values").exists() {
        return Ok(None);
    }
    let lines = fs::read_to_string(folder.join("values")).map_err(fail)?;
    Ok(Some((load_or_make(&folder.join("key")).map_err(fail)?, lines)))
}

/// Adds lines to what was learned; `new` is given the key and what stands there.
pub(crate) fn learn(new: impl FnOnce(&[u8; 32], &str) -> String) -> Result<usize, Failure> {
    let folder = learned_dir()?;
    let fail = |e: io::Error| Failure::io(&format!("write what was learned in {}", folder.display()), &e);
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(fail)?;
    let key = load_or_make(&folder.join("key")).map_err(fail)?;
    let lines = new(&key, &learned()?.map_or_else(String::new, |(_, lines)| lines));
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).mode(0o600).open(folder.join("values")).map_err(fail)?;
    file.write_all(lines.as_bytes()).and_then(|()| file.sync_all()).map_err(fail)?;
    Ok(lines.lines().count())
}

/// Where the keys of a store are: outside it, readable by the user alone.
pub(crate) fn keys_dir(store: &str) -> Result<PathBuf, Failure> {
    Ok(xdg("XDG_CONFIG_HOME", ".config")?.join("recount/stores").join(store))
}

/// The keys of a store, made on first use.
pub(crate) fn keys(store: &str) -> Result<Keys, Failure> {
    let folder = keys_dir(store)?;
    let fail = |e: io::Error| {
        Failure::io(&format!("read or make the keys of the store in {}", folder.display()), &e)
    };
    make_folder(&folder).map_err(fail)?;
    let key = |name: &str| load_or_make(&folder.join(name)).map_err(fail);
    Ok(Keys { store_secret: key("secret")?, redaction_key: key("redaction.key")? })
}

/// Keys that live as long as the process: for filters that keep nothing.
pub(crate) fn passing_keys() -> Result<Keys, Failure> {
    let draw = || random().map_err(|e| Failure::io("draw a key", &e));
    Ok(Keys { store_secret: draw()?, redaction_key: draw()? })
}

fn random() -> io::Result<[u8; 32]> {
    let mut key = [0; 32];
    RealChance.fill(&mut key)?;
    Ok(key)
}

/// Makes a folder and those above it that are missing, each name synced: a key that is lost with its folder
/// makes every fingerprint of the store strange.
fn make_folder(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|above| !above.is_dir()).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    for above in missing.iter().filter_map(|made| made.parent()) {
        fs::File::open(above)?.sync_all()?;
    }
    Ok(())
}

/// 64 hex digits and LF; written aside, synced and linked into place, so that the first maker wins. The name
/// aside is drawn: what a killed process left, under whatever process id, is in nobody's way.
fn load_or_make(path: &Path) -> io::Result<[u8; 32]> {
    if !path.exists() {
        let key = random()?;
        let aside = path.with_extension(format!("new-{}", hex(&random()?[..8])));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&aside)?;
        let made = file
            .write_all(format!("{}\n", hex(&key)).as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::hard_link(&aside, path));
        fs::remove_file(&aside)?;
        match made {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            _ => {}
        }
        if let Some(folder) = path.parent() {
            fs::File::open(folder)?.sync_all()?;
        }
    }
    let mut text = String::new();
    fs::File::open(path)?.take(256).read_to_string(&mut text)?;
    unhex(text.trim())
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the key is not 64 hex digits"))
}

fn hex(key: &[u8]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
    }
    Some(key)
}

/// Whose word counts: the policy that is given, else the one beside the keys of the store, if there is one.
pub(crate) fn policy(
    journal: &journal::Journal,
    given: Option<&Path>,
) -> Result<Option<audit::Policy>, Failure> {
    let own =
        || keys_dir(journal.store_id()).ok().map(|folder| folder.join("policy")).filter(|file| file.exists());
    let Some(file) = given.map(Path::to_owned).or_else(own) else { return Ok(None) };
    policy_in(&file).map(Some)
}

/// The policy in a file.
pub(crate) fn policy_in(file: &Path) -> Result<audit::Policy, Failure> {
    let text = fs::read_to_string(file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
    audit::Policy::parse(&text).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}
