import { type FieldRules, fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const compatibility = 'https://console.groq.com/docs/openai'
const reference = 'https://console.groq.com/docs/api-reference'
const reasoning = 'https://console.groq.com/docs/reasoning'

/** Any other field is refused with 400, and any other member of a message. */
const fields: FieldRules = {
  takes: [
    ...[
      'model',
      'messages',
      'stream',
      'stream_options',
      'max_tokens',
      'max_completion_tokens',
      'stop',
      'seed',
    ],
    ...[
      'temperature',
      'top_p',
      'presence_penalty',
      'frequency_penalty',
      'response_format',
      'service_tier',
      'user',
    ],
    ...[
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'functions',
      'function_call',
      'disable_tool_validation',
    ],
    ...['reasoning_effort', 'reasoning_format', 'include_reasoning', 'documents', 'citation_options'],
    ...['search_settings', 'include_domains', 'exclude_domains', 'compound_custom', 'n'],
  ],
  passesUnheardOf: true,
  refuses: { n: 'Groq gives one response at a time' },
  messages: {
    takes: {
      assistant: ['role', 'content', 'tool_calls', 'function_call', 'reasoning'],
      tool: ['role', 'content', 'tool_call_id'],
      function: ['role', 'content', 'name'],
      other: ['role', 'content'],
    },
  },
}

export const groq: ProviderProfile = {
  fields: fact(fields, compatibility),
  responses: 'unknown',
  reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, reasoning),
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning', refusesOtherNames: true }, reference, notReadAgain),
  limits: fact({ toolName: { max: 64, characters: 'word' }, tools: 128, stops: 4 }, reference, notReadAgain),
  schema: fact('groq', 'https://console.groq.com/docs/structured-outputs', notReadAgain),
  betas: 'none',
  ids: fact('own', reasoning),
  families: [
    {
      models: ['*gpt-oss*'],
      reasoning: fact({ switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' }, reasoning),
    },
    {
      models: ['*qwen3*'],
      reasoning: fact({ switch: 'effort', efforts: ['none', 'default'], unasked: 'thinks' }, reasoning),
    },
    {
      models: ['*deepseek-r1*', '*qwq*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, reasoning),
    },
  ],
}
