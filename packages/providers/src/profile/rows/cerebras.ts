import { type FieldRules, fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const reference = 'https://inference-docs.cerebras.ai/api-reference/chat-completions'
const compatibility = 'https://inference-docs.cerebras.ai/resources/openai'
const reasoning = 'https://inference-docs.cerebras.ai/capabilities/reasoning'

/** Any other field is refused with 400 (`wrong_api_format`), and any other member of a message. */
const fields: FieldRules = {
  takes: [
    ...[
      'model',
      'messages',
      'stream',
      'stream_options',
      'max_completion_tokens',
      'stop',
      'seed',
      'n',
      'user',
    ],
    ...['temperature', 'top_p', 'response_format', 'service_tier', 'logprobs', 'top_logprobs', 'prediction'],
    ...['tools', 'tool_choice', 'parallel_tool_calls', 'min_tokens', 'min_completion_tokens'],
    ...['reasoning_effort', 'reasoning_format', 'disable_reasoning', 'clear_thinking'],
  ],
  passesUnheardOf: true,
  names: { max_tokens: 'max_completion_tokens' },
  ranges: { temperature: [0, 1.5] },
  messages: {
    takes: {
      assistant: ['role', 'content', 'name', 'tool_calls', 'reasoning'],
      tool: ['role', 'content', 'tool_call_id', 'name'],
      other: ['role', 'content', 'name'],
    },
  },
}

export const cerebras: ProviderProfile = {
  fields: fact(fields, reference, notReadAgain),
  responses: 'none',
  reasoning: 'unknown',
  sampling: fact(
    { refuses: ['presence_penalty', 'frequency_penalty', 'logit_bias'], when: 'always' },
    compatibility,
    notReadAgain,
  ),
  history: fact(
    { reasoning: 'free', field: 'reasoning', refusesOtherNames: true },
    'https://github.com/QwenLM/qwen-code/issues/11045',
  ),
  limits: fact({ stops: 4 }, reference, notReadAgain),
  schema: fact(
    'cerebras',
    'https://inference-docs.cerebras.ai/capabilities/structured-outputs',
    notReadAgain,
  ),
  betas: 'none',
  ids: fact('own', reasoning),
  families: [
    {
      models: ['gpt-oss*'],
      reasoning: fact({ switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' }, reasoning),
    },
    {
      models: ['zai-glm*'],
      reasoning: fact(
        { switch: 'disable-reasoning', efforts: [], unasked: 'thinks' },
        compatibility,
        notReadAgain,
      ),
    },
    {
      models: ['llama*', '*instruct*', '*coder*'],
      reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, reasoning),
    },
    {
      models: ['*-thinking*', 'deepseek-r1*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, reasoning),
    },
  ],
}
