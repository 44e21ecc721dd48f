"""Renders every template with every conversation in Jinja2 as transformers sets it up, and records what came out.

    python3 oracle.py FOLDER_OF_TEMPLATES > recorded.txt

needs jinja2 3.1.6. `./x models` brings the templates. A line of the record is a template's name, the beginning of its
sha256, and for each conversation, in their order, the beginning of the sha256 of its text, or a dash where it was
refused.
"""

import copy
import datetime
import hashlib
import json
import pathlib
import sys

import jinja2
import jinja2.ext
import jinja2.sandbox

HERE = pathlib.Path(__file__).parent
NOW = datetime.datetime(2026, 7, 5, 9, 3, 7)
DIGITS = 8


class Generation(jinja2.ext.Extension):
    """The tag that transformers adds: it marks what the assistant wrote and gives its body."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("body"), [], [], body).set_lineno(line)

    def body(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def environment():
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = NOW.strftime
    return made


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def outcome(template, variables):
    try:
        return digest(template.render(**copy.deepcopy(variables)))
    except Exception:
        return "-"


def main(folder):
    conversations = json.loads((HERE / "conversations.json").read_text(encoding="utf-8"))
    for path in sorted(pathlib.Path(folder).glob("*.jinja")):
        source = path.open(encoding="utf-8", newline="").read()
        template = environment().from_string(source)
        outcomes = [outcome(template, variables) for variables in conversations.values()]
        print(path.stem, digest(source), *outcomes)


if __name__ == "__main__":
    main(*sys.argv[1:])
