//! `recount open LINK`: the event behind a permalink, or a shout that it is another.

use event::EventRef;

use crate::args::{Global, Open, Show};
use crate::commands::show;
use crate::failure::{Failure, INTEGRITY};
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Open, out: &mut Output) -> Result<u8, Failure> {
    let reference = EventRef::parse(&args.link)?;
    let store = place::store(global)?;
    if let Err(recorder::RecorderError::OtherHash { session, seq, wanted, found }) = store.event(&reference) {
        let message = format!(
            "NOT SHOWN: {session}/{seq} IS NOT THE EVENT THAT WAS LINKED\n\n  linked  {wanted}\n  stored  {found}"
        );
        return Err(Failure::new(INTEGRITY, message)
            .code("R0014")
            .hint("the journal was rewritten, or the link comes from another store; `recount verify` checks this one"));
    }
    show::run(global, &Show { event: args.link.clone(), at: None, raw: false }, out)
}
