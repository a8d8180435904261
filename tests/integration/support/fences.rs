//! The fences of a page.

/// The fences of a page, each with the words after its backticks. One of more backticks may have others in it.
pub fn fences(page: &str) -> Vec<(&str, String)> {
    let (mut fences, mut open): (Vec<(&str, String)>, Option<&str>) = (Vec::new(), None);
    for line in page.lines() {
        let info = line.trim_start_matches('`');
        let marks = &line[..line.len() - info.len()];
        match open {
            Some(begin) if line == begin => open = None,
            Some(_) => {
                let (_, text) = fences.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
            None if marks.len() >= 3 => {
                open = Some(marks);
                fences.push((info, String::new()));
            }
            None => {}
        }
    }
    fences
}
