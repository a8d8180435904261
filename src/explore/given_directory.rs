//! `explore.directory`: an LDIF file that answers lookups.

use std::path::PathBuf;

use crate::config::Config;
use crate::files::boundary::Boundary;
use crate::files::read::read_regular;
use crate::files::toml_file::{self, TomlError};
use crate::ldap::{Directory, ldif};
use crate::project::clean_path;

/// The directory that a configuration names, and the path of its file. Errors do not quote lines of the file.
///
/// # Errors
/// A file that cannot be read, with the place that names it; or the first invalid line.
pub fn given_directory(config: &Config, boundary: &Boundary) -> Result<Option<(PathBuf, Directory)>, TomlError> {
    let Some(named) = &config.explore.directory else { return Ok(None) };
    let folder = config.folder_of(named.place);
    let (path, _) = clean_path(&folder.join(&named.value), folder);
    let text = boundary.check(&path, folder).and_then(|()| read_regular(&path));
    let text =
        text.map_err(|error| config.error_at(named.place, &format!("cannot read `{}`: {error}", named.value)))?;
    let name = path.display().to_string();
    let entries =
        ldif::parse(&text).map_err(|error| toml_file::error_at(&name, &text, error.span.start, &error.message))?;
    let directory = Directory::new(entries).map_err(|_| TomlError(format!("{name}: duplicate entry")))?;
    Ok(Some((path, directory)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::FILE_NAME;

    fn read(named: &str, boundary: &Boundary) -> Result<Option<usize>, String> {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        std::fs::create_dir(&own).unwrap();
        let entry = "dn: cn=anna,dc=example,dc=com\nmail: anna@example.com\n\n";
        std::fs::write(own.join("people.ldif"), entry).unwrap();
        std::fs::write(own.join("broken.ldif"), format!("{entry}secret\n")).unwrap();
        std::fs::write(folder.path().join("outside.ldif"), entry).unwrap();
        let path = own.join(FILE_NAME);
        std::fs::write(&path, format!("[explore]\n{named}\n")).unwrap();
        let config = Config::load(&path, boundary).unwrap();
        let found = given_directory(&config, boundary).map_err(|error| error.0);
        let found = found.map_err(|error| error.replace(&format!("{}/", own.display()), ""))?;
        Ok(found.map(|(_, directory)| directory.entries().len()))
    }

    #[test]
    fn directory_is_read_below_the_boundary_alone() {
        let boundary = Boundary::default();
        assert_eq!(read("max-states = 5", &boundary), Ok(None));
        assert_eq!(read("directory = 'people.ldif'", &boundary), Ok(Some(1)));
        let error = read("directory = '../outside.ldif'", &boundary).unwrap_err();
        assert!(error.starts_with("wflint.toml:2:13: cannot read `../outside.ldif`: "), "{error}");
        assert_eq!(read("directory = '../outside.ldif'", &Boundary::lifted()), Ok(Some(1)));
        for missing in ["none.ldif", "."] {
            let error = read(&format!("directory = '{missing}'"), &boundary).unwrap_err();
            assert!(error.starts_with(&format!("wflint.toml:2:13: cannot read `{missing}`: ")), "{error}");
        }
    }

    #[test]
    fn invalid_line_has_its_place_and_is_not_quoted() {
        let error = read("directory = 'broken.ldif'", &Boundary::default()).unwrap_err();
        assert!(error.starts_with("broken.ldif:4:1: ") && !error.contains("secret"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn device_is_refused() {
        let error = read("directory = '/dev/zero'", &Boundary::lifted()).unwrap_err();
        assert!(error.starts_with("wflint.toml:2:13: cannot read `/dev/zero`: "), "{error}");
    }
}
