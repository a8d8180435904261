//! The `wflint` command.

fn main() {}
