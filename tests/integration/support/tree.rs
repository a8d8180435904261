//! JSON that keeps the order of keys, and can hold duplicates.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Clone, PartialEq)]
pub enum Tree {
    /// null, true, false, or a number as written.
    Plain(String),
    Text(String),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// How a tree is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The end of a line; `None` writes everything on one line.
    pub line_end: Option<&'static str>,
    /// Whether the text begins with a byte-order mark.
    pub mark: bool,
}

impl Layout {
    /// On one line, without a byte-order mark.
    pub const PLAIN: Self = Self { line_end: None, mark: false };
}

impl Tree {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn plain(text: impl fmt::Display) -> Self {
        Self::Plain(text.to_string())
    }

    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// The tree of a JSON text.
    pub fn parse(json: &str) -> Self {
        serde_json::from_str(json).unwrap()
    }

    /// The number of keys and elements at any depth.
    pub fn slots(&self) -> usize {
        let below = |value: &Self| 1 + value.slots();
        match self {
            Self::Plain(_) | Self::Text(_) => 0,
            Self::List(items) => items.iter().map(below).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| below(value)).sum(),
        }
    }

    /// The array or object that holds the n-th of [`Tree::slots`], and the index in it.
    pub fn slot(&mut self, number: usize) -> Option<(&mut Self, usize)> {
        let mut left = number;
        let below: Vec<usize> = match self {
            Self::Plain(_) | Self::Text(_) => return None,
            Self::List(items) => items.iter().map(Self::slots).collect(),
            Self::Object(members) => members.iter().map(|(_, value)| value.slots()).collect(),
        };
        for (index, inside) in below.into_iter().enumerate() {
            if left == 0 {
                return Some((self, index));
            }
            left -= 1;
            if left < inside {
                return self.child(index)?.slot(left);
            }
            left -= inside;
        }
        None
    }

    /// The value of a key or element.
    pub fn child(&mut self, index: usize) -> Option<&mut Self> {
        match self {
            Self::Plain(_) | Self::Text(_) => None,
            Self::List(items) => items.get_mut(index),
            Self::Object(members) => members.get_mut(index).map(|(_, value)| value),
        }
    }

    /// The JSON text.
    pub fn write(&self, layout: Layout) -> String {
        let mut out = String::from(if layout.mark { "\u{feff}" } else { "" });
        self.write_to(&mut out, layout.line_end, 0);
        out
    }

    fn write_to(&self, out: &mut String, line_end: Option<&str>, depth: usize) {
        let break_line = |out: &mut String, depth: usize| {
            if let Some(line_end) = line_end {
                out.push_str(line_end);
                out.push_str(&"  ".repeat(depth));
            }
        };
        match self {
            Self::Plain(text) => out.push_str(text),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    break_line(out, depth + 1);
                    item.write_to(out, line_end, depth + 1);
                }
                break_line(out, depth);
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    break_line(out, depth + 1);
                    out.push_str(&quoted(key));
                    out.push_str(": ");
                    value.write_to(out, line_end, depth + 1);
                }
                break_line(out, depth);
                out.push('}');
            }
        }
    }
}

/// Shows a failing case as JSON.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(Layout::PLAIN))
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::plain("null"))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::plain(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::plain(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::plain(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::plain(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Tree::Object(members))
    }
}
