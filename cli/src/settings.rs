//! `hearth-cli settings`: reads and changes what the settings page of the window does.

use std::io::{self, Write};

use hearth_protocol::settings::Settings;
use hearth_protocol::{Client, Error};
use serde_json::{Map, Value};

use crate::arguments::SettingsArguments;
use crate::exit::{Exit, Failure};
use crate::list::json;
use crate::text::printable;

/// Shows all settings or one, changes one, or takes its default again.
pub(crate) fn settings(client: &Client, arguments: SettingsArguments) -> Result<Exit, Failure> {
    let settings = client.read_settings().wait()?;
    let mut values = serde_json::to_value(&settings).map_err(Error::internal)?;
    let Some(key) = &arguments.key else {
        return show(&values, arguments.json);
    };
    let place = find(&mut values, key)?;
    let new = match (&arguments.value, arguments.reset) {
        (Some(text), _) => read(text, place),
        (None, true) => {
            let mut defaults = serde_json::to_value(Settings::default()).map_err(Error::internal)?;
            find(&mut defaults, key)?.take()
        }
        (None, false) => return show(place, arguments.json),
    };
    *place = new;
    let changed: Settings = serde_json::from_value(values)
        .map_err(|error| Error::invalid(key, format!("cannot be this: {error}")))?;
    let stored = client.write_settings(changed).wait()?;
    let mut values = serde_json::to_value(&stored).map_err(Error::internal)?;
    show(find(&mut values, key)?, arguments.json)
}

/// The value of a key, such as `load.threads`.
///
/// # Errors
/// [`Error::NotFound`] with the keys there are.
fn find<'a>(values: &'a mut Value, key: &str) -> Result<&'a mut Value, Error> {
    let mut value = values;
    for part in key.split('.') {
        let known = match value {
            Value::Object(fields) => fields.keys().cloned().collect(),
            _ => Vec::new(),
        };
        value = value
            .as_object_mut()
            .and_then(|fields| fields.get_mut(part))
            .ok_or_else(|| Error::NotFound {
                what: "setting".into(),
                name: key.into(),
                known,
            })?;
    }
    Ok(value)
}

/// A value as typed: JSON, where it is of the kind that stands there; else a text.
fn read(text: &str, present: &Value) -> Value {
    match serde_json::from_str(text) {
        // A text that looks like a number, such as a tag, stays one where texts stand.
        Ok(Value::Number(_) | Value::Bool(_)) if present.is_string() => Value::String(text.to_owned()),
        Ok(value) => value,
        Err(_) => Value::String(text.to_owned()),
    }
}

fn show(value: &Value, as_json: bool) -> Result<Exit, Failure> {
    if as_json {
        return json(value);
    }
    let mut output = io::stdout().lock();
    match value {
        Value::Object(fields) => {
            for (key, value) in flat(fields, "") {
                writeln!(output, "{key} = {}", printable(&value))?;
            }
        }
        value => writeln!(output, "{}", printable(&words(value)))?,
    }
    Ok(Exit::Done)
}

/// All keys with their values, in order.
fn flat(fields: &Map<String, Value>, above: &str) -> Vec<(String, String)> {
    let lines = fields.iter().flat_map(|(key, value)| match value {
        Value::Object(fields) if !fields.is_empty() => flat(fields, &format!("{above}{key}.")),
        value => vec![(format!("{above}{key}"), words(value))],
    });
    lines.collect()
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_what_stands_there() {
        let text = Value::String("x".into());
        let cases = [
            ("true", Value::Null, Value::Bool(true)),
            ("3", Value::Null, Value::from(3)),
            ("3", text.clone(), Value::String("3".into())),
            ("dark", text.clone(), Value::String("dark".into())),
            ("null", text, Value::Null),
            ("[\"jan\"]", Value::Null, serde_json::json!(["jan"])),
            ("http://hub:1", Value::Null, Value::String("http://hub:1".into())),
        ];
        for (typed, present, expected) in cases {
            assert_eq!(read(typed, &present), expected, "{typed}");
        }
    }

    #[test]
    fn keys_lead_into_groups() {
        let mut values = serde_json::to_value(Settings::default()).expect("JSON");
        assert_eq!(find(&mut values, "load.seed"), Ok(&mut Value::Null));
        assert!(matches!(
            find(&mut values, "load.none"),
            Err(Error::NotFound { known, .. }) if known.iter().any(|key| key == "threads")
        ));
        assert!(find(&mut values, "offline.more").is_err());
    }
}
