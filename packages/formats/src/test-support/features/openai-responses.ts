import { type Feature, pdf, png, schema, url } from './feature.ts'

const responsesTools = [
  { type: 'function', name: 'weather', parameters: schema },
  { type: 'function', name: 'other' },
]

export const responsesFeatures: readonly Feature[] = [
  { name: 'instructions', fields: { instructions: 'be-brief' }, field: 'instructions', mark: 'be-brief' },
  {
    name: 'second turn',
    turns: [
      { role: 'assistant', content: 'said-before' },
      { role: 'user', content: 'go on' },
    ],
    field: 'input',
    mark: 'said-before',
  },
  { name: 'image by address', content: { type: 'input_image', image_url: url }, field: 'input', mark: url },
  {
    name: 'image as bytes',
    content: { type: 'input_image', image_url: `data:image/png;base64,${png}` },
    field: 'input',
    mark: png,
  },
  {
    name: 'document',
    content: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
    field: 'input',
    mark: pdf,
  },
  { name: 'tools', fields: { tools: responsesTools }, field: 'tools', mark: 'city-mark' },
  { name: 'no tool', fields: { tools: responsesTools, tool_choice: 'none' }, field: 'tool_choice' },
  { name: 'a tool', fields: { tools: responsesTools, tool_choice: 'required' }, field: 'tool_choice' },
  {
    name: 'named tool',
    fields: { tools: responsesTools, tool_choice: { type: 'function', name: 'other' } },
    field: 'tool_choice',
  },
  {
    name: 'tool of the vendor',
    fields: { tools: [...responsesTools, { type: 'web_search' }] },
    field: 'tools (web_search)',
    mark: 'web_search',
    to: { 'openai-chat': 'warned', 'anthropic-messages': 'warned', gemini: 'warned' },
  },
  {
    name: 'one call at a time',
    fields: { tools: responsesTools, parallel_tool_calls: false },
    field: 'parallel_tool_calls',
    to: { gemini: 'warned' },
  },
  {
    name: 'JSON schema',
    fields: { text: { format: { type: 'json_schema', name: 'a', schema } } },
    field: 'text.format',
    mark: 'city-mark',
  },
  { name: 'effort', fields: { reasoning: { effort: 'high' } }, field: 'reasoning' },
  {
    name: 'context of thoughts',
    fields: { reasoning: { effort: 'high', context: 'all_turns' } },
    field: 'reasoning.context',
    mark: 'all_turns',
    to: { 'openai-chat': 'warned', 'anthropic-messages': 'warned', gemini: 'warned' },
  },
  {
    name: 'encrypted thoughts',
    turns: [{ type: 'reasoning', summary: [], encrypted_content: 'enc-mark' }],
    field: 'input',
    mark: 'enc-mark',
    to: { 'openai-chat': 'withheld', 'anthropic-messages': 'withheld', gemini: 'withheld' },
  },
  {
    name: 'logprobs',
    fields: { top_logprobs: 3 },
    field: 'top_logprobs',
    to: { 'anthropic-messages': 'warned' },
  },
  {
    name: 'service tier',
    fields: { service_tier: 'flex' },
    field: 'service_tier',
    mark: 'flex',
    to: { 'anthropic-messages': 'warned', gemini: 'warned' },
  },
  {
    name: 'metadata',
    fields: { metadata: { a: 'meta-mark' } },
    field: 'metadata',
    mark: 'meta-mark',
    to: { 'anthropic-messages': 'warned', gemini: 'warned' },
  },
  { name: 'user', fields: { user: 'user-mark' }, field: 'user', mark: 'user-mark', to: { gemini: 'warned' } },
  {
    name: 'cache key',
    fields: { prompt_cache_key: 'key-mark' },
    field: 'prompt_cache_key',
    mark: 'key-mark',
    to: { 'anthropic-messages': 'warned', gemini: 'warned' },
  },
  {
    name: 'verbosity',
    fields: { text: { verbosity: 'low' } },
    field: 'text.verbosity',
    mark: 'low',
    to: { 'anthropic-messages': 'warned', gemini: 'warned' },
  },
  {
    name: 'state at the vendor',
    fields: { previous_response_id: 'resp_1' },
    field: 'previous_response_id',
    to: { 'openai-chat': 'refused', 'anthropic-messages': 'refused', gemini: 'refused' },
  },
  {
    name: 'field of tomorrow',
    fields: { x_future: 'future-mark' },
    field: 'x_future',
    mark: 'future-mark',
    to: { 'openai-chat': 'warned', 'anthropic-messages': 'warned', gemini: 'warned' },
  },
]
