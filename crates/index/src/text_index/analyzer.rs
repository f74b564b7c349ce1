//! Our tokens, as tantivy wants them.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::tokens::{Buffers, Stream};

/// Wraps [`crate::tokens`]; keeps its buffers from one document to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Analyzer {
    buffers: Buffers,
}

pub(super) struct Tokens<'a> {
    stream: Stream<'a, 'a>,
    next: usize,
    token: Token,
}

impl Tokenizer for Analyzer {
    type TokenStream<'a> = Tokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens<'a> {
        Tokens { stream: Stream::new(text, &mut self.buffers), next: 0, token: Token::default() }
    }
}

impl TokenStream for Tokens<'_> {
    fn advance(&mut self) -> bool {
        if self.next >= self.stream.len() {
            self.next = 0;
            if !self.stream.next_chunk() {
                return false;
            }
        }
        let token = self.stream.token(self.next);
        self.next += 1;
        self.token.text.clear();
        self.token.text.push_str(token.text);
        self.token.position = token.position as usize;
        self.token.offset_from = token.source.start;
        self.token.offset_to = token.source.end;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
