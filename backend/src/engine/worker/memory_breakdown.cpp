// How much memory a context and its model take, per kind of buffer, as a table that C can read.
//
// llama.cpp (b11434) counts it, but gives it as a std::map and to C++ only (src/llama-ext.h, which is not among its
// public headers). What this needs of that header is declared here; the version of llama.cpp is pinned.

#include <cstddef>
#include <map>

struct llama_context;
struct ggml_backend_buffer_type;
typedef struct ggml_backend_buffer_type * ggml_backend_buffer_type_t;

struct llama_memory_breakdown_data {
    size_t model   = 0;
    size_t context = 0;
    size_t compute = 0;
};

using llama_memory_breakdown = std::map<ggml_backend_buffer_type_t, llama_memory_breakdown_data>;

llama_memory_breakdown llama_get_memory_breakdown(const struct llama_context * ctx);

// A row of the table. Its twin is `Row` of memory_breakdown.rs.
struct hearth_memory_row {
    ggml_backend_buffer_type_t buffer_type;
    size_t model;
    size_t context;
    size_t compute;
};

// Fills at most `capacity` rows and gives how many there are; 0 where llama.cpp threw.
extern "C" size_t hearth_memory_breakdown(
        const struct llama_context * ctx, struct hearth_memory_row * rows, size_t capacity) noexcept {
    try {
        size_t count = 0;
        for (const auto & [buffer_type, bytes] : llama_get_memory_breakdown(ctx)) {
            if (count < capacity) {
                rows[count] = { buffer_type, bytes.model, bytes.context, bytes.compute };
            }
            count++;
        }
        return count;
    } catch (...) {
        return 0;
    }
}
