#!/usr/bin/env python3
"""Stands in for llama-server in its own test suite: turns its arguments into Hearth's settings and serves.

Of Hearth it uses what everyone can: a home folder, `hearth-cli settings`, `hearth-cli keys` and `hearth-cli serve`. What
llama-server can do and Hearth has no setting for is passed over; the tests of it fail, and docs/conformance.md says why.

HEARTH_CLI is the program, HEARTH_CONFORMANCE_MODEL the model, HEARTH_CONFORMANCE_HOMES a folder for homes.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys

CLI = os.environ["HEARTH_CLI"]
MODEL = os.environ["HEARTH_CONFORMANCE_MODEL"]
HOMES = os.environ["HEARTH_CONFORMANCE_HOMES"]

# Arguments without a value.
SWITCHES = {
    "--offline", "--cont-batching", "--embedding", "--reranking", "--metrics", "--kv-unified", "--swa-full", "--slots",
    "--no-slots", "--verbose", "--context-shift", "--no-ui", "--no-models-autoload", "--jinja", "--no-jinja",
    "--no-mmproj", "--no-cache-idle-slots", "--ui-mcp-proxy", "--backend_sampling",
}

# llama-server answers to every name, Hearth to those of its files: here there is one for each name the suite calls.
CALLED = [
    "test", "gpt-3.5-turbo", "gpt-3.5-turbo-instruct", "davinci-002", "gpt-4.1", "llama-2", "codellama70b",
    "text-embedding-3-small",
]

# Built-in templates that are called otherwise here.
TEMPLATES = {"llama3": "llama-3", "deepseek3": "deepseek-r1", "phi4": "phi-4"}

# Tests of what is listed, where one model is expected.
LISTING = ("test_basic.py", "test_sleep.py", "test_router.py")

# A model that is called by its name at the hub: it lies in the hub's cache.
HUB_MODEL = "models--ggml-org--tinygemma3-GGUF/snapshots/main/tinygemma3-Q8_0.gguf"
CALLED_BY_HUB = ("test_router.py", "test_stream.py")


def read_arguments(words):
    """The arguments as (name, value), in order."""
    found = []
    words = iter(words)
    for word in words:
        found.append((word, True if word in SWITCHES else next(words, None)))
    return found


def settings(arguments):
    """Hearth's settings for these arguments."""
    given = dict(arguments)
    slots = int(given.get("--parallel", 4))
    load = {"parallel_slots": slots, "kv_on_cpu": False}
    if "--ctx-size" in given:
        # There each slot has its share of the context, here all share the whole: the share is what one can fill.
        whole = int(given["--ctx-size"])
        load["context_length"] = {"tokens": whole if "--kv-unified" in given else whole // slots}
    if "--batch-size" in given:
        load["batch_size"] = int(given["--batch-size"])
        load["micro_batch_size"] = int(given.get("--ubatch-size", min(512, load["batch_size"])))
    if "--threads" in given:
        load["threads"] = int(given["--threads"])
    for name, field in (("-ctk", "kv_type_k"), ("-ctv", "kv_type_v")):
        if name in given:
            load[field] = given[name]
    if "-fa" in given:
        load["flash_attention"] = given["-fa"]
    if "--chat-template-file" in given:
        with open(given["--chat-template-file"], encoding="utf-8") as file:
            load["chat_template"] = file.read()
    else:
        # Of a model without a template, as the suite's, llama-server writes chats in this form.
        named = given.get("--chat-template", "chatml")
        load["chat_template"] = TEMPLATES.get(named, named)
    if "--reasoning" in given and "{" in load["chat_template"]:
        # Whether a model thinks is said by each request here, else by the template; there it is a switch.
        thinks = "false" if given["--reasoning"] == "off" else "true"
        load["chat_template"] = "{%- set enable_thinking = " + thinks + " -%}" + load["chat_template"]
    lora = [value for name, value in arguments if name == "--lora"]
    if lora:
        load["lora"] = [{"path": os.path.abspath(path), "scale": 1.0} for path in lora]
    sampling = {"temperature": float(given.get("--temp", 0.8))}
    if given.get("--seed") not in (None, "-1"):
        sampling["seed"] = int(given["--seed"])
    if int(given.get("--n-predict", -1)) >= 0:
        sampling["max_tokens"] = int(given["--n-predict"])
    wanted = {"load": load, "sampling": sampling, "offline": True, "memory_guard": "off"}
    if "--sleep-idle-seconds" in given:
        # The least there is.
        wanted["idle_unload_minutes"] = 1
    return wanted


def run(home, *words):
    environment = {**os.environ, "HEARTH_HOME": home, "HOME": home, "HF_HOME": os.path.join(home, "hf")}
    return subprocess.run([CLI, *words], env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout


def prepare(wanted, key):
    """A home with these settings, made once for each of them."""
    name = hashlib.sha256(json.dumps([wanted, key], sort_keys=True).encode()).hexdigest()[:16]
    home = os.path.join(HOMES, name)
    if os.path.exists(os.path.join(home, "ready")):
        return home
    os.makedirs(home, exist_ok=True)
    for field, value in wanted.items():
        run(home, "settings", field, json.dumps(value))
    if key:
        run(home, "keys", "make", "conformance")
        # The suite brings a key of its own, and Hearth makes its keys itself.
        with sqlite3.connect(os.path.join(home, "hearth.db")) as database:
            database.execute("update api_keys set hash = ?", (hashlib.sha256(key.encode()).digest(),))
    open(os.path.join(home, "ready"), "w").close()
    return home


def main():
    arguments = read_arguments(sys.argv[1:])
    given = dict(arguments)
    template = prepare(settings(arguments), given.get("--api-key"))
    home = os.path.join(HOMES, f"port-{given.get('--port', 8080)}")
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(template, home)
    models = os.path.join(home, "models")
    os.makedirs(models, exist_ok=True)
    names = (given.get("--alias") or "stories260K").split(",")
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if any(file in test for file in CALLED_BY_HUB):
        place = os.path.join(home, "hf", "hub", HUB_MODEL)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(MODEL, place)
    if not any(listing in test for listing in LISTING):
        names += [name for name in CALLED if name not in names]
    for name in names:
        shutil.copyfile(MODEL, os.path.join(models, f"{name}.gguf"))
    run(home, "settings", "default_model", f"hearth/{names[0]}.gguf")
    if "--slot-save-path" in given:
        os.symlink(os.path.abspath(given["--slot-save-path"]), os.path.join(home, "slots"))
    command = [CLI, "serve", "--port", str(given.get("--port", 8080))]
    if "--api-key" in given:
        command.append("--require-key")
    for origin in filter(None, (given.get("--cors-origins") or "").split(",")):
        command += ["--cors", origin]
    environment = {**os.environ, "HEARTH_HOME": home, "HOME": home, "HF_HOME": os.path.join(home, "hf")}
    os.execve(CLI, command, environment)


if __name__ == "__main__":
    main()
