#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wflint_fuzz::targets::messages(bytes));
