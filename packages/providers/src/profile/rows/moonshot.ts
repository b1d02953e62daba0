import { fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const reference = 'https://platform.moonshot.cn/docs/api/chat'
const guide = 'https://platform.moonshot.cn/docs/guide/use-kimi-k2-thinking-model'
const efforts = 'https://docs.rs/synaps-engine/0.11.0/src/agent_engine/runtime/openai/catalog/kimi.rs.html'
const fixed =
  'https://dev.to/aihubmix/kimi-k31-pro-migration-guide-five-400s-one-404-and-the-claude-code-codex-config-13k'

const required = fact(
  { reasoning: 'required', field: 'reasoning_content', turns: 'with-calls', empty: ' ' } as const,
  'https://github.com/openclaw/openclaw/pull/59689',
)
const sampling = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const
const penalties = { presence_penalty: 0, frequency_penalty: 0 } as const

/** "the message at position 5 with role 'assistant' must not be empty": https://github.com/anomalyco/opencode/issues/6056 (2025-12-23) */
const messages = { roles: { developer: 'system' }, silent: 'refused' } as const

export const moonshot: ProviderProfile = {
  fields: fact({ takes: 'any', ranges: { temperature: [0, 1] }, messages }, reference),
  responses: 'none',
  reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, guide),
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, guide),
  limits: fact({ toolName: { max: 64, characters: 'word' }, tools: 128, stops: 5 }, reference, notReadAgain),
  schema: fact('moonshot', 'https://platform.moonshot.cn/docs/api/tool-use', notReadAgain),
  betas: 'none',
  ids: fact('own', 'https://platform.kimi.ai/docs/api/models-overview'),
  families: [
    {
      models: ['kimi-k2.[5-9]*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, guide),
      history: required,
    },
    {
      models: ['kimi-k2.[5-9]*'],
      fields: fact(
        {
          takes: 'any',
          refuses: { n: 'the model gives one response at a time' },
          messages,
        },
        fixed,
      ),
      // The only temperature that it takes is another one with thinking than without.
      sampling: fact({ refuses: sampling, when: 'always', accepts: { top_p: 0.95, ...penalties } }, fixed),
    },
    {
      models: ['kimi-k2-thinking*', 'kimi-thinking*', 'kimi-k2.7-code*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, efforts),
      history: required,
    },
    {
      models: ['kimi-k3*', 'k3*'],
      fields: fact(
        {
          takes: 'any',
          refuses: { n: 'the model gives one response at a time' },
          messages,
        },
        fixed,
      ),
      reasoning: fact({ switch: 'effort', efforts: ['low', 'high', 'max'], unasked: 'thinks' }, efforts),
      sampling: fact({ refuses: sampling, when: 'always', accepts: { temperature: 1, ...penalties } }, fixed),
      history: required,
    },
  ],
}
