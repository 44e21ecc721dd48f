//! The examples of the documentation, which the window shows too, run as they stand there, but for the port.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::process;
use crate::workspace::Workspace;

/// The pages.
const PAGES: [&str; 2] = ["docs/server.md", "docs/examples.md"];

/// Where the examples expect the server.
const ADDRESS: &str = "http://127.0.0.1:1234";

/// An example: its language as the fence names it, and its text.
#[derive(Debug, PartialEq, Eq)]
struct Example<'a> {
    language: &'a str,
    text: &'a str,
}

/// Runs each example against the server at this address, the ones in JavaScript where Node.js is there.
///
/// # Errors
/// Where one fails, or the server refuses what it asks.
pub(super) fn run(
    workspace: &Workspace,
    folder: &Path,
    url: &str,
    python: &Path,
    has_node: bool,
) -> anyhow::Result<()> {
    for page in PAGES {
        let text = fs::read_to_string(workspace.root.join(page))?;
        let examples = examples(&text);
        ensure!(!examples.is_empty(), "{page} has no examples");
        for (number, example) in (1..).zip(examples) {
            let (program, ending) = match example.language {
                "sh" => (Path::new("sh"), "sh"),
                "python" => (python, "py"),
                "js" if has_node => (Path::new("node"), "mjs"),
                "js" => continue,
                other => anyhow::bail!("nothing here runs {other}, as example {number} of {page} is"),
            };
            // Node.js looks for a client beside the script.
            let script = folder.join(format!("example-{number}.{ending}"));
            fs::write(&script, example.text.replace(ADDRESS, url))?;
            let said = said(program, &script).with_context(|| format!("example {number} of {page}"))?;
            check(example.language, &said)
                .with_context(|| format!("example {number} of {page} said {said:?}"))?;
        }
    }
    Ok(())
}

/// What a script says.
fn said(program: &Path, script: &Path) -> anyhow::Result<String> {
    let mut command = Command::new(program);
    command.arg(script);
    let line = process::describe(&command);
    println!("$ {line}");
    let output = command
        .output()
        .with_context(|| format!("{line} does not start"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "it failed: {}{said}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(said.into_owned())
}

/// The blocks of code of a page, in order.
fn examples(page: &str) -> Vec<Example<'_>> {
    // Every second piece stands between fences; its first line is the language.
    let blocks = page.split("```").skip(1).step_by(2);
    let examples = blocks.filter_map(|block| block.split_once('\n'));
    examples
        .map(|(language, text)| Example { language, text })
        .collect()
}

/// Whether what an example said is an answer. Clients fail where it is none; curl ends well with a refusal too.
fn check(language: &str, said: &str) -> anyhow::Result<()> {
    ensure!(!said.trim().is_empty(), "that is nothing");
    if language == "sh" {
        let answer: serde_json::Value = serde_json::from_str(said).context("it is no JSON")?;
        ensure!(answer["error"].is_null(), "it was refused");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_of_this_tree_have_an_example_for_each_client() {
        let each = ["sh", "python", "js"];
        for (page, expected) in [
            (
                include_str!("../../../docs/server.md"),
                ["sh", "python", "js", "python", "sh", "sh"].to_vec(),
            ),
            (include_str!("../../../docs/examples.md"), each.repeat(3)),
        ] {
            let examples = examples(page);
            let languages: Vec<_> = examples.iter().map(|example| example.language).collect();
            assert_eq!(languages, expected);
            assert!(examples.iter().all(|example| example.text.contains(ADDRESS)));
        }
        let page = "a\n\n```sh\nls\n```\nb\n```js\n1;\n```\n";
        let (ls, one) = (
            Example {
                language: "sh",
                text: "ls\n",
            },
            Example {
                language: "js",
                text: "1;\n",
            },
        );
        assert_eq!(examples(page), [ls, one]);
    }

    #[test]
    fn a_refusal_is_no_answer() {
        assert!(check("sh", r#"{"content": "Hi"}"#).is_ok());
        assert!(check("python", "Hi").is_ok());
        assert!(check("python", " \n").is_err());
        for said in ["", " \n", r#"{"error": {"message": "No."}}"#, "Not found"] {
            assert!(check("sh", said).is_err(), "{said}");
        }
    }
}
