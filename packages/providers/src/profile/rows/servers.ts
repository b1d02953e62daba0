import { fact, type ModelFamily, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import { alwaysThinking, gptOss, hybrid, neverThinking } from './open-weights.ts'
import { templateFamilies } from './template-families.ts'

/** Servers that the operator runs himself, and NVIDIA's. */

const vllmReference = 'https://docs.vllm.ai/en/stable/serving/openai_compatible_server/'
const vllmReasoning = 'https://docs.vllm.ai/en/stable/features/reasoning_outputs/'
const sglangReference = 'https://docs.sglang.ai/basic_usage/openai_api.html'
const sglangReasoning = 'https://docs.sglang.io/docs/advanced_features/separate_reasoning'
const llamacppReference = 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server'
const ollamaReference = 'https://docs.ollama.com/api/openai-compatibility'
const lmstudioReference = 'https://lmstudio.ai/docs/developer/openai-compat'

const olderNames = {
  names: { max_completion_tokens: 'max_tokens' },
  messages: { roles: { developer: 'system' } },
} as const

export const vllm: ProviderProfile = {
  fields: fact({ takes: 'any', ...olderNames }, vllmReference, notReadAgain),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning' }, vllmReasoning),
  limits: 'unknown',
  schema: fact('grammar', vllmReasoning),
  betas: 'none',
  ids: fact('deployment', vllmReasoning),
  families: templateFamilies,
}

export const sglang: ProviderProfile = {
  fields: fact({ takes: 'any', ...olderNames }, sglangReference, notReadAgain),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, sglangReasoning),
  limits: 'unknown',
  schema: fact('grammar', 'https://docs.sglang.io/docs/advanced_features/structured_outputs'),
  betas: 'none',
  ids: fact('deployment', sglangReference, notReadAgain),
  families: templateFamilies,
}

export const llamacpp: ProviderProfile = {
  fields: fact({ takes: 'any', ...olderNames }, llamacppReference, notReadAgain),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, llamacppReference, notReadAgain),
  limits: 'unknown',
  schema: fact('grammar', llamacppReference, notReadAgain),
  betas: 'none',
  ids: fact('deployment', llamacppReference, notReadAgain),
  families: templateFamilies,
}

export const xinference: ProviderProfile = {
  fields: fact(
    { takes: 'any', drops: ['stream_options'], ...olderNames },
    'https://inference.readthedocs.io/en/latest/models/model_abilities/chat.html',
    notReadAgain,
  ),
  responses: 'none',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: 'unknown',
  schema: fact(
    'grammar',
    'https://inference.readthedocs.io/en/latest/models/model_abilities/tools.html',
    notReadAgain,
  ),
  betas: 'none',
  ids: fact('deployment', 'https://inference.readthedocs.io/en/latest/models/index.html', notReadAgain),
  families: templateFamilies,
}

export const nvidia: ProviderProfile = {
  fields: fact(
    { takes: 'any', drops: ['stream_options'], ...olderNames },
    'https://docs.api.nvidia.com/nim',
    notReadAgain,
  ),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact(
    { reasoning: 'free', field: 'reasoning_content' },
    'https://docs.nvidia.com/nim/large-language-models/latest/reasoning-model.html',
  ),
  limits: 'unknown',
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', 'https://docs.api.nvidia.com/nim', notReadAgain),
  families: [
    ...templateFamilies,
    {
      // Their switch is a text in the instructions.
      models: ['*llama*nemotron*'],
      reasoning: 'unknown',
    },
  ],
}

const ollamaHybrid = fact(
  { switch: 'effort', efforts: ['none', 'low', 'medium', 'high'], unasked: 'thinks' } as const,
  'https://github.com/aictrl-dev/cli/issues/75',
)
const gptOssEfforts = { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' } as const
const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const

const ollamaFamilies: readonly ModelFamily[] = [
  { ...hybrid, reasoning: ollamaHybrid },
  { ...alwaysThinking, reasoning: ollamaHybrid },
  { ...neverThinking, reasoning: fact(never, 'https://docs.ollama.com/capabilities/thinking', notReadAgain) },
  {
    ...gptOss,
    reasoning: fact(gptOssEfforts, 'https://docs.ollama.com/capabilities/thinking', notReadAgain),
  },
]

/** "invalid message content type: <nil>": https://github.com/ollama/ollama/blob/main/openai/openai.go (2026-11-30) */
const ollamaMessages = { ...olderNames.messages, silent: 'refused' } as const

export const ollama: ProviderProfile = {
  fields: fact({ takes: 'any', ...olderNames, messages: ollamaMessages }, ollamaReference),
  responses: fact({ takes: 'any' }, ollamaReference),
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning' }, ollamaReference),
  limits: 'unknown',
  schema: fact('grammar', ollamaReference),
  betas: 'none',
  ids: fact('own', ollamaReference),
  families: ollamaFamilies,
}

export const lmstudio: ProviderProfile = {
  fields: fact({ takes: 'any', drops: ['stream_options'], ...olderNames }, lmstudioReference, notReadAgain),
  responses: fact({ takes: 'any' }, 'https://lmstudio.ai/docs/developer/api-changelog'),
  reasoning: fact(
    { switch: 'effort', efforts: ['none', 'low', 'medium', 'high', 'xhigh'], unasked: 'thinks' },
    'https://www.ruby-toolbox.com/projects/ruby_llm-providers-lms',
  ),
  sampling: 'unknown',
  history: 'unknown',
  limits: 'unknown',
  schema: fact('grammar', 'https://www.ruby-toolbox.com/projects/ruby_llm-providers-lms'),
  betas: 'none',
  ids: fact('own', lmstudioReference, notReadAgain),
  families: [
    { ...gptOss, reasoning: fact(gptOssEfforts, 'https://lmstudio.ai/docs/developer/api-changelog') },
  ],
}
