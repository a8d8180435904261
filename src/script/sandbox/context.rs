//! The context of an engine: what scripts find there.

use rquickjs::context::intrinsic;
use rquickjs::{Context, Runtime};

/// The built-in objects of ECMAScript, and nothing that browsers or servers add. A tuple, because
/// rquickjs composes sets of intrinsics so.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
);

pub(super) fn new_context(runtime: &Runtime) -> Option<Context> {
    Context::custom::<Intrinsics>(runtime).ok()
}
