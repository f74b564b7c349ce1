//! `recount explain CODE`

use crate::args::Explain;
use crate::codes::CODES;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Explain, out: &mut Output) -> Result<u8, Failure> {
    let wanted = args.code.trim_matches(['[', ']']);
    match CODES.iter().find(|(code, _)| code.eq_ignore_ascii_case(wanted)) {
        Some((_, page)) => out.text(page).map(|()| 0),
        None => {
            let known: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
            Err(Failure::usage(format!("no code {wanted:?}"))
                .hint(format!("the codes are {}", known.join(", "))))
        }
    }
}
