//! Commands and their arguments (`about_Parsing`, argument mode).

use super::cursor::{Parse, Parser, is_dash, is_double_quote, is_name, is_single_quote};
use super::{Argument, Command, Expr, ExprKind};

impl Parser<'_> {
    /// A command, with whether its output is redirected.
    pub fn command(&mut self) -> Parse<(Command, bool)> {
        let is_invoked = self.eat("&") || (self.is_at(".") && !self.is_relative_path() && self.eat("."));
        if is_invoked {
            self.skip_space()?;
        }
        let name = self.command_name(is_invoked)?;
        let mut command = Command { name, arguments: Vec::new() };
        let mut is_redirected = false;
        loop {
            self.skip_space()?;
            if self.is_at_redirection() {
                is_redirected |= self.redirection()?;
            } else if self.is_at_end_of_command() {
                command.arguments.shrink_to_fit();
                return Ok((command, is_redirected));
            } else if self.is_at("--%") {
                self.take_while(|letter| !matches!(letter, '\n' | '\r' | '|'));
            } else {
                command.arguments.push(self.argument()?);
            }
        }
    }

    /// `.\script.ps1` or `./script`, which is a name.
    fn is_relative_path(&self) -> bool {
        matches!(self.peek_second(), Some('\\' | '/' | '.'))
    }

    fn command_name(&mut self, is_invoked: bool) -> Parse<Option<String>> {
        if is_invoked && self.is_at_value() && !self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            let name = self.nested(Self::value)?;
            return Ok(match name.kind {
                ExprKind::Text(name) => Some(name),
                _ => None,
            });
        }
        let start = self.at;
        match self.word()? {
            Some(name) if name.is_empty() && self.at == start => self.expected("a command"),
            name => Ok(name),
        }
    }

    fn is_at_end_of_command(&self) -> bool {
        matches!(self.peek(), None | Some('\n' | '\r' | ';' | '|' | '&' | ')' | '}'))
    }

    fn argument(&mut self) -> Parse<Argument> {
        if self.peek().is_some_and(is_dash)
            && self.peek_second().is_some_and(|next| next.is_alphabetic() || matches!(next, '_' | '?'))
        {
            self.bump();
            let name = self.take_while(|letter| is_name(letter) || matches!(letter, '-' | '?' | '.'));
            let name = Some(name.to_owned());
            if !self.eat(":") {
                // What follows a dash may be a word of another program, such as `-o=json`.
                if !self.is_at_end_of_word() {
                    self.word()?;
                }
                return Ok(Argument { parameter: name, value: None });
            }
            self.skip_space()?;
            return Ok(Argument { parameter: name, value: Some(self.argument_list()?) });
        }
        Ok(Argument { parameter: None, value: Some(self.argument_list()?) })
    }

    /// Values with commas between them.
    fn argument_list(&mut self) -> Parse<Expr> {
        self.comma_list(Self::argument_value)
    }

    fn argument_value(&mut self) -> Parse<Expr> {
        let at = self.at;
        let is_value = match self.peek() {
            Some('[' | '.' | '"' | '\'') => false,
            Some('$') => self.peek_second().is_some_and(|next| is_name(next) || "{(?$^".contains(next)),
            Some(letter) if letter.is_ascii_digit() => false,
            _ => self.is_at_value(),
        };
        if is_value {
            let value = self.nested(Self::value)?;
            if self.is_at_end_of_word() {
                return Ok(value);
            }
            // `$folder\file.txt`
            self.word()?;
            return Ok(Expr { at, kind: ExprKind::Expandable(String::new()) });
        }
        match self.word()? {
            _ if self.at == at => self.expected("an argument"),
            Some(word) => Ok(Expr { at, kind: ExprKind::Text(word) }),
            None => {
                // A whole string, or a word with variables.
                let written = self.text.get(at..self.at).unwrap_or_default();
                let is_quoted = written.len() > 1 && written.starts_with('"') && written.ends_with('"');
                let written = if is_quoted { written.to_owned() } else { String::new() };
                Ok(Expr { at, kind: ExprKind::Expandable(written) })
            }
        }
    }

    fn is_at_end_of_word(&self) -> bool {
        match self.peek() {
            None => true,
            Some('`') => matches!(self.peek_second(), Some('\n' | '\r')),
            Some(letter) => {
                letter.is_whitespace() || matches!(letter, '{' | '}' | '(' | ')' | ';' | ',' | '|' | '&' | '>')
            }
        }
    }

    /// A word, with strings in it; `None` if it has variables.
    pub fn word(&mut self) -> Parse<Option<String>> {
        let mut word = String::new();
        let mut is_static = true;
        while !self.is_at_end_of_word() {
            match self.peek() {
                Some(quote) if is_single_quote(quote) || is_double_quote(quote) => match self.string()? {
                    Some(text) => word += &text,
                    None => is_static = false,
                },
                Some('`') => self.escape(&mut word),
                Some('$') => is_static &= self.dollar(&mut word)?,
                Some(letter) => {
                    self.bump();
                    word.push(letter);
                }
                None => break,
            }
        }
        Ok(is_static.then_some(word))
    }

    /// Whether `>`, `2>` or `*>` is here.
    pub fn is_at_redirection(&self) -> bool {
        let rest = self.rest();
        rest.strip_prefix(['1', '2', '3', '4', '5', '6', '*']).unwrap_or(rest).starts_with('>')
    }

    /// Skips a redirection; whether it is of the output.
    pub fn redirection(&mut self) -> Parse<bool> {
        let stream = self.peek();
        self.take_while(|letter| letter != '>');
        self.take_while(|letter| letter == '>');
        if self.eat("&") {
            self.take_while(|letter| letter.is_ascii_digit());
            return Ok(false);
        }
        self.skip_space()?;
        self.argument_value()?;
        Ok(matches!(stream, Some('>' | '1' | '*')))
    }
}

/// Parameters without a value.
const SWITCHES: [&str; 4] = ["passthru", "force", "noenumerate", "verbose"];

/// The arguments of a command, by parameter (`about_Parameters`).
#[derive(Default)]
pub struct Bound<'c> {
    /// Parameters in lower case, as they are written.
    named: Vec<(String, &'c Expr)>,
    pub positional: Vec<&'c Expr>,
}

impl<'c> Bound<'c> {
    pub fn new(command: &'c Command) -> Self {
        let mut bound = Self::default();
        let mut waiting: Option<String> = None;
        for argument in &command.arguments {
            if let Some(name) = &argument.parameter {
                waiting = Some(name.to_ascii_lowercase()).filter(|name| !SWITCHES.contains(&name.as_str()));
            }
            let Some(value) = &argument.value else { continue };
            match waiting.take() {
                Some(name) => bound.named.push((name, value)),
                None => bound.positional.push(value),
            }
        }
        bound
    }

    /// The value of a parameter, whose name may be shortened.
    pub fn named(&self, name: &str) -> Option<&'c Expr> {
        let found = self.named.iter().find(|(written, _)| !written.is_empty() && name.starts_with(written.as_str()));
        found.map(|(_, value)| *value)
    }
}

/// The last part of the name of a command, in lower case, without its module.
pub fn command_name(command: &Command) -> String {
    let name = command.name.as_deref().unwrap_or_default();
    name.rsplit('\\').next().unwrap_or_default().to_ascii_lowercase()
}
