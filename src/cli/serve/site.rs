//! Who may ask for the live picture, and what is answered. The address has a token that nobody guesses; another page in
//! the browser, or another name of this machine, gets nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use data_encoding::HEXLOWER;
use form_urlencoded::parse;
use maud::{DOCTYPE, html};
use serde::Serialize;

use super::http::{Request, Response};
use super::live::Live;
use crate::page::Play;
use crate::report::visible;

const SCRIPT: &str = include_str!("../../../frontend/dist/panel.js");
const STYLE: &str = include_str!("../../../frontend/dist/panel.css");

/// How long a browser waits for a change before it asks again.
const CHANGE_PATIENCE: Duration = Duration::from_secs(25);
const JSON: &str = "application/json";

pub(super) struct Site {
    live: Arc<Live>,
    port: u16,
    token: String,
    /// The path that leads to the page once.
    once: Mutex<Option<String>>,
    page: String,
}

impl Site {
    /// # Errors
    /// The system has no random numbers.
    pub fn new(live: Arc<Live>, port: u16, name: &str) -> Result<Self, getrandom::Error> {
        Ok(Self { live, port, token: random()?, once: Mutex::new(Some(random()?)), page: page(name) })
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// An address that leads to the page once: other users of this machine see the arguments of programs.
    pub fn address_for_browser(&self) -> String {
        let once = self.once.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
        format!("http://127.0.0.1:{}/{once}", self.port)
    }

    pub fn answer(&self, request: &Request) -> Response {
        if !self.is_own(request) {
            return Response::text(403, "Forbidden");
        }
        if !["GET", "HEAD"].contains(&request.method.as_str()) {
            return Response::text(405, "Method Not Allowed");
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (token, inside) = path.split_once('/').map_or((path, None), |(token, inside)| (token, Some(inside)));
        match inside {
            None if self.is_once(token) => Response { location: Some(self.address()), ..Response::text(303, "") },
            Some(inside) if is_equal(token, &self.token) => self.answer_inside(inside, &request.query),
            _ => Response::text(404, "Not Found"),
        }
    }

    /// Whether a request is for this server by name, and from its own page or from none.
    fn is_own(&self, request: &Request) -> bool {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        request.host.as_ref().is_some_and(|host| {
            let is_same = |origin: &String| origin.strip_prefix("http://") == Some(host);
            hosts.contains(host) && request.origin.as_ref().is_none_or(is_same)
        })
    }

    /// Whether a path is the one that leads to the page once. Then it was.
    fn is_once(&self, path: &str) -> bool {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take_if(|once| is_equal(path, once)).is_some()
    }

    fn answer_inside(&self, inside: &str, query: &str) -> Response {
        let all = |name: &str| -> Vec<String> {
            let pairs = parse(query.as_bytes()).filter(|(key, _)| key == name);
            pairs.map(|(_, value)| value.into_owned()).collect()
        };
        match inside {
            "" => Response::new("text/html; charset=utf-8", self.page.as_str()),
            "panel.js" => Response::new("text/javascript; charset=utf-8", SCRIPT),
            "panel.css" => Response::new("text/css; charset=utf-8", STYLE),
            "drawing" => json_or_reason(self.live.answer(&all("collapsed"))),
            "changes" => match all("after").first().and_then(|after| after.parse().ok()) {
                Some(known) => self.changes(known),
                None => Response::text(400, "expected a number in `after`"),
            },
            "plays" => json_or_reason(self.live.plays().map(|plays| plays.list())),
            "run" => match (all("scenario").as_slice(), all("end").as_slice()) {
                ([scenario], []) => self.run(&Play::Scenario(scenario.clone())),
                ([], [end]) => self.run(&Play::End(end.clone())),
                _ => Response::text(400, "expected either `scenario` or `end`"),
            },
            _ => Response::text(404, "Not Found"),
        }
    }

    fn changes(&self, known: i64) -> Response {
        match self.live.version_after(known, CHANGE_PATIENCE) {
            Some(version) => json(&serde_json::json!({ "version": version })),
            None => Response::text(204, ""),
        }
    }

    fn run(&self, play: &Play) -> Response {
        match self.live.plays().map(|plays| plays.run(play)) {
            Ok(Ok(run)) => json(&run),
            Ok(Err(unknown)) => Response::text(404, &visible(&unknown)),
            Err(reason) => Response::text(422, &visible(&reason)),
        }
    }
}

fn json(value: &impl Serialize) -> Response {
    // Plain data cannot fail.
    Response::new(JSON, serde_json::to_vec(value).unwrap_or_default())
}

fn json_or_reason(result: Result<impl Serialize, String>) -> Response {
    match result {
        Ok(value) => json(&value),
        Err(reason) => Response::text(422, &visible(&reason)),
    }
}

/// The panel fills the page.
fn page(name: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (visible(name)) " – wflint" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="panel.css";
                script src="panel.js" defer {}
            }
            body {
                div #panel data-source="http" {}
                noscript { "The live picture needs JavaScript. `wflint graph --format svg` draws without it." }
            }
        }
    };
    page.into_string()
}

/// 128 bits in letters and digits.
fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(HEXLOWER.encode(&bytes))
}

/// Compares in a time that does not tell how much is equal.
fn is_equal(given: &str, secret: &str) -> bool {
    let differences = given.bytes().zip(secret.bytes()).fold(0, |all, (given, secret)| all | (given ^ secret));
    given.len() == secret.len() && differences == 0
}
