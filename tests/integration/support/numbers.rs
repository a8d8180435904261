//! Pseudorandom numbers that are the same in each run.

/// `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
pub struct Numbers(u64);

impl Numbers {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below a limit, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % limit as u64).unwrap_or_default()
    }
}
