//! What orders begin with, and what directories answer, when everything that can happen is explored.

mod agreement;
mod directory;
mod ends;
mod generated_services;
mod inputs;
mod settings;
mod taken_away;
