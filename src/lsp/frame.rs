//! Frames of the protocol: headers, an empty line, and as many bytes of JSON as a header announces.

use std::io::{self, BufRead, Read, Write};

/// Bytes of a message. A document of 64 MiB fits, however it is escaped.
const MAX_BYTES: u64 = 512 << 20;
/// Bytes of a header's line.
const MAX_HEADER: u64 = 4096;

/// What is read next.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    Message(Vec<u8>),
    /// Bytes that are not a frame. What follows is searched for the next one.
    Malformed(&'static str),
    End,
}

/// Reads a frame. Memory grows with the bytes that arrive, whatever a header announces.
///
/// # Errors
/// When the input cannot be read.
pub fn read(input: &mut impl BufRead) -> io::Result<Frame> {
    let mut length = None;
    let mut has_headers = false;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Frame::End);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            if has_headers {
                break;
            }
            continue;
        }
        has_headers = true;
        match header(line) {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => match value.parse::<u64>() {
                Ok(bytes) if bytes <= MAX_BYTES => length = Some(bytes),
                Ok(_) => return Ok(Frame::Malformed("message exceeds the limit of 512 MiB")),
                Err(_) => return Ok(Frame::Malformed("invalid `Content-Length`")),
            },
            Some(_) => {}
            None => return Ok(Frame::Malformed("invalid header")),
        }
    }
    let Some(length) = length else { return Ok(Frame::Malformed("missing header `Content-Length`")) };
    let mut message = Vec::new();
    input.by_ref().take(length).read_to_end(&mut message)?;
    Ok(if message.len() as u64 == length { Frame::Message(message) } else { Frame::End })
}

/// The name and the value of a header.
fn header(line: &[u8]) -> Option<(&str, &str)> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_token = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_token && !name.is_empty()).then(|| (name, value.trim()))
}

/// # Errors
/// When the output is closed.
pub fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(mut input: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        loop {
            frames.push(read(&mut input).unwrap());
            if frames.last() == Some(&Frame::End) {
                return frames;
            }
        }
    }

    fn message(text: &str) -> Frame {
        Frame::Message(text.as_bytes().to_vec())
    }

    #[test]
    fn frames_follow_each_other() {
        let mut written = Vec::new();
        write(&mut written, b"{}").unwrap();
        write(&mut written, "\"ä\"".as_bytes()).unwrap();
        written.extend(b"content-length:0\r\nContent-Type: x; charset=utf-8\r\n\r\n");
        assert_eq!(frames(&written), [message("{}"), message("\"ä\""), message(""), Frame::End]);
    }

    #[test]
    fn next_frame_is_found_after_what_is_none() {
        for malformed in ["Content-Length: 10737418240\r\n\r\n", "Content-Length: x\r\n\r\n", "{}\r\n", "A: b\r\n\r\n"]
        {
            let found = frames(format!("{malformed}Content-Length: 2\r\n\r\n{{}}").as_bytes());
            assert!(matches!(found.as_slice(), [Frame::Malformed(_), Frame::Message(_), Frame::End]), "{found:?}");
        }
    }

    #[test]
    fn end_inside_a_frame_is_the_end() {
        for cut in ["Content-Length: 3\r\n\r\n{}", "Content-Len", "Content-Length: 536870912\r\n\r\n"] {
            assert_eq!(frames(cut.as_bytes()).last(), Some(&Frame::End), "{cut}");
        }
    }
}
