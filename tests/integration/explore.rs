//! What orders begin with, and how they end, when everything that can happen is explored.

mod agreement;
mod embedded;
mod ends;
mod generated_services;
mod inputs;
mod repairs;
mod settings;
mod taken_away;
mod walker;
