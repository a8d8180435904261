//! Very large inputs: what is listed and counted, and memory (SECURITY.md).

mod memory;
mod omitted;
mod repeated;
