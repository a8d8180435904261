//! Statements: assignments, pipelines, and those with blocks (`about_Language_Keywords`).

use super::cursor::{Parse, Parser, is_dash, is_name};
use super::{Branch, Element, ElementKind, Enum, Expr, ExprKind, Statement, StatementKind};

const ASSIGNMENTS: [&str; 7] = ["??=", "+=", "-=", "*=", "/=", "%=", "="];

impl Parser<'_> {
    /// Statements up to a closing bracket, which is left, or the end.
    pub fn statements(&mut self, closing: Option<char>) -> Parse<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            self.skip_separators()?;
            match self.peek() {
                None => break,
                next if next == closing => break,
                Some(bracket @ ('}' | ')' | ']')) => return self.error(format!("unexpected `{bracket}`")),
                Some(_) => {}
            }
            let statement = self.statement()?;
            self.end_statement(&statement)?;
            statements.push(statement);
        }
        // Most lists are short, and a vector that grows begins with room for four.
        statements.shrink_to_fit();
        Ok(statements)
    }

    /// Two statements on one line need a `;` between them, unless the first ends with a brace.
    pub fn end_statement(&mut self, statement: &Statement) -> Parse<()> {
        self.skip_space()?;
        let ends_with_brace = !matches!(
            statement.kind,
            StatementKind::Pipeline(_) | StatementKind::Return(_) | StatementKind::Assign { .. }
        );
        match self.peek() {
            None | Some('\n' | '\r' | ';' | '}' | ')') => Ok(()),
            Some(_) if ends_with_brace => Ok(()),
            Some(found) => self.error(format!("unexpected `{found}`, expected the end of the statement")),
        }
    }

    pub fn statement(&mut self) -> Parse<Statement> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parse<Statement> {
        let at = self.at;
        if self.is_at(":") {
            self.bump();
            self.take_while(is_name);
            self.skip_lines()?;
        }
        let start = self.at;
        if let Some(kind) = self.attributed_definition()? {
            return Ok(Statement { at, kind });
        }
        let keyword = self.keyword();
        if let Some(kind) = self.compound(&keyword, at)? {
            return Ok(Statement { at, kind });
        }
        self.at = start;
        let kind = self.pipeline_or_assignment()?;
        Ok(Statement { at, kind })
    }

    /// The word that begins here, in lower case, if it can be one of the language.
    pub fn keyword(&mut self) -> String {
        let start = self.at;
        let word = self.take_while(is_name).to_ascii_lowercase();
        let is_whole = match self.peek() {
            None => true,
            Some(next) => next.is_whitespace() || "({});,#`[$\"'@|&".contains(next),
        };
        if is_whole && self.at > start { word } else { String::new() }
    }

    /// Skips a word of the language if it is the next one.
    pub fn eat_keyword(&mut self, wanted: &str) -> bool {
        let start = self.at;
        let is_there = self.keyword() == wanted;
        if !is_there {
            self.at = start;
        }
        is_there
    }

    fn pipeline_or_assignment(&mut self) -> Parse<StatementKind> {
        let mut elements = Vec::new();
        loop {
            let at = self.at;
            if elements.is_empty() && self.is_at_expression() {
                let expr = self.expression()?;
                self.skip_space()?;
                // `$i ++`
                if self.eat("++") || self.eat("--") {
                    self.skip_space()?;
                }
                if let Some(operator) = ASSIGNMENTS.iter().find(|operator| self.is_at(operator)) {
                    self.at += operator.len();
                    self.skip_lines()?;
                    let value = Box::new(self.statement()?);
                    return Ok(StatementKind::Assign { target: expr, is_added: *operator == "+=", value });
                }
                let mut is_redirected = false;
                while self.is_at_redirection() {
                    is_redirected |= self.redirection()?;
                    self.skip_space()?;
                }
                elements.push(Element { at, kind: ElementKind::Expr(expr), is_redirected });
            } else {
                let (command, is_redirected) = self.command()?;
                elements.push(Element { at, kind: ElementKind::Command(command), is_redirected });
            }
            self.skip_space()?;
            let end = self.at;
            // A line may begin with `|`.
            self.skip_lines()?;
            if self.eat("||") || self.eat("&&") {
                // In a chain of pipelines, the last one counts.
                elements.clear();
            } else if !self.eat("|") {
                self.at = end;
                // A job in the background.
                self.eat("&");
                return Ok(StatementKind::Pipeline(elements));
            }
            self.skip_lines()?;
        }
    }

    /// Whether an expression begins here, not a command.
    fn is_at_expression(&mut self) -> bool {
        match self.peek() {
            Some('+' | '!' | ',') => true,
            Some(dash) if is_dash(dash) => true,
            Some(letter) if letter.is_ascii_digit() || letter == '.' => {
                let start = self.at;
                let is_number = self.number().is_some() && !matches!(self.peek(), Some('\\' | '/' | ':'));
                self.at = start;
                is_number
            }
            _ => self.is_at_value(),
        }
    }

    /// The statement that a word begins, which was read; `None` if it is none of the language.
    fn compound(&mut self, keyword: &str, at: usize) -> Parse<Option<StatementKind>> {
        let statement = match keyword {
            "if" | "try" | "while" | "for" | "foreach" | "do" => self.blocks(keyword)?,
            "dynamicparam" if self.is_next("{")? => self.blocks(keyword).map(|_| StatementKind::DynamicParam)?,
            "begin" | "process" | "end" | "clean" if self.is_next("{")? => self.blocks(keyword)?,
            "switch" => self.switch_statement()?,
            "function" | "filter" => self.function(at)?,
            "return" | "throw" | "exit" => {
                self.skip_space()?;
                let has_value = !matches!(self.peek(), None | Some('\n' | '\r' | ';' | '}' | ')'));
                let value = if has_value { Some(Box::new(self.statement()?)) } else { None };
                StatementKind::Return(value.filter(|_| keyword == "return"))
            }
            "class" => self.definition()?,
            "enum" => StatementKind::Enum(self.enumeration(false)?),
            "break" | "continue" | "using" => {
                self.take_while(|letter| !matches!(letter, '\n' | '\r' | ';' | '}' | ')' | '#'));
                StatementKind::Other
            }
            _ => return Ok(None),
        };
        Ok(Some(statement))
    }

    /// `if (…) { … } else { … }` and the like: conditions, blocks, and the words that continue a statement.
    fn blocks(&mut self, keyword: &str) -> Parse<StatementKind> {
        let (mut conditions, mut blocks) = (Vec::new(), Vec::new());
        let mut word = keyword.to_owned();
        loop {
            self.skip_lines()?;
            match word.as_str() {
                "if" | "elseif" | "while" | "until" | "for" => conditions.extend(self.condition()?),
                "foreach" => conditions.push(self.items()?),
                "catch" => self.catch_types()?,
                _ => {}
            }
            if keyword != "do" || word == "do" {
                blocks.push(self.branch(matches!(&*word, "try" | "finally" | "begin" | "process" | "end"))?);
            }
            let end = self.at;
            self.skip_lines()?;
            word = self.keyword();
            let is_continued = match keyword {
                "if" => matches!(&*word, "elseif" | "else"),
                "try" => matches!(&*word, "catch" | "finally"),
                "do" => matches!(&*word, "while" | "until"),
                _ => false,
            };
            if !is_continued {
                self.at = end;
                return Ok(StatementKind::Blocks { conditions, blocks });
            }
        }
    }

    /// `{ statements }`.
    fn branch(&mut self, is_certain: bool) -> Parse<Branch> {
        self.skip_lines()?;
        let body = self.enclosed(["{", "}"], |parser| parser.statements(Some('}')))?;
        Ok(Branch { body, is_certain })
    }

    /// `( statements )`.
    fn condition(&mut self) -> Parse<Vec<Statement>> {
        self.enclosed(["(", ")"], |parser| parser.statements(Some(')')))
    }

    /// `($variable in items)`. The items are not known, so the variable is assigned what is.
    fn items(&mut self) -> Parse<Statement> {
        // `foreach -parallel`
        while self.is_at("-") {
            self.word()?;
            self.skip_lines()?;
        }
        self.enclosed(["(", ")"], |parser| {
            let at = parser.at;
            let target = Expr { at, kind: ExprKind::Variable(parser.variable()?) };
            parser.skip_lines()?;
            if !parser.eat_keyword("in") {
                return parser.expected("`in`");
            }
            parser.skip_lines()?;
            let value = Box::new(parser.statement()?);
            Ok(Statement { at, kind: StatementKind::Assign { target, is_added: false, value } })
        })
    }

    /// `[A], [B.C]`
    fn catch_types(&mut self) -> Parse<()> {
        while self.is_at("[") || self.is_at(",") {
            if !self.eat(",") {
                self.skip_balanced()?;
            }
            self.skip_lines()?;
        }
        Ok(())
    }

    fn switch_statement(&mut self) -> Parse<StatementKind> {
        let mut conditions = Vec::new();
        self.skip_lines()?;
        // `-Wildcard` and the like, and the name after `-File`.
        while !matches!(self.peek(), None | Some('(' | '{')) {
            if self.word()?.is_some_and(|word| word.is_empty()) {
                return self.expected("`(`");
            }
            self.skip_lines()?;
        }
        if self.is_at("(") {
            conditions = self.condition()?;
        }
        self.skip_lines()?;
        let blocks = self.enclosed(["{", "}"], |parser| {
            let mut blocks = Vec::new();
            while !matches!(parser.peek(), None | Some('}')) {
                parser.switch_pattern()?;
                blocks.push(parser.branch(false)?);
                parser.skip_separators()?;
            }
            Ok(blocks)
        })?;
        Ok(StatementKind::Blocks { conditions, blocks })
    }

    /// Skips what a block of a `switch` is for.
    fn switch_pattern(&mut self) -> Parse<()> {
        if self.is_at_value() && !self.peek().is_some_and(|letter| letter.is_ascii_digit()) || self.is_at("-") {
            return self.expression().map(drop);
        }
        let start = self.at;
        self.word()?;
        if self.at == start { self.expected("a condition of `switch`") } else { Ok(()) }
    }

    /// `[Flags()] enum …` and the like; `None` for an expression that begins with a type.
    fn attributed_definition(&mut self) -> Parse<Option<StatementKind>> {
        let start = self.at;
        let mut is_flags = false;
        while self.is_at("[") {
            match self.attribute() {
                Ok(attribute) => {
                    let name = attribute.name.to_ascii_lowercase();
                    is_flags |= matches!(name.trim_start_matches("system."), "flags" | "flagsattribute");
                    self.skip_lines()?;
                }
                Err(_) => break,
            }
        }
        let keyword = if self.at > start { self.keyword() } else { String::new() };
        match keyword.as_str() {
            "enum" => self.enumeration(is_flags).map(|it| Some(StatementKind::Enum(it))),
            "class" => self.definition().map(Some),
            _ => {
                self.at = start;
                Ok(None)
            }
        }
    }

    /// The name and members of an `enum`, whose keyword was read.
    fn enumeration(&mut self, is_flags: bool) -> Parse<Enum> {
        self.skip_lines()?;
        let name = self.take_while(is_name).to_owned();
        self.skip_lines()?;
        // The type of its numbers.
        if self.eat(":") {
            self.take_while(|letter| letter != '{');
        }
        if name.is_empty() || !self.is_at("{") {
            return self.expected("the name and the body of a definition");
        }
        let members = self.enclosed(["{", "}"], |parser| {
            let mut members = Vec::new();
            loop {
                parser.skip_separators()?;
                if matches!(parser.peek(), None | Some('}')) {
                    return Ok(members);
                }
                let member = parser.take_while(is_name);
                if member.is_empty() {
                    return parser.expected("a member");
                }
                members.push(member.to_owned());
                parser.skip_space()?;
                if parser.eat("=") {
                    parser.skip_lines()?;
                    parser.expression()?;
                }
            }
        })?;
        Ok(Enum { name, members, is_flags })
    }

    /// Skips a class and the like.
    fn definition(&mut self) -> Parse<StatementKind> {
        self.skip_lines()?;
        let header = self.take_while(|letter| !matches!(letter, '{' | '\n' | '\r' | ';' | '|' | '='));
        self.skip_lines()?;
        if !self.is_at("{") || header.trim().is_empty() {
            return self.expected("the name and the body of a definition");
        }
        self.skip_balanced()?;
        Ok(StatementKind::Other)
    }
}
