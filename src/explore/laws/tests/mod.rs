//! Laws over the runs of small services.

mod accepted;
mod conditions;
mod faults;
mod names;
mod order;
mod service;

use service::{Service, approval, assign, provider, status, terminate};
