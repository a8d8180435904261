//! The drawing for paper: as strips that end between shapes, since a browser breaks a page between pictures, but cuts
//! through one that is longer than a page. A strip refers to the elements of the drawing in the same page.

use std::fmt::Write;

/// The least height of a strip, so that there are few, in pixels.
const LEAST: i32 = 200;
/// The least distance between two shapes between which a page may end.
const ROOM: i32 = 6;

/// Where a drawing can be cut, collected as it is written.
#[derive(Default)]
pub struct Paper {
    /// The heights, from and to, of what must stay whole.
    pub solid: Vec<(i32, i32)>,
    /// What the drawing consists of: an id, or a path, with its heights.
    pub parts: Vec<(Part, i32, i32)>,
}

pub enum Part {
    Id(String),
    /// Elements without an id.
    Written(String),
}

impl Paper {
    /// Strips below each other, as wide as the drawing.
    pub fn strips(mut self, (left, width): (i32, i32), (top, bottom): (i32, i32)) -> String {
        let mut strips = String::new();
        let mut from = top;
        for to in self.cuts(top, bottom) {
            let height = to - from;
            let _ = write!(
                strips,
                "<svg class=\"wf\" viewBox=\"{left} {from} {width} {height}\" width=\"{width}\" height=\"{height}\">"
            );
            for (part, _, _) in self.parts.iter().filter(|(_, first, last)| *first < to && *last > from) {
                match part {
                    Part::Id(id) => strips.extend(["<use href=\"#", id, "\"/>"]),
                    Part::Written(elements) => strips.push_str(elements),
                }
            }
            strips.push_str("</svg>\n");
            from = to;
        }
        strips
    }

    /// The ends of the strips.
    fn cuts(&mut self, top: i32, bottom: i32) -> Vec<i32> {
        self.solid.sort_unstable();
        let (mut cuts, mut from, mut end) = (Vec::new(), top, top);
        for (first, last) in &self.solid {
            // Nearer to the shape above: the head of an arrow is at the one below.
            let cut = end + (first - end) / 3;
            if first - end >= ROOM && cut - from >= LEAST {
                cuts.push(cut);
                from = cut;
            }
            end = end.max(*last);
        }
        cuts.push(bottom);
        cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_end_between_shapes() {
        // Two lanes: the third shape stands beside the gap between the first two.
        let solid = vec![(0, 150), (180, 300), (140, 200), (330, 500), (503, 600)];
        let parts = vec![(Part::Id("a".to_owned()), 0, 150), (Part::Id("b".to_owned()), 330, 600)];
        let paper = || Paper { solid: solid.clone(), parts: Vec::new() };
        assert_eq!(paper().cuts(-24, 624), [310, 624]);
        let strips = Paper { parts, ..paper() }.strips((-10, 20), (-24, 624));
        let strips: Vec<&str> = strips.lines().collect();
        assert_eq!(
            strips,
            [
                "<svg class=\"wf\" viewBox=\"-10 -24 20 334\" width=\"20\" height=\"334\"><use href=\"#a\"/></svg>",
                "<svg class=\"wf\" viewBox=\"-10 310 20 314\" width=\"20\" height=\"314\"><use href=\"#b\"/></svg>"
            ]
        );
    }
}
