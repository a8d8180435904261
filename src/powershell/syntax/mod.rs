//! A reader of PowerShell, for the parts that describe what a function takes and returns.
//!
//! A recursive descent over the text: PowerShell reads a word differently as a command, as an argument and in an
//! expression, so there are no tokens apart from the grammar (`about_Parsing`, `about_Language_Keywords`). What is of
//! no use here, such as the bodies of classes, is skipped by its brackets.

mod ast;
mod balanced;
mod command;
mod compound;
mod cursor;
mod expression;
mod number;
mod parameter;
mod primary;
mod script;
mod statement;
mod strings;

pub use ast::{
    Attribute, Block, Command, Element, ElementKind, Entry, Expr, ExprKind, Function, Parameter, Statement,
    StatementKind, Step,
};
pub use cursor::Comment;
pub use script::{Script, parse, parse_block};
