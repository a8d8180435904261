#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wflint_fuzz::targets::power_shell(bytes));
