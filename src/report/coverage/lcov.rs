//! A tracefile, as `man geninfo` of LCOV describes it.

use std::io::{self, Write};

use super::lines::FileCoverage;

pub(super) fn write(files: &[FileCoverage], out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        writeln!(out, "TN:\nSF:{}", file.name)?;
        for (number, line) in &file.lines {
            for (index, block) in line.blocks.iter().enumerate() {
                for (branch, times) in block.branches.iter().enumerate() {
                    let taken = if block.has_begun { times.to_string() } else { "-".to_owned() };
                    writeln!(out, "BRDA:{number},{index},{branch},{taken}")?;
                }
            }
        }
        let (branches, lines) = (file.branch_count(), file.line_count());
        writeln!(out, "BRF:{}\nBRH:{}", branches.all, branches.covered)?;
        for (number, line) in &file.lines {
            writeln!(out, "DA:{number},{}", line.hits)?;
        }
        writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.all, lines.covered)?;
    }
    Ok(())
}
