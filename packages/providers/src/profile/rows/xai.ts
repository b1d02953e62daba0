import { type FieldRules, fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const reasoning = 'https://docs.x.ai/docs/guides/reasoning'
const efforts = 'https://docs.x.ai/developers/model-capabilities/text/reasoning'
const newest = 'https://github.com/mnfst/modelparams.dev/pull/330'
const reference = 'https://docs.x.ai/docs/api-reference'

const stop = { stop: 'models of xAI that think take no stop sequences' } as const
const thinkingFields: FieldRules = { takes: 'any', refuses: stop }
const miniFields: FieldRules = { ...thinkingFields, names: { max_tokens: 'max_completion_tokens' } }

export const xai: ProviderProfile = {
  fields: fact({ takes: 'any' }, reference, notReadAgain),
  responses: fact({ takes: 'any' }, 'https://github.com/router-for-me/CLIProxyAPI/issues/5648'),
  // Models that a name does not identify get what the newest have in common.
  reasoning: fact({ switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' }, newest),
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, reasoning),
  limits: fact({ toolName: { max: 64, characters: 'word' }, tools: 128, stops: 4 }, reference, notReadAgain),
  schema: fact('xai', 'https://docs.x.ai/docs/guides/structured-outputs', notReadAgain),
  betas: 'none',
  ids: fact('own', 'https://docs.x.ai/docs/models', notReadAgain),
  effortSuffix: true,
  families: [
    {
      models: ['grok-4*', 'grok-[5-9]*', 'grok-code*', 'grok-build*', 'grok-latest*', 'grok-3-mini*'],
      fields: fact(thinkingFields, reasoning),
      sampling: fact({ refuses: ['presence_penalty', 'frequency_penalty'], when: 'always' }, reasoning),
    },
    {
      models: ['grok-3-mini*'],
      fields: fact(miniFields, reasoning),
      reasoning: fact({ switch: 'effort', efforts: ['low', 'high'], unasked: 'thinks' }, reasoning),
    },
    {
      models: ['grok-4', 'grok-4-*', 'grok-4.1*', 'grok-4.20*', 'grok-code*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, reasoning),
    },
    {
      models: ['grok-4.20-multi-agent*'],
      reasoning: fact(
        { switch: 'effort', efforts: ['low', 'medium', 'high', 'xhigh'], unasked: 'thinks' },
        'https://github.com/enricoros/big-AGI/issues/1104',
      ),
    },
    {
      models: ['grok-4.3*'],
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high'], unasked: 'thinks' },
        efforts,
        notReadAgain,
      ),
    },
    {
      models: ['grok-4.5*', 'grok-latest*'],
      reasoning: fact({ switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' }, newest),
    },
    {
      models: ['grok-4.6*'],
      reasoning: fact(
        { switch: 'effort', efforts: ['low', 'medium', 'high', 'xhigh'], unasked: 'thinks' },
        newest,
      ),
    },
    {
      models: ['grok-[123]', 'grok-[123][!0-9]*', 'grok-beta*', 'grok-vision*', '*non-reasoning*'],
      except: ['grok-3-mini*'],
      fields: fact({ takes: 'any' }, reference, notReadAgain),
      reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, reasoning),
      sampling: fact({ refuses: [], when: 'always' }, reasoning),
    },
  ],
}
