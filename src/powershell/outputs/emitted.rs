//! The kind of the value that a pipeline leaves.

use super::bound::command_name;
use crate::powershell::syntax::{Element, ElementKind, Expr, ExprKind, Step};

/// Commands that leave nothing on the pipeline.
const SILENT: [&str; 12] = [
    "out-null",
    "out-file",
    "out-host",
    "out-default",
    "write-host",
    "write-verbose",
    "write-warning",
    "write-debug",
    "write-information",
    "write-error",
    "write-progress",
    "set-content",
];
pub(super) const WRITERS: [&str; 3] = ["write-output", "write", "echo"];

pub(super) enum Emitted {
    /// Of an expression.
    Value,
    /// By `Write-Output`.
    Written,
    /// Of a command that is called, which may leave anything or nothing.
    Command,
    Nothing,
}

pub(super) fn kind(elements: &[Element]) -> Emitted {
    match elements.last().map(|last| &last.kind) {
        None => Emitted::Nothing,
        Some(ElementKind::Expr(expr)) => expression(expr),
        Some(ElementKind::Command(command)) => {
            let name = command_name(command);
            if WRITERS.contains(&name.as_str()) {
                Emitted::Written
            } else if SILENT.contains(&name.as_str()) {
                Emitted::Nothing
            } else {
                Emitted::Command
            }
        }
    }
}

fn expression(expr: &Expr) -> Emitted {
    match &expr.kind {
        ExprKind::Access(_, steps) => match steps.as_slice() {
            [Step::Member(Some(name), _), Step::Call(_)] if name.eq_ignore_ascii_case("writeobject") => {
                Emitted::Written
            }
            [.., Step::Call(_)] => Emitted::Command,
            [.., Step::Change] => Emitted::Nothing,
            _ => Emitted::Value,
        },
        ExprKind::Cast(name, _) if name.eq_ignore_ascii_case("void") || name.eq_ignore_ascii_case("system.void") => {
            Emitted::Nothing
        }
        // `++$count`
        ExprKind::Unary(operand) if matches!(operand.kind, ExprKind::Variable(_)) => Emitted::Nothing,
        _ => Emitted::Value,
    }
}
