//! The numbers of `Math.random`.

use std::cell::Cell;

/// Numbers from 0 to below 1, by `SplitMix64` (Steele, Lea and Flood, 2014).
pub(super) fn random_numbers(seed: u64) -> impl Fn() -> f64 {
    let state = Cell::new(seed);
    move || {
        state.set(state.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut bits = state.get();
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        #[expect(clippy::cast_precision_loss, reason = "a double holds 53 bits")]
        let number = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        number
    }
}
