//! What the laws of a service have to know about runs. What several laws need is tracked once.

use super::before::Order;
use crate::config::{AtMost, CallBounds, LawMail, StatusPatterns};
use crate::simulate::Plan;

/// The tracked items, in the order of the state.
#[derive(Debug, Default)]
pub struct Tracked<'l> {
    pub methods: Vec<TrackedMethod<'l>>,
    pub mails: Vec<&'l LawMail>,
    /// Names of Approvals.
    pub approvals: Vec<&'l str>,
    pub statuses: Vec<&'l StatusPatterns>,
    pub orders: Vec<Order<'l>>,
}

#[derive(Debug)]
pub struct TrackedMethod<'l> {
    pub name: &'l str,
    /// Larger numbers of calls are not distinguished from this one.
    pub enough: u8,
}

impl<'l> Tracked<'l> {
    /// The index of a method.
    pub fn method(&mut self, name: &'l str, bounds: CallBounds) -> usize {
        let enough = if bounds.at_most == Some(AtMost::Once) { 2 } else { 1 };
        if let Some(index) = self.methods.iter().position(|method| method.name == name) {
            if let Some(known) = self.methods.get_mut(index) {
                known.enough = known.enough.max(enough);
            }
            return index;
        }
        self.methods.push(TrackedMethod { name, enough });
        self.methods.len() - 1
    }

    pub fn mail(&mut self, mail: &'l LawMail) -> usize {
        index_of(&mut self.mails, mail)
    }

    pub fn approval(&mut self, name: &'l str) -> usize {
        index_of(&mut self.approvals, name)
    }

    pub fn statuses(&mut self, patterns: &'l StatusPatterns) -> usize {
        index_of(&mut self.statuses, patterns)
    }

    pub fn order(&mut self, first: &'l str, second: &'l str, plan: &Plan<'_>) -> usize {
        let known = self.orders.iter().position(|order| order.first == first && order.second == second);
        known.unwrap_or_else(|| {
            self.orders.push(Order::new(first, second, plan.workflow));
            self.orders.len() - 1
        })
    }
}

fn index_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}
