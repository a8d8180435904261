//! A reader of PowerShell, for the parts that describe what a function takes and returns.
//!
//! A recursive descent over the text: PowerShell reads a word differently as a command, as an argument and in an
//! expression, so there are no tokens apart from the grammar (`about_Parsing`, `about_Language_Keywords`). What is of
//! no use here, such as the bodies of classes, is skipped by its brackets. The tree, below, has places in bytes; chains
//! are vectors, so that it is only as deep as the brackets in the text.

mod command;
mod cursor;
mod expression;
mod function;
mod literal;
mod statement;

use std::ops::Range;

pub use command::{Bound, command_name};
pub use cursor::Comment;
pub use function::{Script, parse, parse_block};

#[derive(Debug)]
pub struct Statement {
    pub at: usize,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    Function(Box<Function>),
    Pipeline(Vec<Element>),
    /// `target = value`; with `is_added`, `target += value`.
    Assign {
        target: Expr,
        is_added: bool,
        value: Box<Statement>,
    },
    /// Branches, loops, `try` and `process`, with what is evaluated before the blocks.
    Blocks {
        conditions: Vec<Statement>,
        blocks: Vec<Branch>,
    },
    DynamicParam,
    Enum(Enum),
    /// `return` with its value; also `throw` and `exit`.
    Return(Option<Box<Statement>>),
    /// `break`, `continue`, classes, `using` and the like.
    Other,
}

/// `enum Name { … }`.
#[derive(Debug)]
pub struct Enum {
    pub name: String,
    pub members: Vec<String>,
    /// Values may be several members.
    pub is_flags: bool,
}

/// The statements of a block.
#[derive(Debug)]
pub struct Branch {
    pub body: Vec<Statement>,
    /// It always runs.
    pub is_certain: bool,
}

#[derive(Debug)]
pub struct Function {
    /// Without a scope such as `global:`.
    pub name: String,
    /// From the keyword to the closing brace.
    pub span: Range<usize>,
    /// The span between the braces.
    pub body_span: Range<usize>,
    pub block: Block,
}

/// A script block.
#[derive(Debug, Default)]
pub struct Block {
    /// Those before `param`, such as `[CmdletBinding()]`.
    pub attributes: Vec<Attribute>,
    pub parameters: Vec<Parameter>,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub struct Parameter {
    pub at: usize,
    pub name: String,
    pub attributes: Vec<Attribute>,
    pub default: Option<Expr>,
}

/// An attribute, or a type.
#[derive(Debug)]
pub struct Attribute {
    pub at: usize,
    /// What is between `[` and `(` or `]`, without whitespace.
    pub name: String,
    /// `None` for a type.
    pub arguments: Option<Vec<(Option<String>, Option<Expr>)>>,
}

#[derive(Debug)]
pub struct Element {
    pub at: usize,
    pub kind: ElementKind,
    /// Its output is redirected, to a file or to nothing.
    pub is_redirected: bool,
}

#[derive(Debug)]
pub enum ElementKind {
    Expr(Expr),
    Command(Command),
}

#[derive(Debug)]
pub struct Command {
    /// `None` for one that is computed or a script block.
    pub name: Option<String>,
    pub arguments: Vec<Argument>,
}

#[derive(Debug)]
pub struct Argument {
    /// The name of a parameter, without its dash.
    pub parameter: Option<String>,
    /// The value after the colon of a parameter.
    pub value: Option<Expr>,
}

#[derive(Debug)]
pub struct Expr {
    pub at: usize,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    /// In lower case, without `local:` and `private:`.
    Variable(String),
    /// A string without variables, or a word.
    Text(String),
    /// A string with variables in it, as it is written with its quotes; empty for a word.
    Expandable(String),
    /// `@name`: the entries of a table as arguments. In lower case.
    Splat(String),
    /// As a decimal number.
    Number(String),
    /// `@{…}`.
    Hash(Vec<Entry>),
    Paren(Box<Statement>),
    /// `@(…)` and `$(…)`.
    Statements(Vec<Statement>),
    ScriptBlock(Box<Block>),
    Type(String),
    Cast(String, Box<Expr>),
    Negative(Box<Expr>),
    Unary(Box<Expr>),
    List(Vec<Expr>),
    /// Operands of binary operators.
    Operation {
        operands: Vec<Expr>,
        /// The operator of all of them.
        operator: Option<Operator>,
    },
    Access(Box<Expr>, Vec<Step>),
}

/// A binary operator that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Sum,
    /// `-f`
    Format,
}

/// A step from a value to a part of it.
#[derive(Debug)]
pub enum Step {
    /// A name is a text.
    Member(Expr),
    /// The call of the member before it.
    Call(Vec<Expr>),
    Index(Expr),
    /// `++` or `--`.
    Change,
}

/// A key of a table, and its value.
#[derive(Debug)]
pub struct Entry {
    /// A name is a text.
    pub key: Expr,
    pub value: Statement,
}
