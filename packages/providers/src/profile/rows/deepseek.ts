import { fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const reference = 'https://api-docs.deepseek.com/api/create-chat-completion'
const thinking = 'https://api-docs.deepseek.com/guides/thinking_mode'

/** V4 Pro refuses an empty text beside calls, and takes a space, as the others do. */
const required = fact(
  { reasoning: 'required', field: 'reasoning_content', turns: 'with-calls', empty: ' ' } as const,
  'https://github.com/NousResearch/hermes-agent/pull/18263',
)

export const deepseek: ProviderProfile = {
  fields: fact(
    {
      takes: 'any',
      names: { max_completion_tokens: 'max_tokens' },
      // "content or tool_calls must be set": https://github.com/MoonshotAI/kimi-code/issues/1404 (2026-07-18)
      messages: { roles: { developer: 'system' }, silent: 'refused' },
    },
    reference,
  ),
  responses: 'unknown',
  reasoning: fact(
    { switch: 'thinking-type', efforts: ['low', 'high', 'max'], unasked: 'thinks' },
    'https://api-docs.deepseek.com/guides/thinking_mode.md',
  ),
  sampling: fact({ refuses: ['logprobs', 'top_logprobs'], when: 'reasoning' }, thinking),
  history: required,
  limits: fact({ toolName: { max: 64, characters: 'word' }, tools: 128, stops: 16 }, reference, notReadAgain),
  schema: fact('plain', 'https://api-docs.deepseek.com/guides/json_mode', notReadAgain),
  betas: 'none',
  ids: fact('own', 'https://api-docs.deepseek.com/quick_start/pricing', notReadAgain),
  families: [
    {
      models: ['deepseek-chat*', 'deepseek-v3.[12]*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'does-not-think' }, thinking),
    },
    {
      models: ['deepseek-coder*', 'deepseek-v2*', 'deepseek-v3', 'deepseek-v3-*'],
      reasoning: fact(
        { switch: 'never', efforts: [], unasked: 'does-not-think' },
        'https://api-docs.deepseek.com/updates',
        notReadAgain,
      ),
      history: fact({ reasoning: 'free', field: 'reasoning_content' }, thinking),
    },
    {
      // The name of a first model, which refused it, led to later ones, which require it beside calls.
      models: ['*reasoner', '*reasoner[!a-z0-9_]*'],
      history: fact(
        {
          reasoning: 'forbidden',
          field: 'reasoning_content',
          exceptCalls: true,
          turns: 'with-calls',
          empty: ' ',
        },
        'https://api-docs.deepseek.com/guides/reasoning_model',
      ),
    },
    {
      models: ['*r1', '*r1[!a-z0-9_]*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, thinking),
      history: fact(
        { reasoning: 'forbidden', field: 'reasoning_content', exceptCalls: true },
        'https://api-docs.deepseek.com/guides/reasoning_model',
      ),
    },
  ],
}
