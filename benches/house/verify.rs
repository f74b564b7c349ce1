//! Verifying every line, hash, commitment and sequence: one core, then all of them, then with seals and a pin.

use crate::Outcome;
use crate::fixture::Fixture;
use crate::measure::{Round, rounds, timed};
use crate::table::{Table, Target};

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let full = fixture.full()?;
    let (store, megabytes) = (full.store()?, full.journal_bytes as f64 / 1e6);
    let one = rounds(|| {
        let ((), time) = timed(|| {
            for session in full.journal.sessions()? {
                let report = full.journal.verify(&session)?;
                report.findings.is_empty().then_some(()).ok_or("the journal is damaged")?;
            }
            Ok(())
        })?;
        Ok(Round::new(megabytes, time))
    })?;
    table.rounds("verify, one core", &one, "MB/s", Target::AtLeast(250.0));
    let all = rounds(|| Ok(Round::new(megabytes, timed(|| Ok(store.verify_all()?))?.1)))?;
    table.rounds("verify, every core", &all, "MB/s", Target::None);
    let keys = audit::Keyring::new(world::World::real(), fixture.path("verify-keys"));
    audit::Sealer::new(&full.journal, keys).seal_all()?;
    let pin = Some(audit::Pin::of(&full.journal)?);
    let demands = audit::Demands { pin, ..audit::Demands::default() };
    let sealed = rounds(|| {
        let (verdict, time) = timed(|| Ok(audit::verify(&full.journal, &demands)?))?;
        (verdict.exit() == 0).then_some(()).ok_or("the store does not verify")?;
        Ok(Round::new(megabytes, time))
    })?;
    table.rounds("verify --all, sealed and pinned, every core", &sealed, "MB/s", Target::None);
    let times = table.get("verify, every core") / table.get("verify, one core");
    table.value("verify, every core / one", times, "×", Target::AtLeast(1.7));
    Ok(())
}
