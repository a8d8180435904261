//! Entries, indexed by name, and the links between them: members and managers.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::attribute::Description;
use super::matching::name;
use super::preparation;
use super::{Dn, Entry, Guid};
use crate::common::collections::{HashMap, HashSet, SharedMap};
use crate::text::quote;

/// A set of entries with unique distinguished names.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    entries: Vec<Arc<Entry>>,
    by_dn: SharedMap<Arc<str>, usize>,
    by_guid: SharedMap<Guid, Match>,
    by_account: SharedMap<Arc<str>, Match>,
    by_uid: SharedMap<Arc<str>, Match>,
    back_links: OnceLock<BackLinks>,
}

/// Attributes that Active Directory derives (MS-ADTS §3.1.1.1.6): the names of the entries whose other attribute names
/// this one.
const BACK_LINKS: [(&str, &str); 2] = [("memberof", "member"), ("directreports", "manager")];

/// The values of each attribute of [`BACK_LINKS`], by the key of the entry.
type BackLinks = [HashMap<Arc<str>, Vec<String>>; 2];

/// The index of the entry; `None` if there are several.
type Match = Option<usize>;

/// Why an identity resolves to no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupError {
    /// No entry has this identity.
    NotFound,
    /// Several entries have this GUID or account name.
    Ambiguous,
}

/// Why an entry has no such manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManagerError {
    /// The chain ends before the requested level.
    Ends {
        /// The entry that has no manager.
        dn: String,
        /// How many managers the chain has; 0 if the entry itself has none.
        levels: u32,
    },
    /// The name of a manager is invalid, or not in the directory.
    NotFound {
        /// The entry that names it.
        dn: String,
        /// Its value of `manager`.
        manager: String,
    },
    /// The chain is circular.
    Loop {
        /// The entry that occurs twice.
        dn: String,
    },
}

impl fmt::Display for ManagerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends { dn, levels: 0 } => write!(f, "`{dn}` has no manager"),
            Self::Ends { dn, levels } => {
                write!(f, "`{dn}` has no manager, so the chain ends at level {levels}")
            }
            Self::NotFound { dn, manager } => write!(f, "manager `{manager}` of `{dn}` is not in the directory"),
            Self::Loop { dn } => write!(f, "manager chain of `{dn}` is circular"),
        }
    }
}

impl Directory {
    /// A directory of these entries.
    pub fn new(entries: Vec<Entry>) -> Result<Self, String> {
        let mut directory = Self::default();
        entries.into_iter().try_for_each(|entry| directory.add(entry))?;
        Ok(directory)
    }

    /// Adds an entry after the others.
    pub fn add(&mut self, entry: Entry) -> Result<(), String> {
        let at = self.entries.len();
        if self.by_dn.get(entry.dn().key()).is_some() {
            return Err(format!("duplicate entry {}", quote(entry.dn_text())));
        }
        self.by_dn.insert(entry.dn().shared_key(), at);
        if let Some(guid) = entry.guid() {
            index(&mut self.by_guid, guid, at);
        }
        for (accounts, name) in [(&mut self.by_account, "sAMAccountName"), (&mut self.by_uid, "uid")] {
            for account in entry.values(name).filter_map(preparation::text) {
                index(accounts, preparation::ignoring_case(account).into(), at);
            }
        }
        self.entries.push(Arc::new(entry));
        self.back_links.take();
        Ok(())
    }

    /// All entries, in the order in which they were given.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The entry with this distinguished name (RFC 4514), GUID (with or without braces), or account name:
    /// `sAMAccountName`, otherwise `uid`. Surrounding white space and case do not matter.
    pub fn find(&self, identity: &str) -> Result<&Entry, LookupError> {
        let identity = identity.trim();
        if identity.is_empty() {
            return Err(LookupError::NotFound);
        }
        let by_dn = Dn::parse(identity).and_then(|dn| self.by_dn.get(dn.key()).copied().map(Some));
        let account = preparation::ignoring_case(identity);
        let found = by_dn
            .or_else(|| self.by_guid.get(&Guid::parse(identity)?).copied())
            .or_else(|| self.by_account.get(account.as_str()).copied())
            .or_else(|| self.by_uid.get(account.as_str()).copied());
        let at = found.ok_or(LookupError::NotFound)?.ok_or(LookupError::Ambiguous)?;
        self.entries.get(at).map(Arc::as_ref).ok_or(LookupError::NotFound)
    }

    /// The direct members of a group, from its `member`: each once, in the order of the values. Names that
    /// are not in the directory are skipped. A nested group is itself a member; its members are not.
    pub fn members(&self, group: &Entry) -> Vec<&Entry> {
        let mut seen = HashSet::default();
        let names = group.values("member").filter_map(|name| std::str::from_utf8(name).ok());
        names.filter_map(|name| self.named(name)).filter(|member| seen.insert(member.dn())).collect()
    }

