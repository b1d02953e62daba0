import { describe, expect, it } from 'bun:test'
import { type JsonObject, listOf, objectOf } from '@tollgate/formats'
import type { ReasoningRules, SamplingRules } from '../profile/target-profile.ts'
import { reach, type Target, targets } from '../test-support/targets.ts'
import { type DialectName, dialects, type ReachedBody } from '../test-support/translated-body.ts'

const dialectNames = Object.keys(dialects) as readonly DialectName[] // Its keys are the dialects.
const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const
const levels = ['minimal', 'low', 'MEDIUM', 'high'] as const
const amounts = [0, 1, 500, 1024, 9000, 100_000] as const
const sampling = { temperature: 0.3, top_p: 0.8 } as const

/** Every way in which callers of a dialect ask for thinking, or for none, with sampling beside it. */
const forms: Readonly<Record<DialectName, readonly JsonObject[]>> = {
  'openai-chat': ['none', 'minimal', ...efforts].map((effort) => ({ ...sampling, reasoning_effort: effort })),
  'openai-responses': ['none', ...efforts].map((effort) => ({ ...sampling, reasoning: { effort } })),
  'anthropic-messages': [
    ...amounts
      .filter((tokens) => tokens >= 1024)
      .map((budget_tokens) => ({ type: 'enabled', budget_tokens })),
    ...['adaptive', 'disabled', 'between_tools'].map((type) => ({ type })),
  ].flatMap((thinking) => [
    { thinking, ...sampling, top_k: 5 },
    ...efforts.map((effort) => ({ thinking, output_config: { effort } })),
  ]),
  gemini: [
    ...amounts.map((thinkingBudget) => ({ thinkingBudget })),
    ...levels.map((thinkingLevel) => ({ thinkingLevel })),
    { thinkingBudget: 2000, thinkingLevel: 'low' },
  ].map((thinkingConfig) => ({ generationConfig: { thinkingConfig, temperature: 0.3 } })),
}

const prompts: Readonly<Record<DialectName, (model: string) => JsonObject>> = {
  'openai-chat': (model) => ({ model, messages: [{ role: 'user', content: 'go' }] }),
  'openai-responses': (model) => ({ model, input: 'go' }),
  'anthropic-messages': (model) => ({
    model,
    max_tokens: 120_000,
    messages: [{ role: 'user', content: 'go' }],
  }),
  gemini: () => ({ contents: [{ role: 'user', parts: [{ text: 'go' }] }] }),
}

/** Returns what a Claude would refuse of a body, read without the code that fits it. */
function refusedByClaude(body: JsonObject, rules: ReasoningRules, taken: SamplingRules | undefined) {
  const { type, budget_tokens: budget } = objectOf(body.thinking)
  const { effort } = objectOf(body.output_config)
  const isOff = type === 'disabled' || type === 'between_tools'
  const order: readonly unknown[] = rules.efforts
  const thinks = type === undefined ? rules.unasked === 'thinks' : type !== 'disabled'
  const refusesSampling = taken?.when === 'always' || (taken?.when === 'reasoning' && thinks)
  return [
    ...(type !== undefined && !listOf(rules.types).includes(type) ? [`thinking.type ${type}`] : []),
    ...(type === 'enabled' && !(Number(budget) >= 1024 && Number(budget) < Number(body.max_tokens))
      ? [`budget_tokens ${budget}`]
      : []),
    ...(effort !== undefined && !order.includes(effort) ? [`effort ${effort}`] : []),
    ...(isOff && rules.offUpTo !== undefined && order.indexOf(effort) > order.indexOf(rules.offUpTo)
      ? [`${type} beside ${effort}`]
      : []),
    ...(refusesSampling ? Object.keys(body).filter((name) => taken.refuses.includes(name)) : []),
    ...(taken?.notBoth?.every((name) => name in body) === true ? taken.notBoth : []),
  ]
}

function refusedByGemini(body: JsonObject, { switch: by, efforts: known, budgets }: ReasoningRules) {
  const { thinkingLevel, thinkingBudget } = objectOf(objectOf(body.generationConfig).thinkingConfig)
  const level = thinkingLevel === undefined ? undefined : String(thinkingLevel).toLowerCase()
  const tokens = thinkingBudget as number | undefined // Ours are numbers.
  const isOutside = (range: NonNullable<typeof budgets>, value: number) =>
    value >= 0 && !(value === 0 && range.canBeOff) && (value < range.min || value > range.max)
  return [
    ...(level !== undefined && !known.some((effort) => effort === level) ? [`level ${level}`] : []),
    ...(level !== undefined && tokens !== undefined ? ['level and budget'] : []),
    ...(tokens === 0 && known.length > 0 ? ['budget 0'] : []),
    ...(tokens !== undefined && budgets !== undefined && isOutside(budgets, tokens)
      ? [`budget ${tokens}`]
      : []),
    ...(tokens !== undefined && by === 'never' ? ['a budget'] : []),
  ]
}

function faultsOf({ profile: { reasoning, sampling: taken } }: Target, { format, body }: ReachedBody) {
  if (reasoning === undefined) return undefined
  const isGoogles = ['effort', 'budget', 'never'].includes(reasoning.switch)
  if (format === 'gemini') return isGoogles ? refusedByGemini(body, reasoning) : undefined
  return format === 'anthropic-messages' && reasoning.types !== undefined
    ? refusedByClaude(body, reasoning, taken)
    : undefined
}

describe('thinking in a vendor’s own format', () => {
  it.each(dialectNames)('is nothing that any target refuses, for callers of %s', (dialect) => {
    let checked = 0
    for (const target of targets)
      for (const form of forms[dialect]) {
        const reached = reach(target, dialect, { ...prompts[dialect](target.model), ...form })
        const faults = reached && faultsOf(target, reached)
        if (faults === undefined) continue
        checked += 1
        expect([target.name, form, faults]).toEqual([target.name, form, []])
      }
    expect(checked).toBeGreaterThan(200)
  })

  it.each(['anthropic-messages', 'gemini'] as const)(
    'is the caller’s text where a model takes it, in %s',
    (dialect) => {
      for (const target of targets)
        for (const form of forms[dialect]) {
          const body = { ...prompts[dialect](target.model), ...form }
          const reached = reach(target, dialect, body)
          const faults = faultsOf(target, { format: dialect, body, dropped: [], toolNames: new Map() })
          if (reached?.format !== dialect || faults === undefined || faults.length > 0) continue
          const { thinking, output_config, generationConfig } = body as JsonObject
          expect([target.name, reached.body]).toMatchObject([
            target.name,
            {
              ...(thinking !== undefined && { thinking }),
              ...(output_config !== undefined && { output_config }),
            },
          ])
          expect(reached.body.generationConfig).toEqual(generationConfig)
        }
    },
  )
})
