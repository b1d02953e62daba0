import {
  type BudgetRange,
  type Effort,
  fact,
  type Limits,
  type ModelFamily,
  type ProviderProfile,
  type ReasoningRules,
} from '../target-profile.ts'
import { claudeFamilies, claudeLimits } from './claude.ts'
import { anthropicReference } from './clouds.ts'
import { notReadAgain } from './dates.ts'
import { glmHybrid, gptOss } from './open-weights.ts'

/** Google's own models, and what it hosts. */

const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const

const geminiTools = 'https://ai.google.dev/api/caching#FunctionDeclaration'
const geminiLimits: Limits = { toolName: { max: 128, characters: 'gemini' }, stops: 5 }

const thinkingPage = 'https://ai.google.dev/gemini-api/docs/thinking'
const vertexThinking = 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thinking'

/** Budgets of 2.5. Those of later models are for the sake of older callers. */
const proBudgets = { min: 128, max: 32_768, canBeOff: false } as const
const flashBudgets = { min: 1, max: 24_576, canBeOff: true } as const
const liteBudgets = { ...flashBudgets, min: 512 } as const

/** Models with a name of their own behind the generation do not think, or nobody says how. */
const notText = ['*image*', '*tts*', '*audio*', '*live*', '*computer-use*', '*embedding*'] as const

function budgetFamily(
  models: string,
  except: readonly string[],
  budgets: BudgetRange,
  unasked: ReasoningRules['unasked'],
): ModelFamily {
  return {
    models: [models],
    except: [...notText, ...except],
    reasoning: fact({ switch: 'budget', efforts: [], unasked, budgets }, vertexThinking),
  }
}

function levelFamily(
  models: string,
  except: readonly string[],
  efforts: readonly Effort[],
  source: string,
): ModelFamily {
  return {
    models: [models],
    except,
    reasoning: fact({ switch: 'effort', efforts, unasked: 'thinks' }, source),
  }
}

/**
 * Families by the form of `thinkingConfig`: without thinking before 2.5, in budgets at 2.5, in levels since. Levels cannot switch it
 * off, and neither can a budget at Pro.
 */
const geminiFamilies: readonly ModelFamily[] = [
  {
    models: ['gemini-1*', 'gemini-2.0*', 'gemini-pro', 'gemini-pro-vision*'],
    except: ['*thinking*'],
    reasoning: fact(never, 'https://github.com/googleapis/js-genai/issues/681'),
  },
  budgetFamily('gemini-2.5-pro*', [], proBudgets, 'thinks'),
  budgetFamily('gemini-2.5-flash*', ['*lite*'], flashBudgets, 'thinks'),
  budgetFamily('gemini-2.5-flash-lite*', [], liteBudgets, 'does-not-think'),
  levelFamily(
    'gemini-3*',
    ['*image*'],
    ['minimal', 'low', 'medium', 'high'],
    'https://github.com/BerriAI/litellm-docs/pull/1505',
  ),
  levelFamily(
    'gemini-3.[7-9]*',
    ['*image*', '*lite*'],
    ['low', 'medium', 'high'],
    'https://github.com/BerriAI/litellm-docs/pull/1505',
  ),
  levelFamily('gemini-3-pro*', ['*image*'], ['low', 'high'], thinkingPage),
  levelFamily('gemini-3.1-pro*', [], ['low', 'medium', 'high'], thinkingPage),
  levelFamily(
    'gemini-3.1-flash-image*',
    [],
    ['minimal', 'high'],
    'https://github.com/router-for-me/CLIProxyAPI/pull/1734',
  ),
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