    /// The manager `depth` levels above an entry, from 1 (0 counts as 1); with `last` the one at
    /// the top, at any depth. An entry's manager is the first value of `manager`. `followed` is increased by the levels
    /// that were looked at.
    ///
    /// # Errors
    /// The chain ends early, leaves the directory, or is circular. With `last` it ends early only if the
    /// entry has no manager at all.
    pub fn manager<'d>(
        &'d self,
        entry: &'d Entry,
        depth: u32,
        last: bool,
        followed: &mut usize,
    ) -> Result<&'d Entry, ManagerError> {
        let mut seen = HashSet::default();
        seen.insert(entry.dn());
        let mut current = entry;
        let mut levels = 0;
        while last || levels < depth.max(1) {
            *followed += 1;
            let Some(name) = current.values("manager").find(|name| !name.is_empty()) else {
                if last && levels > 0 {
                    break;
                }
                return Err(ManagerError::Ends { dn: current.dn_text().to_owned(), levels });
            };
            let name = String::from_utf8_lossy(name);
            let Some(manager) = self.named(&name) else {
                return Err(ManagerError::NotFound { dn: current.dn_text().to_owned(), manager: name.into_owned() });
            };
            if !seen.insert(manager.dn()) {
                return Err(ManagerError::Loop { dn: manager.dn_text().to_owned() });
            }
            current = manager;
            levels += 1;
        }
        Ok(current)
    }

    /// The values of an attribute of an entry; those of a derived one that the entry lacks from the other entries.
    pub(super) fn described<'d>(
        &'d self,
        entry: &'d Entry,
        description: &Description,
    ) -> impl Iterator<Item = &'d [u8]> + use<'d> {
        let own: Vec<&[u8]> = entry.described(description).collect();
        let derived = if own.is_empty() { self.derived(entry, &description.attribute) } else { &[] };
        own.into_iter().chain(derived.iter().map(String::as_bytes))
    }

    /// As [`Entry::joined`], with derived values.
    pub fn joined(&self, entry: &Entry, property: &str) -> Option<String> {
        let derived = || {
            let values = self.derived(entry, &Description::parse(property)?.attribute);
            (!values.is_empty()).then(|| values.join(";"))
        };
        entry.joined(property).or_else(derived)
    }

    fn derived(&self, entry: &Entry, attribute: &str) -> &[String] {
        let Some(number) = BACK_LINKS.iter().position(|(derived, _)| *derived == attribute) else { return &[] };
        let links = self.back_links.get_or_init(|| BACK_LINKS.map(|(_, attribute)| self.links(attribute)));
        let links = links.get(number).and_then(|links| links.get(entry.dn().key()));
        links.map_or(&[], Vec::as_slice)
    }

    /// The entries that an attribute names, with the names of those that name them.
    fn links(&self, attribute: &str) -> HashMap<Arc<str>, Vec<String>> {
        let mut links: HashMap<Arc<str>, Vec<String>> = HashMap::default();
        for entry in &self.entries {
            for named in entry.values(attribute).filter_map(|value| name(std::str::from_utf8(value).ok()?)) {
                links.entry(named.shared_key()).or_default().push(entry.dn_text().to_owned());
            }
        }
        links
    }

    /// The keys of the entries from which an attribute of names leads to a name, from entry to entry.
    pub(super) fn reaching(&self, attribute: &Description, wanted: &Dn) -> HashSet<Arc<str>> {
        let mut before: HashMap<Arc<str>, Vec<&Entry>> = HashMap::default();
        for entry in &self.entries {
            for named in self.described(entry, attribute).filter_map(|value| name(std::str::from_utf8(value).ok()?)) {
                before.entry(named.shared_key()).or_default().push(entry);
            }
        }
        let (mut reaching, mut next) = (HashSet::default(), vec![wanted.shared_key()]);
        while let Some(name) = next.pop() {
            for entry in before.get(&name).into_iter().flatten() {
                if reaching.insert(entry.dn().shared_key()) {
                    next.push(entry.dn().shared_key());
                }
            }
        }
        reaching
    }

    fn named(&self, dn: &str) -> Option<&Entry> {
        self.by_dn.get(Dn::parse(dn)?.key()).and_then(|at| self.entries.get(*at)).map(Arc::as_ref)
    }
}

