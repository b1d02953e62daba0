import { fact, type ProviderProfile, type ReasoningRules } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import {
  alwaysThinking,
  deepseekV3Hybrid,
  deepseekV4,
  gptOss,
  hybrid,
  neverThinking,
  thinkingByDefault,
} from './open-weights.ts'
import { undocumented } from './undocumented.ts'

/** Hosts of open models. */

const olderNames = {
  names: { max_completion_tokens: 'max_tokens' },
  messages: { roles: { developer: 'system' } },
} as const
const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const
const always = { switch: 'always', efforts: [], unasked: 'thinks' } as const
const gptOssEfforts = { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' } as const

const togetherDocs = 'https://docs.together.ai/docs/inference/chat/reasoning.md'
const togetherSwitch: ReasoningRules = { switch: 'reasoning-object', efforts: [], unasked: 'thinks' }

export const together: ProviderProfile = {
  ...undocumented,
  fields: fact(
    { takes: 'any', ...olderNames },
    'https://docs.together.ai/docs/openai-api-compatibility',
    notReadAgain,
  ),
  ids: fact('own', 'https://docs.together.ai/docs/reasoning-overview'),
  families: [
    {
      models: [...thinkingByDefault.models, ...deepseekV4.models],
      except: hybrid.except,
      reasoning: fact(togetherSwitch, togetherDocs),
    },
    {
      ...deepseekV3Hybrid,
      reasoning: fact(
        { ...togetherSwitch, unasked: 'does-not-think' },
        'https://docs.together.ai/docs/reasoning-overview',
      ),
    },
    { ...neverThinking, reasoning: fact(never, togetherDocs) },
    { ...alwaysThinking, reasoning: fact(always, togetherDocs) },
    { ...gptOss, reasoning: fact(gptOssEfforts, togetherDocs) },
  ],
}

const fireworksDocs = 'https://docs.fireworks.ai/guides/reasoning'
const fireworksApi = 'https://docs.fireworks.ai/api-reference/post-chatcompletions'

export const fireworks: ProviderProfile = {
  ...undocumented,
  fields: fact({ takes: 'any', drops: ['stream_options'], ...olderNames }, fireworksApi, notReadAgain),
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, fireworksDocs),
  ids: fact('own', 'https://github.com/anomalyco/models.dev/pull/4695'),
  families: [
    {
      models: [...thinkingByDefault.models, ...deepseekV3Hybrid.models],
      except: hybrid.except,
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high'], unasked: 'thinks' },
        'https://github.com/langchain-ai/open-swe/pull/1415',
      ),
    },
    {
      models: ['*glm-5p[2-9]*', '*glm-5.[2-9]*'],
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high', 'max'], unasked: 'thinks' },
        'https://github.com/kolega-ai/kolega-code/pull/72',
      ),
    },
    {
      ...deepseekV4,
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], unasked: 'thinks' },
        'https://github.com/anomalyco/models.dev/pull/4695',
      ),
    },
    { ...neverThinking, reasoning: fact(never, fireworksDocs) },
    { ...alwaysThinking, reasoning: fact(always, fireworksDocs) },
    { models: ['*minimax-m2*', ...gptOss.models], reasoning: fact(gptOssEfforts, fireworksDocs) },
  ],
}

const deepinfraDocs = 'https://github.com/anomalyco/models.dev/pull/2083'
const deepinfraBoth = 'https://github.com/NousResearch/hermes-agent/pull/112285'

export const deepinfra: ProviderProfile = {
  ...undocumented,
  fields: fact({ takes: 'any', ...olderNames }, 'https://deepinfra.com/docs/openai_api', notReadAgain),
  ids: fact('own', deepinfraDocs),
  families: [
    {
      models: [...thinkingByDefault.models, ...deepseekV3Hybrid.models],
      except: hybrid.except,
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high'], unasked: 'thinks' },
        deepinfraDocs,
      ),
    },
    {
      ...deepseekV4,
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high', 'xhigh'], unasked: 'does-not-think' },
        deepinfraBoth,
      ),
    },
    { ...neverThinking, reasoning: fact(never, deepinfraDocs) },
    { ...alwaysThinking, reasoning: fact(always, deepinfraDocs) },
    { ...gptOss, reasoning: fact(gptOssEfforts, deepinfraDocs) },
  ],
}

const novitaDocs = 'https://github.com/anomalyco/models.dev/pull/2077'

export const novita: ProviderProfile = {
  ...undocumented,
  fields: fact({ takes: 'any', ...olderNames }, 'https://novita.ai/docs/guides/llm-api', notReadAgain),
  ids: fact('own', novitaDocs),
  families: [
    {
      ...thinkingByDefault,
      reasoning: fact({ switch: 'enable-thinking', efforts: [], unasked: 'thinks' }, novitaDocs),
    },
    {
      ...deepseekV3Hybrid,
      reasoning: fact(
        { switch: 'enable-thinking', efforts: [], unasked: 'does-not-think' },
        'https://github.com/theopenco/llmgateway/pull/2513',
      ),
    },
    {
      ...deepseekV4,
      reasoning: fact(
        { switch: 'enable-thinking', efforts: ['low', 'medium', 'high', 'xhigh'], unasked: 'thinks' },
        novitaDocs,
      ),
    },
    { ...neverThinking, reasoning: fact(never, novitaDocs) },
    { ...alwaysThinking, reasoning: fact(always, novitaDocs) },
    { ...gptOss, reasoning: fact(gptOssEfforts, novitaDocs) },
    {
      models: ['*kimi-k3*'],
      reasoning: fact(
        { switch: 'effort', efforts: ['low', 'high', 'max'], unasked: 'thinks' },
        'https://github.com/anomalyco/models.dev/pull/7050',
      ),
    },
  ],
}

const nebiusDocs = 'https://github.com/anomalyco/models.dev/pull/2130'

export const nebius: ProviderProfile = {
  ...undocumented,
  fields: fact({ takes: 'any', ...olderNames }, 'https://docs.nebius.com/studio/inference/api', notReadAgain),
  ids: fact('own', nebiusDocs),
  families: [
    {
      ...deepseekV4,
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'high', 'max'], unasked: 'thinks' },
        'https://github.com/anomalyco/models.dev/pull/4377',
      ),
    },
    { ...neverThinking, reasoning: fact(never, nebiusDocs) },
    { ...alwaysThinking, reasoning: fact(always, nebiusDocs) },
    { ...gptOss, reasoning: fact(gptOssEfforts, nebiusDocs) },
  ],
}

const huggingfaceDocs = 'https://huggingface.co/docs/inference-providers/en/tasks/chat-completion'

export const huggingface: ProviderProfile = {
  ...undocumented,
  fields: fact({ takes: 'any', drops: ['stream_options'], ...olderNames }, huggingfaceDocs, notReadAgain),
  ids: fact('own', 'https://huggingface.co/docs/inference-providers', notReadAgain),
  families: [
    {
      ...hybrid,
      reasoning: fact(
        { switch: 'effort', efforts: ['none', 'low', 'medium', 'high'], unasked: 'thinks' },
        'https://github.com/anomalyco/models.dev/pull/2881',
      ),
    },
    { ...neverThinking, reasoning: fact(never, huggingfaceDocs, notReadAgain) },
    { ...alwaysThinking, reasoning: fact(always, huggingfaceDocs, notReadAgain) },
    { ...gptOss, reasoning: fact(gptOssEfforts, huggingfaceDocs, notReadAgain) },
  ],
}
