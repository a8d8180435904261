//! The functions of the prelude's `host`, which it asks for documents.

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::convert::List;
use rquickjs::{Ctx, Function, Object, Result, Value};

use super::tree::{Tree, Unread};
use crate::text::suggest::Suggester;

/// The documents of the service that rules run on.
pub(super) type Trees = Rc<RefCell<Vec<Unread>>>;

/// The number of a value that does not exist.
const NONE: i64 = -1;

/// Asks a document by its index. The prelude asks only those that exist.
fn ask<T: Default>(trees: &Trees, document: u32, question: impl FnOnce(&Tree) -> T) -> T {
    trees.borrow().get(document as usize).and_then(Unread::tree).map(question).unwrap_or_default()
}

fn number(found: Option<usize>) -> i64 {
    found.and_then(|number| i64::try_from(number).ok()).unwrap_or(NONE)
}

pub(super) fn host<'js>(ctx: &Ctx<'js>, trees: &Trees) -> Result<Object<'js>> {
    let host = Object::new(ctx.clone())?;
    let shared = || Rc::clone(trees);
    let trees = shared();
    let parse = move |ctx: Ctx<'js>, document: u32, id: u32| -> Result<Value<'js>> {
        ctx.json_parse(ask(&trees, document, |tree| tree.json(id as usize)))
    };
    host.set("parse", Function::new(ctx.clone(), parse)?)?;
    let trees = shared();
    let is_object = move |document: u32, id: u32| ask(&trees, document, |tree| tree.is_object(id as usize));
    host.set("isObject", Function::new(ctx.clone(), is_object)?)?;
    let trees = shared();
    let activities = move |document: u32, id: u32| number(ask(&trees, document, |tree| tree.activities(id as usize)));
    host.set("activities", Function::new(ctx.clone(), activities)?)?;
    let trees = shared();
    let items = move |document: u32, list: u32| ask(&trees, document, |tree| numbers(tree.items(list as usize)));
    host.set("items", Function::new(ctx.clone(), items)?)?;
    let trees = shared();
    let length = move |document: u32, pointer: String| number(ask(&trees, document, |tree| tree.length(&pointer)));
    host.set("length", Function::new(ctx.clone(), length)?)?;
    let trees = shared();
    let path = move |document: u32, id: u32| {
        let (piece, keys) = ask(&trees, document, |tree| tree.path(id as usize));
        List((number(Some(piece)), keys))
    };
    host.set("path", Function::new(ctx.clone(), path)?)?;
    let trees = shared();
    let child =
        move |document: u32, id: u32, key: String| number(ask(&trees, document, |tree| tree.child(id as usize, &key)));
    host.set("child", Function::new(ctx.clone(), child)?)?;
    let trees = shared();
    let around = move |document: u32, id: u32| ask(&trees, document, |tree| numbers(tree.around(id as usize)));
    host.set("around", Function::new(ctx.clone(), around)?)?;
    let trees = shared();
    let pointer = move |document: u32, id: u32| ask(&trees, document, |tree| tree.pointer(id as usize));
    host.set("pointer", Function::new(ctx.clone(), pointer)?)?;
    let trees = shared();
    let resolve = move |document: u32, pointer: String| number(ask(&trees, document, |tree| tree.resolve(&pointer)));
    host.set("resolve", Function::new(ctx.clone(), resolve)?)?;
    let trees = shared();
    let file = move |document: u32| trees.borrow().get(document as usize).map(|it| it.file.clone()).unwrap_or_default();
    host.set("file", Function::new(ctx.clone(), file)?)?;
    let trees = shared();
    let root = move |document: u32| number(ask(&trees, document, |tree| Some(tree.root())));
    host.set("root", Function::new(ctx.clone(), root)?)?;
    let nearest = |name: String, known: Vec<String>| {
        Suggester::default().nearest(&name, known.iter().map(String::as_str)).map(str::to_owned)
    };
    host.set("nearest", Function::new(ctx.clone(), nearest)?)?;
    host.set("isPromise", Function::new(ctx.clone(), |value: Value<'js>| value.is_promise())?)?;
    Ok(host)
}

fn numbers(found: Vec<usize>) -> Vec<i64> {
    found.into_iter().map(|found| number(Some(found))).collect()
}
