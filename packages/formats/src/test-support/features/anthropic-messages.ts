import { type Feature, pdf, png, schema, url } from './feature.ts'

const messagesTools = [
  { name: 'weather', input_schema: schema },
  { name: 'other', input_schema: { type: 'object' } },
]

export const messagesFeatures: readonly Feature[] = [
  { name: 'system prompt', fields: { system: 'be-brief' }, field: 'system', mark: 'be-brief' },
  {
    name: 'second turn',
    turns: [
      { role: 'assistant', content: 'said-before' },
      { role: 'user', content: 'go on' },
    ],
    field: 'messages[1]',
    mark: 'said-before',
  },
  {
    name: 'image by address',
    content: { type: 'image', source: { type: 'url', url } },
    field: 'messages[0]',
    mark: url,
  },
  {
    name: 'image as bytes',
    content: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    field: 'messages[0]',
    mark: png,
  },
  {
    name: 'document',
    content: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
    field: 'messages[0]',
    mark: pdf,
  },
  {
    name: 'document as text',
    content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'doc-mark' } },
    field: 'messages[0]',
  },
  {
    name: 'title of a document',
    content: {
      type: 'document',
      title: 'title-mark',
      source: { type: 'base64', media_type: 'application/pdf', data: pdf },
    },
    field: 'title',
    mark: 'title-mark',
    to: { gemini: 'warned' },
  },
  { name: 'tools', fields: { tools: messagesTools }, field: 'tools', mark: 'city-mark' },
  {
    name: 'tool streamed early',
    fields: { tools: [{ ...messagesTools[0], eager_input_streaming: true }] },
    field: 'tools[0].eager_input_streaming',
    mark: 'eager',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', gemini: 'warned' },
  },
  {
    name: 'choice left to the model',
    base: { tools: messagesTools },
    fields: { tools: messagesTools, tool_choice: { type: 'auto' } },
    field: 'tool_choice',
  },
  {
    name: 'no tool',
    base: { tools: messagesTools },
    fields: { tools: messagesTools, tool_choice: { type: 'none' } },
    field: 'tool_choice',
  },
  {
    name: 'a tool',
    base: { tools: messagesTools },
    fields: { tools: messagesTools, tool_choice: { type: 'any' } },
    field: 'tool_choice',
  },
  {
    name: 'named tool',
    base: { tools: messagesTools },
    fields: { tools: messagesTools, tool_choice: { type: 'tool', name: 'other' } },
    field: 'tool_choice',
  },
  {
    name: 'one call at a time',
    base: { tools: messagesTools },
    fields: { tools: messagesTools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    field: 'tool_choice.disable_parallel_tool_use',
    mark: 'parallel',
    to: { gemini: 'warned' },
  },
  {
    name: 'JSON schema',
    fields: { output_config: { format: { type: 'json_schema', schema } } },
    field: 'output_config.format',
    mark: 'city-mark',
  },
  { name: 'effort', fields: { output_config: { effort: 'high' } }, field: 'output_config.effort' },
  { name: 'budget', fields: { thinking: { type: 'enabled', budget_tokens: 2000 } }, field: 'thinking' },
  {
    name: 'signed thoughts',
    turns: [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig-mark' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    ],
    field: 'messages[1]',
    mark: 'sig-mark',
    to: { 'openai-chat': 'withheld', 'openai-responses': 'withheld', gemini: 'withheld' },
  },
  {
    name: 'tool that a search found',
    turns: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'search', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_1',
            content: [{ type: 'tool_reference', tool_name: 'found-mark' }],
          },
        ],
      },
    ],
    field: 'messages[2]',
    mark: 'found-mark',
  },
  {
    name: 'cache mark',
    turns: [
      { role: 'user', content: [{ type: 'text', text: 'kept', cache_control: { type: 'ephemeral' } }] },
    ],
    field: 'cache_control',
    mark: 'ephemeral',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', gemini: 'warned' },
  },
  {
    name: 'cache mark of a tool',
    fields: { tools: [{ ...messagesTools[0], cache_control: { type: 'ephemeral' } }] },
    field: 'cache_control',
    mark: 'ephemeral',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', gemini: 'warned' },
  },
  {
    name: 'failed tool',
    turns: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'no', is_error: true }],
      },
    ],
    field: 'is_error',
    mark: '"error"',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned' },
  },
  {
    name: 'stop',
    fields: { stop_sequences: ['END'] },
    field: 'stop_sequences',
    mark: 'END',
    to: { 'openai-responses': 'refused' },
  },
  {
    name: 'top_k',
    fields: { top_k: 41 },
    field: 'top_k',
    mark: '41',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned' },
  },
  {
    name: 'service tier',
    fields: { service_tier: 'standard_only' },
    field: 'service_tier',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', gemini: 'warned' },
  },
  {
    name: 'user',
    fields: { metadata: { user_id: 'user-mark' } },
    field: 'metadata.user_id',
    mark: 'user-mark',
    to: { gemini: 'warned' },
  },
  {
    name: 'metadata',
    fields: { metadata: { a: 'meta-mark' } },
    field: 'metadata',
    mark: 'meta-mark',
    to: { gemini: 'warned' },
  },
  {
    name: 'servers of tools',
    fields: { mcp_servers: [{ type: 'url', url, name: 'a' }] },
    field: 'mcp_servers',
    to: { 'openai-chat': 'refused', 'openai-responses': 'refused', gemini: 'refused' },
  },
  {
    name: 'field of tomorrow',
    fields: { x_future: 'future-mark' },
    field: 'x_future',
    mark: 'future-mark',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', gemini: 'warned' },
  },
]
