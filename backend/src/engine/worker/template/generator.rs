//! Filters that give what Python calls a generator: it can be looped over, and has neither length nor JSON.

use std::borrow::Cow;
use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr, Rest, ValueOrKwargs};
use minijinja::{Environment, Error, State, Value, filters};

/// The values of a generator.
#[derive(Debug)]
struct Generator(Vec<Value>);

impl Object for Generator {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Iterable
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let generator = Arc::clone(self);
        let mut next = 0;
        // An iterator that does not know its length.
        Enumerator::Iter(Box::new(std::iter::from_fn(move || {
            next += 1;
            generator.0.get(next - 1).cloned()
        })))
    }
}

/// Whether a value is one.
pub(super) fn is_generator(value: &Value) -> bool {
    value.downcast_object_ref::<Generator>().is_some()
}

type Name<'a> = Cow<'a, str>;
type Arguments = Rest<ValueOrKwargs>;

pub(super) fn add_filters(environment: &mut Environment<'_>) {
    environment.add_filter("map", |state: &mut State, values: Value, arguments: Arguments| {
        generate(filters::map(state, values, arguments))
    });
    environment.add_filter(
        "select",
        |state: &mut State, values: Value, test: Option<Name<'_>>, arguments: Arguments| {
            generate(filters::select(state, values, test, arguments))
        },
    );
    environment.add_filter(
        "reject",
        |state: &mut State, values: Value, test: Option<Name<'_>>, arguments: Arguments| {
            generate(filters::reject(state, values, test, arguments))
        },
    );
    environment.add_filter(
        "selectattr",
        |state: &mut State, values: Value, name: Name<'_>, test: Option<Name<'_>>, arguments: Arguments| {
            generate(filters::selectattr(state, values, name, test, arguments))
        },
    );
    environment.add_filter(
        "rejectattr",
        |state: &mut State, values: Value, name: Name<'_>, test: Option<Name<'_>>, arguments: Arguments| {
            generate(filters::rejectattr(state, values, name, test, arguments))
        },
    );
}

fn generate(values: Result<Vec<Value>, Error>) -> Result<Value, Error> {
    Ok(Value::from_object(Generator(values?)))
}
