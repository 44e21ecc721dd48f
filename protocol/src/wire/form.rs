//! What goes over the wire, as JSON.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::server::{ApiKey, NewApiKey};
use crate::{Error, Result, Secret};

/// What can go over the wire: all that is written and read as JSON anyway, and secrets, which show themselves nowhere
/// else.
pub(crate) trait Wire: Sized + Send + 'static {
    fn to_wire(&self) -> serde_json::Result<Value>;
    fn from_wire(value: Value) -> serde_json::Result<Self>;
}

impl<T: Serialize + DeserializeOwned + Send + 'static> Wire for T {
    fn to_wire(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }
    fn from_wire(value: Value) -> serde_json::Result<Self> {
        serde_json::from_value(value)
    }
}

impl Wire for Secret {
    fn to_wire(&self) -> serde_json::Result<Value> {
        Ok(Value::String(self.expose().to_owned()))
    }
    fn from_wire(value: Value) -> serde_json::Result<Self> {
        String::deserialize(value).map(|text| Self::new(&text))
    }
}

impl Wire for NewApiKey {
    fn to_wire(&self) -> serde_json::Result<Value> {
        serde_json::to_value((&self.key, self.secret.expose()))
    }
    fn from_wire(value: Value) -> serde_json::Result<Self> {
        let (key, secret): (ApiKey, String) = serde_json::from_value(value)?;
        Ok(Self {
            key,
            secret: Secret::new(&secret),
        })
    }
}

/// A command's fields.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Fields {
    values: Map<String, Value>,
    /// The first field that cannot be told.
    #[serde(skip)]
    problem: Option<Error>,
}

impl Fields {
    /// The same with one more.
    pub(crate) fn with(mut self, name: &str, value: &impl Wire) -> Self {
        match value.to_wire() {
            Ok(value) => drop(self.values.insert(name.to_owned(), value)),
            // A path that is no Unicode.
            Err(error) => {
                let problem =
                    Error::invalid(name, format!("cannot be told to the Hearth that runs: {error}"));
                self.problem.get_or_insert(problem);
            }
        }
        self
    }

    /// All of them, where all can be told.
    pub(crate) fn whole(self) -> Result<Self> {
        match self.problem {
            None => Ok(self),
            Some(problem) => Err(problem),
        }
    }

    /// Takes one out. One that is missing is none, as JSON has it.
    pub(crate) fn take<T: Wire>(&mut self, command: &str, name: &str) -> Result<T> {
        let value = self.values.remove(name).unwrap_or_default();
        T::from_wire(value).map_err(|error| {
            Error::invalid(
                command,
                format!("has a field {name} that the Hearth which runs cannot read: {error}"),
            )
        })
    }
}
