import { fact, type Limits, type ModelFamily, type ProviderProfile } from '../target-profile.ts'
import { claudeFamilies, claudeLimits } from './claude.ts'
import { anthropicReference } from './clouds.ts'
import { notReadAgain } from './dates.ts'
import { glmHybrid, gptOss } from './open-weights.ts'

/** Google's own models, and what it hosts. */

const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const

const geminiTools = 'https://ai.google.dev/api/caching#FunctionDeclaration'
const geminiLimits: Limits = { toolName: { max: 128, characters: 'gemini' }, stops: 5 }

/** Levels of `thinkingConfig`, which models before these do not have; no model can be told not to think. */
const geminiFamilies: readonly ModelFamily[] = [
  {
    models: ['gemini-3*'],
    except: ['*image*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['minimal', 'low', 'medium', 'high'], unasked: 'thinks' },
      'https://github.com/BerriAI/litellm-docs/pull/1505',
    ),
  },
  {
    models: ['gemini-3.[7-9]*'],
    except: ['*image*', '*lite*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' },
      'https://github.com/BerriAI/litellm-docs/pull/1505',
    ),
  },
  {
    models: ['gemini-3-pro*'],
    except: ['*image*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['low', 'high'], unasked: 'thinks' },
      'https://github.com/egoist/chatwise-releases/issues/1206',
    ),
  },
  {
    models: ['gemini-3.1-pro*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' },
      'https://github.com/langchain-ai/langchainjs/pull/10101',
    ),
  },
  {
    models: ['gemini-3.1-flash-image*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['minimal', 'high'], unasked: 'thinks' },
      'https://github.com/router-for-me/CLIProxyAPI/pull/1734',
    ),
  },
]

export const gemini: ProviderProfile = {
  fields: 'unknown',
  responses: 'none',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: fact(geminiLimits, geminiTools, notReadAgain),
  schema: fact('gemini-json-schema', 'https://ai.google.dev/gemini-api/docs/structured-output', notReadAgain),
  betas: 'none',
  ids: fact('own', 'https://ai.google.dev/gemini-api/docs/models', notReadAgain),
  families: [
    ...geminiFamilies,
    {
      models: ['gemini-1*', 'gemini-2.0*', 'gemini-pro', 'gemini-pro-vision*'],
      schema: fact('gemini-schema', 'https://ai.google.dev/gemini-api/docs/structured-output', notReadAgain),
    },
  ],
}

const openModels = 'https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis'

const vertexFamilies: readonly ModelFamily[] = [
  ...geminiFamilies,
  {
    models: ['gemini-1*', 'gemini-2.0*', 'gemini-pro', 'gemini-pro-vision*'],
    schema: fact(
      'gemini-schema',
      'https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/control-generated-output',
      notReadAgain,
    ),
  },
  {
    models: ['claude*'],
    limits: fact(claudeLimits, anthropicReference, notReadAgain),
    schema: fact(
      'claude',
      'https://platform.claude.com/docs/en/build-with-claude/structured-outputs',
      notReadAgain,
    ),
    betas: fact(
      'vertex',
      'https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude',
      notReadAgain,
    ),
    ids: fact(
      'table',
      'https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude',
      notReadAgain,
    ),
  },
  ...claudeFamilies,
  {
    models: ['*-maas', '*/*'],
    fields: fact({ takes: 'any' }, openModels, notReadAgain),
    limits: 'unknown',
    schema: fact('plain', openModels, notReadAgain),
  },
  {
    models: ['*deepseek-v3.[12]*'],
    reasoning: fact(
      { switch: 'template-thinking', efforts: [], unasked: 'does-not-think' },
      'https://github.com/GoogleCloudPlatform/generative-ai/pull/2368',
    ),
  },
  {
    ...glmHybrid,
    reasoning: fact(
      { switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' },
      'https://github.com/anomalyco/models.dev/pull/2223',
    ),
  },
  {
    models: ['*deepseek-r1*', '*kimi-k2-thinking*', '*qwen3*thinking*', '*minimax-m2*'],
    reasoning: fact(
      { switch: 'always', efforts: [], unasked: 'thinks' },
      'https://github.com/anomalyco/models.dev/pull/2223',
    ),
  },
  {
    models: ['*llama*', '*qwen3*instruct*', '*qwen3-coder*'],
    reasoning: fact(never, openModels, notReadAgain),
  },
  {
    models: ['*grok-4*'],
    reasoning: fact(
      { switch: 'always', efforts: [], unasked: 'thinks' },
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/grok/capabilities/reasoning',
    ),
  },
  {
    ...gptOss,
    reasoning: fact(
      { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' },
      'https://github.com/anomalyco/models.dev/pull/2223',
    ),
  },
]

export const vertex: ProviderProfile = {
  fields: 'unknown',
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: 'unknown',
  limits: fact(
    geminiLimits,
    'https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/FunctionDeclaration',
    notReadAgain,
  ),
  schema: fact(
    'gemini-json-schema',
    'https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/control-generated-output',
    notReadAgain,
  ),
  betas: 'none',
  ids: fact('own', 'https://cloud.google.com/vertex-ai/generative-ai/docs/models', notReadAgain),
  families: vertexFamilies,
}

/** A service of the past. */
export const palm: ProviderProfile = {
  fields: 'unknown',
  responses: 'none',
  reasoning: fact(never, 'https://ai.google.dev/palm_docs/deprecation', notReadAgain),
  sampling: 'unknown',
  history: 'unknown',
  limits: 'unknown',
  schema: fact('none', 'https://ai.google.dev/palm_docs/deprecation', notReadAgain),
  betas: 'none',
  ids: fact('own', 'https://ai.google.dev/palm_docs/deprecation', notReadAgain),
}
