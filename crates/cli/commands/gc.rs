//! `recount gc`: copies of handoffs beside the journal that were kept long enough.

use orchestrate::cleanup;
use serde_json::json;

use crate::args::{Gc, Global, KnownValues};
use crate::commands::retention;
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;
use crate::{place, team};

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

pub(crate) fn run(global: &Global, args: &Gc, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let kept =
        || Ok::<_, Failure>(retention::policy(store.journal())?.and_then(|policy| policy.artifact_days));
    let days = args.days.map_or_else(kept, |days| Ok(Some(days)))?.ok_or_else(|| {
        Failure::usage("nobody says how long copies are kept")
            .hint("`recount gc --days 30`, or once for all `recount retention --artifact-days 30`")
    })?;
    let files = place::artifacts(global, args.beside.artifacts.as_deref(), true)?;
    let before = store.journal().world().clock.now().saturating_sub(i64::from(days) * DAY_MICROS);
    let old = cleanup::old(&store, &files, before)?;
    let count: usize = old.iter().map(|left| left.copies.len()).sum();
    if !args.dry_run && count > 0 {
        team::record(global, &KnownValues::default(), |recorder| cleanup::drop_files(recorder, &old))?;
    }
    if out.json {
        let body = json!({"days": days, "removed": !args.dry_run, "handoffs": old});
        out.document("recount.gc/1", &json!({}), true, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["handoff", "file", "bytes"]);
    for (left, copy) in old.iter().flat_map(|left| left.copies.iter().map(move |copy| (left, copy))) {
        let file = copy.file.strip_prefix(&files).unwrap_or(&copy.file).display().to_string();
        table.row(vec![left.event.as_str().into(), file.into(), copy.bytes.to_string().into()]);
    }
    out.table(&table)?;
    out.flush()?;
    let done = if args.dry_run { "would remove" } else { "removed" };
    eprintln!("{done} {count} copies that are older than {days} days; the journal has what they say");
    Ok(0)
}