/// Indexes an entry by a key; a second entry makes the key ambiguous.
fn index<K: std::hash::Hash + Eq + Clone>(known: &mut SharedMap<K, Match>, key: K, at: usize) {
    let is_other = known.get(&key).is_some_and(|first| *first != Some(at));
    known.insert(key, (!is_other).then_some(at));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ldap::ldif;

    const GUID: &str = "00112233-4455-6677-8899-aabbccddeeff";

    fn directory(ldif: &str) -> Directory {
        Directory::new(ldif::parse(ldif).unwrap()).unwrap()
    }

    fn sample() -> Directory {
        directory(
            "dn: CN=Anna Berg,DC=x\nsAMAccountName: ABerg\nobjectGUID:: MyIRAFVEd2aImaq7zN3u/w==\n\
             manager: cn=bo,dc=x\n\n\
             dn: CN=Bo,DC=x\nuid: bo\nsAMAccountName: twice\nmanager: CN=Cia,DC=x\n\n\
             dn: CN=Cia,DC=x\nuid: ABerg\nsAMAccountName: Twice\nentryUUID: {00000000-0000-0000-0000-00000000000A}\n\n\
             dn: CN=Loop,DC=x\nmanager: CN=Round,DC=x\n\n\
             dn: CN=Round,DC=x\nmanager: CN=Loop,DC=x\n\n\
             dn: CN=Lost,DC=x\nmanager: CN=Gone,DC=x\n\n\
             dn: CN=Team,DC=x\nmember: CN=Inner,DC=x\nmember: cn=bo, dc=x\nmember: CN=Gone,DC=x\nmember: CN=Bo,DC=x\n\n\
             dn: CN=Inner,DC=x\nmember: CN=Anna Berg,DC=x\n",
        )
    }

    fn found<'d>(directory: &'d Directory, identity: &str) -> Result<&'d str, LookupError> {
        directory.find(identity).map(Entry::dn_text)
    }

    #[test]
    fn identity_is_a_name_a_guid_or_an_account() {
        let directory = sample();
        for identity in [" cn=anna berg, dc=X ", GUID, &format!("{{{}}}", GUID.to_uppercase()), "aberg"] {
            assert_eq!(found(&directory, identity), Ok("CN=Anna Berg,DC=x"), "{identity}");
        }
        assert_eq!(found(&directory, "BO"), Ok("CN=Bo,DC=x"));
        assert_eq!(found(&directory, "00000000-0000-0000-0000-00000000000a"), Ok("CN=Cia,DC=x"));
        assert_eq!(found(&directory, "twice"), Err(LookupError::Ambiguous));
        for unknown in ["", "nobody", "CN=Nobody,DC=x", "10112233-4455-6677-8899-aabbccddeeff"] {
            assert_eq!(found(&directory, unknown), Err(LookupError::NotFound), "{unknown}");
        }
    }

    #[test]
    fn duplicate_names_are_an_error() {
        let entries = ["CN=a,DC=x", "cn=A, dc=x"].map(|dn| Entry::new(dn, vec![]).unwrap());
        let error = Directory::new(entries.to_vec()).unwrap_err();
        assert_eq!(error, "duplicate entry `cn=A, dc=x`");
    }

    #[test]
    fn members_are_known_ones_each_once_and_groups_stay_groups() {
        let directory = sample();
        let team = directory.find("CN=Team,DC=x").unwrap();
        let names: Vec<&str> = directory.members(team).into_iter().map(Entry::dn_text).collect();
        assert_eq!(names, ["CN=Inner,DC=x", "CN=Bo,DC=x"]);
    }

    #[test]
    fn managers_are_followed_level_by_level() {
        let directory = sample();
        let manager = |name: &str, depth, last| {
            let entry = directory.find(&format!("CN={name},DC=x")).unwrap();
            directory.manager(entry, depth, last, &mut 0).map(Entry::dn_text).map_err(|error| error.to_string())
        };
        assert_eq!(manager("Anna Berg", 1, false), Ok("CN=Bo,DC=x"));
        assert_eq!(manager("Anna Berg", 2, false), Ok("CN=Cia,DC=x"));
        assert_eq!(manager("Anna Berg", 1, true), Ok("CN=Cia,DC=x"));
        let end = "`CN=Cia,DC=x` has no manager, so the chain ends at level 2";
        assert_eq!(manager("Anna Berg", u32::MAX, false), Err(end.to_owned()));
        assert_eq!(manager("Cia", 1, true), Err("`CN=Cia,DC=x` has no manager".to_owned()));
        let gone = "manager `CN=Gone,DC=x` of `CN=Lost,DC=x` is not in the directory";
        assert_eq!(manager("Lost", 1, false), Err(gone.to_owned()));
        let back = "manager chain of `CN=Loop,DC=x` is circular";
        assert_eq!(manager("Loop", 1, false), Ok("CN=Round,DC=x"));
        assert_eq!(manager("Loop", 2, false), Err(back.to_owned()));
        assert_eq!(manager("Loop", 0, true), Err(back.to_owned()));
    }
}
