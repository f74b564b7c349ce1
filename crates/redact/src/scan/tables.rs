//! The rows of the tables that no example names one by one. Each was seen to work by another test; here one that went
//! by mistake is missed. Who means it changes the lines of `tables.txt` that the test names.

use crate::{calls, command, pair, printed, spoken};

fn rows() -> impl Iterator<Item = String> {
    let of = |table: &'static str| move |row: String| format!("{table}: {row}");
    let words = |words: &'static [&'static str]| words.iter().map(|word| word.trim().to_owned());
    let said = spoken::NAMES.iter().flat_map(|(sort, names)| {
        names.iter().map(move |name| format!("said, {}: {name}", format!("{sort:?}").to_lowercase()))
    });
    command::examples()
        .map(of("command"))
        .chain(calls::commands().map(of("call")))
        .chain(words(printed::COMMANDS).map(of("printed")))
        .chain(words(pair::FLAGS).chain(words(pair::TOGETHER)).map(of("flag")))
        .chain(said)
}

#[test]
fn no_row_is_lost_by_mistake() {
    let now: Vec<String> = rows().collect();
    let before: Vec<&str> = include_str!("tables.txt").lines().collect();
    let gone: Vec<&&str> = before.iter().filter(|row| !now.iter().any(|own| own == *row)).collect();
    let new: Vec<&String> = now.iter().filter(|row| !before.contains(&row.as_str())).collect();
    assert!(gone.is_empty() && new.is_empty(), "gone: {gone:#?}, not in tables.txt yet: {new:#?}");
}
