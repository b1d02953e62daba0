import fc from 'fast-check'

/** Buffered responses of each public format as upstreams write them, with texts of every length, failures and odd counts among them. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', 'Hi', '"usage":{"prompt_tokens":9}', '{"a":', '\ud83d', 'null'),
  fc.integer({ min: 900, max: 3000 }).map((length) => 'Say "é" \\ and\n'.repeat(length / 12)),
)
const count = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, null, -1, 1.5, '7', 1e12) },
)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 })
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const few = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 3 })
const failure = fc.constantFrom<unknown>('', 'no', null, {}, { message: 'no', type: 'server_error', code: 3 })
const details = maybe(
  fc.record({ cached_tokens: count, reasoning_tokens: count, audio_tokens: maybe(count) }),
)
const entries = few(fc.record({ token: text, logprob: fc.double(), top_logprobs: few(count) }))

const chatUsage = fc.record({
  prompt_tokens: count,
  completion_tokens: maybe(count),
  total_tokens: maybe(count),
  prompt_tokens_details: details,
  completion_tokens_details: details,
  num_search_queries: rarely(count),
})
const call = fc.record({
  id: text,
  type: fc.constant('function'),
  function: fc.record({ name: text, arguments: text }),
})
const choice = fc.record({
  index: fc.nat(3),
  message: fc.record({
    role: fc.constant('assistant'),
    content: fc.oneof(text, fc.constant(null), few(fc.record({ type: fc.constant('text'), text }))),
    reasoning_content: maybe(text),
    tool_calls: maybe(few(call)),
    executed_tools: rarely(few(fc.record({ index: fc.nat(2), type: text }))),
  }),
  logprobs: maybe(fc.record({ content: entries })),
  finish_reason: fc.constantFrom('stop', 'length', 'tool_calls', 'error', 'sensitive', null),
  usage: rarely(chatUsage),
})
const chat = fc.record({
  id: text,
  error: rarely(failure),
  base_resp: rarely(fc.record({ status_code: count })),
  choices: few(choice),
  usage: maybe(chatUsage),
  service_tier: maybe(text),
  x_groq: rarely(fc.record({ usage: chatUsage })),
})

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  fc.record({
    type: fc.constant('tool_use'),
    id: text,
    name: text,
    input: fc.dictionary(text, text, { maxKeys: 2 }),
  }),
  fc.record({
    type: fc.constant('server_tool_use'),
    id: text,
    name: fc.constant('web_search'),
    input: fc.constant({}),
  }),
)
const messages = fc.record({
  type: fc.constantFrom('message', 'error'),
  role: fc.constant('assistant'),
  content: few(block),
  stop_reason: fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'refusal', null),
  error: rarely(failure),
  usage: maybe(
    fc.record({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: maybe(count),
      cache_creation_input_tokens: maybe(count),
      server_tool_use: rarely(fc.record({ web_search_requests: count })),
    }),
  ),
})

const item = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constant('assistant'),
    content: few(fc.record({ type: fc.constant('output_text'), text, logprobs: maybe(entries) })),
  }),
  fc.record({
    type: fc.constant('reasoning'),
    summary: few(fc.record({ type: fc.constant('summary_text'), text })),
  }),
  fc.record({ type: fc.constant('function_call'), call_id: text, name: text, arguments: text }),
  fc.record({ type: fc.constantFrom('web_search_call', 'code_interpreter_call'), id: text, status: text }),
)
const responses = fc.record({
  id: text,
  object: fc.constant('response'),
  status: fc.constantFrom('completed', 'incomplete', 'failed'),
  error: rarely(failure),
  output: few(item),
  usage: maybe(
    fc.record({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: details,
      output_tokens_details: details,
    }),
  ),
})

const part = fc.oneof(
  fc.record({ text, thought: maybe(fc.boolean()) }),
  fc.record({ functionCall: fc.record({ name: text, args: fc.dictionary(text, text, { maxKeys: 2 }) }) }),
  fc.record({ inlineData: fc.record({ mimeType: fc.constant('image/png'), data: text }) }),
)
const gemini = fc.record({
  candidates: few(
    fc.record({
      content: fc.record({ role: fc.constant('model'), parts: few(part) }),
      finishReason: fc.constantFrom('STOP', 'MAX_TOKENS', 'SAFETY', 'MALFORMED_FUNCTION_CALL'),
      logprobsResult: maybe(fc.record({ chosenCandidates: entries })),
    }),
  ),
  error: rarely(failure),
  promptFeedback: rarely(fc.record({ blockReason: text })),
  usageMetadata: maybe(
    fc.record({
      promptTokenCount: count,
      candidatesTokenCount: maybe(count),
      thoughtsTokenCount: maybe(count),
      totalTokenCount: maybe(count),
    }),
  ),
})

/** Texts of responses by the format of their callers. */
export const generatedResponses: Readonly<Record<string, fc.Arbitrary<string>>> = Object.fromEntries(
  Object.entries({
    'openai-chat': chat,
    'openai-responses': responses,
    'anthropic-messages': messages,
    gemini,
  } as Record<string, fc.Arbitrary<unknown>>).map(([format, body]) => [
    format,
    fc.tuple(body, fc.constantFrom(0, 1)).map(([value, indent]) => JSON.stringify(value, undefined, indent)),
  ]),
)
