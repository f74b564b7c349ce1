//! Text as agents write and meet it, from a seed: prose, code, logs and listings over a Zipf-like
//! vocabulary, with fresh ids and paths. No float, no clock: the same seed gives the same bytes anywhere.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// A small generator of numbers (splitmix64); not for secrets.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.roll() % (high - low + 1)
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.roll().is_multiple_of(count)
    }

    pub(crate) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.index(items.len())]
    }

    pub(crate) fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.roll() % len as u64).unwrap_or(0)
    }

    /// As likely between 1 and 2 as between 2 and 4 as between 4 and 8 …, `octaves` times, less one.
    pub(crate) fn rank(&mut self, octaves: u64) -> usize {
        let octave = self.roll() % octaves;
        let rank = (1 << octave) + self.roll() % (1 << octave) - 1;
        usize::try_from(rank).unwrap_or(0)
    }

    /// A size in bytes from `low` to thirty times that, small ones more often.
    pub(crate) fn size(&mut self, low: usize) -> usize {
        let quarters = self.between(4, 4 * 5 + 3);
        let whole = low << (quarters / 4 - 1);
        whole + whole / 4 * usize::try_from(quarters % 4).unwrap_or(0)
    }
}

/// The most frequent words first; a word's place decides how often it comes up.
static COMMON: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    "the of a to in and is it that for with on this be as are from by an not \
     at or if we so the file when can test has it was which code will then all no \
     error after before build change check value call run set function module should data line use \
     path state return read write step plan because next only other one still more does first now \
     request response token session agent server client table index query cache worker queue service \
     result input output field type name user key config option default version branch commit merge \
     review handoff decision approach risk blocker pivot phase group skill report summary message \
     fails passes expected found missing unknown invalid empty wrong broken stale slow fast safe \
     thread lock deadlock pool async await retry timeout backoff limit budget memory buffer stream \
     parser lexer grammar encode decode serialize deserialize hash digest chain verify repair segment \
     database migration schema column row transaction rollback isolation replica snapshot backup \
     frontend component button form layout style render hydrate route redirect cookie header payload \
     auth login logout permission role policy scope expired refresh rotate revoke audit trail ledger \
     docker image container volume network proxy gateway certificate keypair secret vault region \
     python rust typescript javascript golang kotlin bash makefile cargo npm pytest clippy linter \
     coverage fixture mock stub snapshot regression flaky benchmark profile latency throughput"
        .split_whitespace()
        .collect()
});
const SYLLABLES: &[&str] = &[
    "ba", "co", "di", "fu", "ga", "ho", "ji", "ku", "la", "mo", "ni", "po", "ra", "su", "ti", "vo", "wa",
    "xe", "yo", "ze",
];
const PHRASES: &[&str] = &[
    "the token expired",
    "race condition in the thread pool",
    "null pointer in the parser",
    "the value of the option",
    "connection reset by peer",
    "migration plan for the schema",
];
const SOURCES: &[&str] = &["rs", "py", "ts", "go", "md", "toml"];
const OCTAVES: u64 = 15;
/// As for words, for the files of the repository that is worked on: two thousand.
const FILE_OCTAVES: u64 = 11;

/// Adds one word.
pub(crate) fn word(dice: &mut Dice, out: &mut String) {
    let mut rank = dice.rank(OCTAVES);
    if let Some(word) = COMMON.get(rank) {
        out.push_str(word);
        return;
    }
    while rank > 0 {
        out.push_str(SYLLABLES[rank % SYLLABLES.len()]);
        rank /= SYLLABLES.len();
    }
}

/// Adds a path: mostly one of the files that everybody works on, now and then a new one.
pub(crate) fn path(dice: &mut Dice, out: &mut String) {
    let number = if dice.one_in(20) { dice.roll() } else { dice.rank(FILE_OCTAVES) as u64 };
    let mut file = Dice::new(number);
    out.push_str("src/");
    word(&mut file, out);
    out.push('/');
    word(&mut file, out);
    out.push('_');
    word(&mut file, out);
    let _ = write!(out, ".{}", file.pick(SOURCES));
}

fn sentence(dice: &mut Dice, out: &mut String) {
    let start = out.len();
    for n in 0..dice.between(6, 16) {
        if n > 0 {
            out.push(' ');
        }
        match dice.roll() % 512 {
            0..8 => path(dice, out),
            8..12 => _ = write!(out, "`{:x}`", dice.roll() >> 24),
            12..20 => _ = write!(out, "{}", dice.between(2, 9_000)),
            20 => out.push_str(dice.pick(PHRASES)),
            _ => word(dice, out),
        }
    }
    let first = out[start..=start].to_ascii_uppercase();
    out.replace_range(start..=start, &first);
    out.push_str(". ");
}

/// Prose of at least so many bytes.
pub(crate) fn prose(dice: &mut Dice, bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + 200);
    while out.len() < bytes {
        sentence(dice, &mut out);
        if dice.one_in(6) {
            out.push('\n');
        }
    }
    out
}

fn code_line(dice: &mut Dice, out: &mut String) {
    let indent = "        ".get(..dice.index(3) * 4).unwrap_or_default();
    out.push_str(indent);
    match dice.roll() % 4 {
        0 => {
            out.push_str("let ");
            word(dice, out);
            out.push_str(" = self.");
            word(dice, out);
            out.push_str(".get(&");
            word(dice, out);
            out.push_str(")?;\n");
        }
        1 => {
            out.push_str("def ");
            word(dice, out);
            out.push('_');
            word(dice, out);
            out.push_str("(self, ");
            word(dice, out);
            out.push_str("=None):\n");
        }
        2 => {
            out.push_str("// ");
            sentence(dice, out);
            out.push('\n');
        }
        _ => {
            out.push_str("if (");
            word(dice, out);
            let _ = write!(out, ".len > {}) {{ return \"", dice.between(0, 500));
            word(dice, out);
            out.push_str("\"; }\n");
        }
    }
}

fn log_line(dice: &mut Dice, out: &mut String) {
    let level = dice.pick(&["INFO", "INFO", "DEBUG", "WARN", "ERROR"]);
    let (minute, second, milli) = (dice.between(10, 59), dice.between(10, 59), dice.between(100, 999));
    let _ = write!(out, "2026-11-27T20:{minute}:{second}.{milli}Z {level} worker-{} ", dice.between(0, 7));
    for _ in 0..dice.between(3, 8) {
        word(dice, out);
        out.push(' ');
    }
    let _ = writeln!(out, "req={:08x} took {} ms", dice.roll() >> 32, dice.between(1, 900));
}

fn listing_line(dice: &mut Dice, out: &mut String) {
    path(dice, out);
    let _ = write!(out, ":{}: ", dice.between(1, 900));
    sentence(dice, out);
    out.push('\n');
}

/// What a tool gives back: code, a log or a listing; once in three hundred times with a secret in it.
pub(crate) fn output(dice: &mut Dice, bytes: usize) -> String {
    let line = [code_line, log_line, listing_line][dice.index(3)];
    let mut out = String::with_capacity(bytes + 200);
    while out.len() < bytes {
        line(dice, &mut out);
    }
    if dice.one_in(300) {
        // made up at run time: no file of the repository has it
        let _ = writeln!(out, "DATABASE_PASSWORD={:016x}{:08x}", dice.roll(), dice.roll() >> 32);
    }
    out
}
