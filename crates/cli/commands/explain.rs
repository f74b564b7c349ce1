//! `recount explain CODE`

use crate::args::Explain;
use crate::codes::CODES;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Explain, out: &mut Output) -> Result<u8, Failure> {
    let wanted = args.code.trim_matches(['[', ']']);
    if let Some((_, page)) = CODES.iter().find(|(code, _)| code.eq_ignore_ascii_case(wanted)) {
        return out.text(page).map(|()| 0);
    }
    let known: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
    Err(Failure::usage(format!("no code {wanted:?}")).hint(format!("the codes are {}", known.join(", "))))
}
