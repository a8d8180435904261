//! Absolute URIs (RFC 3986) and IRIs (RFC 3987).

use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::Iri;

/// An absolute URI with a host.
#[derive(Debug, Clone, Copy)]
pub struct Address<'t>(Iri<&'t str>);

/// Parses an absolute URI. `None` without a host: `localhost:8080/api` has the scheme `localhost`.
pub fn absolute(text: &str) -> Option<Address<'_>> {
    let iri = Iri::parse(text).ok()?;
    let has_host = iri.authority().is_some_and(|authority| !authority.host().is_empty());
    has_host.then_some(Address(iri))
}

/// A path with `/` as a relative reference: every character that has a meaning there, or is not ASCII, is encoded; also
/// `:`, which would end a scheme.
pub fn percent_encoded(path: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    path.bytes().map(encode).collect()
}

impl Address<'_> {
    /// Whether the host is the local machine (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291,
    /// section 2.5.3).
    pub fn is_loopback(&self) -> bool {
        let host = self.0.authority().map_or("", |authority| authority.host());
        let name = host.trim_end_matches('.').to_ascii_lowercase();
        let in_brackets = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        name == "localhost"
            || name.ends_with(".localhost")
            || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            || in_brackets.is_some_and(|host| host.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback()))
    }

    /// Whether a port is written.
    pub fn has_port(&self) -> bool {
        self.0.authority().is_some_and(|authority| authority.port().is_some())
    }

    /// Whether a segment of the path is a version, such as `v2` or `v2.1`.
    pub fn has_version(&self) -> bool {
        self.0.path().as_str().split('/').any(|segment| {
            let number = segment.strip_prefix(['v', 'V']).unwrap_or_default();
            number.starts_with(|first: char| first.is_ascii_digit())
                && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_uri_has_scheme_and_host() {
        for text in ["https://esign.example.com", "HTTP://x/a?b#c", "http://[::1]:8080/api/v2", "https://exämple.com/"]
        {
            assert!(absolute(text).is_some(), "{text}");
        }
        for text in [
            "",
            "esign/api/v2",
            "/api/v2",
            "esign.example.com:443/api",
            "//example.com",
            "https:///api",
            "https://a b",
            "mailto:a@example.com",
        ] {
            assert!(absolute(text).is_none(), "{text}");
        }
    }

    #[test]
    fn path_is_encoded_as_a_relative_reference() {
        assert_eq!(percent_encoded("../sign/order 1.json"), "../sign/order%201.json");
        assert_eq!(percent_encoded("a:b%20?#[é\u{202e}.json"), "a%3Ab%2520%3F%23%5B%C3%A9%E2%80%AE.json");
        assert!(fluent_uri::UriRef::parse(percent_encoded("<stdin>").as_str()).is_ok());
    }

    #[test]
    fn version_is_a_whole_segment() {
        let has_version = |text| absolute(text).unwrap().has_version();
        assert!(
            has_version("https://x/api/v2") && has_version("https://x/v10/") && has_version("https://x/V2.1/cases")
        );
        assert!(
            !has_version("https://x/") && !has_version("https://v2/api") && !has_version("https://x/v/dev2/v2a/v.")
        );
    }

    #[test]
    fn local_hosts_are_recognized() {
        let is_loopback = |host: &str| absolute(&format!("http://{host}/")).unwrap().is_loopback();
        for host in ["localhost:8080", "LocalHost.", "esign.localhost", "127.0.0.1", "127.9.9.9:1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["example.com", "localhost.example.com", "128.0.0.1", "[::2]", "mylocalhost"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
