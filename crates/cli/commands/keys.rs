//! `recount keys`: which keys there are, where, and what is wrong with them; `recover` puts right what can be.

use audit::{Kept, Mended, Standing};
use recorder::Store;
use serde_json::{Value, json};
use world::World;

use crate::args::{Global, Keys, KeysCommand};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::table::Table;
use crate::{place, seals};

pub(crate) fn run(global: &Global, args: &Keys, out: &mut Output) -> Result<u8, Failure> {
    match args.command {
        None => show(global, out),
        Some(KeysCommand::Recover) => recover(global, out),
    }
}

fn show(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let (journal, keyring) = (store.journal(), seals::keyring(store.journal())?);
    let kept = audit::kept(journal, &keyring)?;
    let sealed = journal.has_log()?;
    let good = !sealed || kept.iter().all(|kept| matches!(kept.standing, Standing::Whole(_)));
    if out.json {
        let list: Vec<Value> = kept.iter().map(as_json).collect();
        let body = json!({"store": journal.store_id(), "folder": keyring.folder(), "ok": good, "keys": list});
        out.document("recount.keys/1", &json!({}), true, body)?;
        return Ok(if good { 0 } else { NO });
    }
    let mut table = Table::new(&["", "file", "is", "said"]);
    for kept in &kept {
        let (mark, said) = match &kept.standing {
            Standing::Whole(shown) => ("✓", shown.clone()),
            Standing::Missing => (if sealed { "✗" } else { "" }, "not here".to_owned()),
            Standing::Damaged(what) => ("✗", format!("damaged: {what}")),
        };
        table.row(vec![mark.into(), (&kept.file).into(), kept.is.into(), said.into()]);
    }
    out.table(&table)?;
    out.flush()?;
    eprintln!("in {}", keyring.folder().display());
    if !good {
        eprintln!(
            "\nhint: `recount explain R0016` says what each of them is for, and what to do without it\n"
        );
    }
    Ok(if good { 0 } else { NO })
}

fn recover(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = Store::open(World::real(), &place::to_write(global)?)?;
    let mended = audit::recover(&seals::sealer(store.journal())?)?;
    if out.json {
        let list: Vec<String> = mended.iter().map(said).collect();
        out.document("recount.keys/1", &json!({}), true, json!({"mended": list}))?;
        return Ok(0);
    }
    for mended in &mended {
        out.line(&said(mended))?;
    }
    out.flush()?;
    if mended.is_empty() {
        eprintln!("nothing is lost or damaged");
    }
    Ok(0)
}

fn said(mended: &Mended) -> String {
    match mended {
        Mended::PublicKey => "log.pub is written anew".to_owned(),
        Mended::Pin => "the pin is remembered anew, as the log says it".to_owned(),
        Mended::Seen => "the checkpoint is remembered anew, as the log has it".to_owned(),
        Mended::Epoch(lost) => format!("epoch {lost} is broken off: its key is lost, the next one goes on"),
    }
}

fn as_json(kept: &Kept) -> Value {
    let (state, said) = match &kept.standing {
        Standing::Whole(shown) => ("whole", shown.as_str()),
        Standing::Missing => ("missing", ""),
        Standing::Damaged(what) => ("damaged", *what),
    };
    json!({"file": kept.file, "is": kept.is, "state": state, "said": said})
}
