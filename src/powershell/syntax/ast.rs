//! The syntax tree. Places are byte offsets. Chains are vectors, so that the tree is only as deep as the brackets in
//! the text.

use std::ops::Range;

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
    /// `if`, `switch` and `trap`: one of the blocks runs.
    Branches {
        conditions: Vec<Statement>,
        blocks: Vec<Vec<Statement>>,
        /// Whether one of the blocks always runs.
        is_complete: bool,
    },
    Try {
        body: Vec<Statement>,
        handlers: Vec<Vec<Statement>>,
        last: Vec<Statement>,
    },
    /// `for`, `foreach`, `while` and `do`.
    Loop {
        parts: Vec<Statement>,
        body: Vec<Statement>,
    },
    /// A block that runs: `begin`, `process` and `end`.
    Block(Vec<Statement>),
    DynamicParam,
    Return(Option<Box<Statement>>),
    /// `throw` and `exit`.
    Exit,
    /// `break`, `continue`, classes, `using` and the like.
    Other,
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
    pub is_private: bool,
}

/// A script block.
#[derive(Debug, Default)]
pub struct Block {
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
    /// A string with variables in it.
    Expandable,
    /// As a decimal number.
    Number(String),
    /// `@{…}`.
    Hash(Vec<Entry>),
    Paren(Box<Statement>),
    /// `@(…)`.
    Array(Vec<Statement>),
    /// `$(…)`.
    Sub(Vec<Statement>),
    ScriptBlock(Box<Block>),
    Type(String),
    Cast(String, Box<Expr>),
    /// `, value`.
    UnaryComma(Box<Expr>),
    Negative(Box<Expr>),
    Unary(Box<Expr>),
    List(Vec<Expr>),
    /// Operands of binary operators.
    Operation {
        operands: Vec<Expr>,
        /// All operators are `+`.
        is_sum: bool,
    },
    Access(Box<Expr>, Vec<Step>),
    /// `@name`.
    Splat,
}

/// A step from a value to a part of it.
#[derive(Debug)]
pub enum Step {
    /// `None` for a computed name.
    Member(Option<String>, usize),
    /// The call of the member before it.
    Call(Vec<Expr>),
    Index(Expr),
    /// `++` or `--`.
    Change,
}

/// A key of a table, and its value.
#[derive(Debug)]
pub struct Entry {
    pub at: usize,
    /// `None` if it is computed.
    pub key: Option<String>,
    pub value: Statement,
}
