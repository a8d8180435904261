//! Rust source as words and punctuation: enough to find paths, without comments, literals and tests.

/// A word, `::`, one other character, or `""` for any literal with quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub line: usize,
    pub text: String,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub fn is_word(&self) -> bool {
        self.text.starts_with(is_word_character)
    }
}

/// The tokens of a file, without the items under `#[cfg(test)]`.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { rest: text, line: 1, found: Vec::new() };
    while !lexer.rest.is_empty() {
        lexer.step();
    }
    without_tests(&lexer.found)
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

struct Lexer<'t> {
    rest: &'t str,
    line: usize,
    found: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let first = self.rest.chars().next().unwrap();
        let word = self.rest.find(|c| !is_word_character(c)).unwrap_or(self.rest.len());
        if self.rest.starts_with("//") {
            self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
        } else if self.rest.starts_with("/*") {
            self.skip(self.rest.find("*/").map_or(self.rest.len(), |end| end + 2));
        } else if let Some(length) = self.raw_string() {
            self.push("\"\"", length);
        } else if word > 0 {
            self.push(&self.rest[..word], word);
        } else if first == '"' {
            self.push("\"\"", quoted(self.rest, '"'));
        } else if first == '\'' {
            self.character_or_lifetime();
        } else if self.rest.starts_with("::") {
            self.push("::", 2);
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else {
            self.push(&first.to_string(), first.len_utf8());
        }
    }

    /// The length of `r"…"`, `r#"…"#` and the like (`br`, `cr`) at this place.
    fn raw_string(&self) -> Option<usize> {
        let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
            self.rest.strip_prefix(prefix).is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'))
        })?;
        let hashes = self.rest[prefix.len()..].find('"')?;
        let open = prefix.len() + hashes + 1;
        let close = format!("\"{}", "#".repeat(hashes));
        self.rest[open..].find(&close).map(|end| open + end + close.len())
    }

    fn character_or_lifetime(&mut self) {
        let mut following = self.rest.chars().skip(1);
        let (first, second) = (following.next(), following.next());
        if first == Some('\\') || second == Some('\'') {
            self.push("\"\"", quoted(self.rest, '\''));
        } else {
            let name = self.rest[1..].find(|c| !is_word_character(c)).unwrap_or(self.rest.len() - 1);
            self.skip(1 + name);
        }
    }

    fn push(&mut self, text: &str, length: usize) {
        self.found.push(Token { line: self.line, text: text.to_owned() });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count();
        self.rest = &self.rest[length..];
    }
}

/// The length of a literal that ends with the next `quote` that has no backslash before it.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn without_tests(tokens: &[Token]) -> Vec<Token> {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_test = tokens[at..].iter().map(|token| token.text.as_str()).take(ATTRIBUTE.len()).eq(ATTRIBUTE);
        if is_test {
            at = end_of_item(tokens, at);
        } else {
            kept.push(token.clone());
            at += 1;
        }
    }
    kept
}

/// The position after an item: after its attributes, up to the first `;` or closing brace that is
/// not inside another bracket.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[test]
fn lexer_drops_comments_literals_and_tests() {
    let words = |text: &str| tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
    assert_eq!(words("a::b // c\n/* d */ e"), "a :: b e");
    assert_eq!(words(r##"r#"a"b"# "c\"d" '"' '\'' &'e f"##), "\"\" \"\" \"\" \"\" & f");
    assert_eq!(words("#[cfg(test)]\n#[allow(x)]\nmod tests { fn f() {} }\ng"), "g");
    assert_eq!(words("#[cfg(test)] use a::b; c"), "c");
    assert_eq!(tokens("\n\"\n\"\nx").last().unwrap().line, 4);
}
