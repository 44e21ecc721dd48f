// OpenAI's own client for Node.js against a running server: `node openai_client.mjs ADDRESS MODEL`.

import assert from "node:assert/strict";
import OpenAI from "openai";

const [address, model] = process.argv.slice(2);
const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: "none", maxRetries: 0 });
const question = "What is the capital of Germany?";
const messages = [{ role: "user", content: question }];
const parameters = {
  type: "object",
  properties: { city: { type: "string", enum: ["Berlin", "Rome"] } },
  required: ["city"],
  additionalProperties: false,
};

const tests = {
  async chat() {
    const answer = await client.chat.completions.create({ model, messages, temperature: 0, max_tokens: 20 });
    assert.match(answer.choices[0].message.content, /Berlin/);
  },

  async chatStream() {
    const stream = client.chat.completions.stream({ model, messages, temperature: 0, max_tokens: 20 });
    let text = "";
    stream.on("content", (delta) => (text += delta));
    assert.equal(await stream.finalContent(), text);
    assert.match(text, /Berlin/);
  },

  async chatTools() {
    const stream = client.chat.completions.stream({
      model,
      messages: [{ role: "user", content: "What is the weather in Rome?" }],
      tools: [{ type: "function", function: { name: "weather", parameters, strict: true } }],
      tool_choice: "required",
      temperature: 0,
      max_tokens: 200,
    });
    const call = (await stream.finalMessage()).tool_calls[0].function;
    assert.equal(call.name, "weather");
    assert.match(JSON.parse(call.arguments).city, /^(Berlin|Rome)$/);
  },

  async embeddings() {
    const { data } = await client.embeddings.create({ model, input: ["a cat", "a dog"] });
    assert.deepEqual(data.map((vector) => vector.index), [0, 1]);
    assert.equal(typeof data[0].embedding[0], "number");
  },

  async responsesStream() {
    const stream = client.responses.stream({ model, input: question, temperature: 0, max_output_tokens: 40 });
    const names = [];
    for await (const event of stream) {
      assert.equal(event.sequence_number, names.length);
      names.push(event.type.replace("response.", ""));
    }
    const begin = ["created", "in_progress", "output_item.added", "content_part.added"];
    const end = ["output_text.done", "content_part.done", "output_item.done", "completed"];
    assert.deepEqual(names.slice(0, 4), begin);
    assert.deepEqual(names.slice(-4), end);
    assert.match((await stream.finalResponse()).output_text, /Berlin/);
  },

  async responsesTools() {
    const stream = client.responses.stream({
      model,
      input: "What is the weather in Rome?",
      tools: [{ type: "function", name: "weather", parameters, strict: true }],
      tool_choice: "required",
      temperature: 0,
      max_output_tokens: 200,
    });
    const call = (await stream.finalResponse()).output[0];
    assert.equal(call.type, "function_call");
    assert.match(JSON.parse(call.arguments).city, /^(Berlin|Rome)$/);
  },
};

for (const [name, test] of Object.entries(tests)) {
  await test();
  console.log(`openai-node ${name}: ok`);
}
