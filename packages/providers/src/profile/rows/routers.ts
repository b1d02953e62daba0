import { type FieldRules, fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import {
  alwaysThinking,
  deepseekV3Hybrid,
  gemmaHybrid,
  gptOss,
  neverThinking,
  thinkingByDefault,
} from './open-weights.ts'
import { undocumented } from './undocumented.ts'

const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const
const always = { switch: 'always', efforts: [], unasked: 'thinks' } as const
const gptOssEfforts = { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' } as const

const olderNames: FieldRules = {
  takes: 'any',
  names: { max_completion_tokens: 'max_tokens' },
  messages: { roles: { developer: 'system' } },
}
const openrouterReasoning = 'https://openrouter.ai/docs/use-cases/reasoning-tokens'

/** One object for the reasoning of every model, fitted to each by OpenRouter itself. */
export const openrouter: ProviderProfile = {
  fields: fact({ takes: 'any' }, 'https://openrouter.ai/docs/api-reference/overview', notReadAgain),
  responses: fact(
    { takes: 'any' },
    'https://openrouter.ai/docs/api-reference/responses-api/overview',
    notReadAgain,
  ),
  reasoning: fact(
    {
      switch: 'reasoning-object',
      efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
      unasked: 'thinks',
    },
    'https://openrouter.ai/docs/client-sdks/python/components/chatrequestreasoningeffort.md',
  ),
  sampling: fact(
    { refuses: [], when: 'always' },
    'https://openrouter.ai/docs/api-reference/parameters',
    notReadAgain,
  ),
  history: fact({ reasoning: 'free', field: 'reasoning' }, openrouterReasoning),
  limits: fact(
    { texts: { user: { max: 128 }, session_id: { max: 128 } } },
    'https://github.com/maximhq/bifrost/issues/1000',
  ),
  schema: fact('plain', 'https://openrouter.ai/docs/features/structured-outputs', notReadAgain),
  betas: 'none',
  ids: fact('own', openrouterReasoning),
}

const sonar = 'https://docs.perplexity.ai/api-reference/chat-completions-post'

export const perplexity: ProviderProfile = {
  ...undocumented,
  fields: fact(
    {
      ...olderNames,
      drops: ['stream_options'],
      ranges: { top_p: [0, 0.99] },
      messages: { roles: { developer: 'system' }, turns: 'alternate' },
    },
    sonar,
    notReadAgain,
  ),
  reasoning: fact(never, sonar, notReadAgain),
  ids: fact('own', sonar, notReadAgain),
  families: [
    { models: ['*sonar-reasoning*', 'r1-1776*'], reasoning: fact(always, sonar, notReadAgain) },
    {
      models: ['*sonar-deep-research*'],
      reasoning: fact(
        { switch: 'effort', efforts: ['minimal', 'low', 'medium', 'high'], unasked: 'thinks' },
        sonar,
        notReadAgain,
      ),
    },
  ],
}

const workersAi = 'https://github.com/cloudflare/ai/releases/tag/workers-ai-provider%403.1.12'

export const cloudflare: ProviderProfile = {
  ...undocumented,
  fields: fact(
    olderNames,
    'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/',
    notReadAgain,
  ),
  ids: fact('own', 'https://developers.cloudflare.com/workers-ai/models/', notReadAgain),
  families: [
    {
      ...thinkingByDefault,
      reasoning: fact({ switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' }, workersAi),
    },
    {
      ...gemmaHybrid,
      reasoning: fact(
        { switch: 'template-enable-thinking', efforts: [], unasked: 'does-not-think' },
        'https://github.com/cloudflare/ai/issues/503',
      ),
    },
    { ...neverThinking, reasoning: fact(never, workersAi) },
    { ...alwaysThinking, reasoning: fact(always, workersAi) },
    { ...gptOss, reasoning: fact(gptOssEfforts, workersAi) },
  ],
}

const sambanovaCatalog = 'https://github.com/anomalyco/models.dev/pull/2133'
const sambanovaDocs = 'https://docs.sambanova.ai/docs/en/features/openai-compatibility'

export const sambanova: ProviderProfile = {
  ...undocumented,
  fields: fact(olderNames, sambanovaDocs, notReadAgain),
  ids: fact('own', sambanovaCatalog),
  families: [
    {
      models: [...deepseekV3Hybrid.models, ...gemmaHybrid.models],
      reasoning: fact(
        { switch: 'template-enable-thinking', efforts: [], unasked: 'does-not-think' },
        'https://github.com/aaif-goose/goose/pull/11079',
      ),
    },
    { ...neverThinking, reasoning: fact(never, sambanovaCatalog) },
    { models: ['*deepseek-r1*', '*qwq*'], reasoning: fact(always, sambanovaCatalog) },
    { ...gptOss, reasoning: fact(gptOssEfforts, sambanovaCatalog) },
  ],
}

export const qihoo360: ProviderProfile = {
  ...undocumented,
  fields: fact(
    { ...olderNames, drops: ['stream_options'] },
    'https://ai.360.com/platform/docs/overview',
    notReadAgain,
  ),
  responses: 'none',
  ids: fact('own', 'https://ai.360.com/platform/docs/overview', notReadAgain),
}
