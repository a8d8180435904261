//! Mail addresses.

use email_address::{EmailAddress, Options};

/// Whether a string is one mail address, without a display name and without a domain literal (`a@[127.0.0.1]`).
pub fn is_address(text: &str) -> bool {
    let options = Options::default().without_display_text().without_domain_literal();
    EmailAddress::parse_with_options(text, options).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn only_a_plain_address_is_valid() {
        assert!(is_address("anna@example.com") && is_address("o'hara+x@mail.example.org"));
        for wrong in ["", "anna", "anna@", "anna@@example.com", "Anna <anna@example.com>", "a@[127.0.0.1]"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
