//! Compiles the one file of C++: what llama.cpp says only to C++.
#![allow(clippy::print_stdout, reason = "a build script speaks to cargo this way")]

fn main() {
    let source = "src/engine/worker/memory_breakdown.cpp";
    println!("cargo:rerun-if-changed={source}");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file(source)
        .compile("hearth_memory_breakdown");
}
