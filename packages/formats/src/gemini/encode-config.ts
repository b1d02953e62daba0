import type { ChatRequest, OutputFormat, ReasoningOptions } from '../canonical/request.ts'
import { cleanSchema } from './clean-schema.ts'
import { unsupported } from './fields.ts'
import type { ModelTraits } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

/** The service takes no more. */
const maxStopSequences = 5

/** `generationConfig`; empty when there is nothing to say. */
export function encodeConfig(request: ChatRequest, traits: ModelTraits, dropped: Set<string>): Fields {
  const { sampling, options, maxOutputTokens, outputFormat, reasoning } = request
  if (sampling.stop.length > maxStopSequences)
    throw unsupported('stop', `Gemini takes at most ${maxStopSequences} stop sequences`)
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty, logprobs } = sampling
  const thinkingConfig = reasoning === undefined ? {} : encodeReasoning(reasoning, traits, dropped)
  const modalities = options.modalities?.map((modality) => modality.toUpperCase())
  return defined({
    temperature,
    topP,
    topK,
    seed,
    presencePenalty,
    frequencyPenalty,
    maxOutputTokens,
    stopSequences: sampling.stop.length > 0 ? sampling.stop : undefined,
    candidateCount: sampling.candidates > 1 ? sampling.candidates : undefined,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs === undefined || logprobs === 0 ? undefined : logprobs,
    ...encodeOutputFormat(outputFormat),
    // Text is what comes anyway.
    responseModalities: modalities?.some((modality) => modality !== 'TEXT') ? modalities : undefined,
    thinkingConfig: Object.keys(thinkingConfig).length > 0 ? thinkingConfig : undefined,
  })
}

function encodeOutputFormat(format: OutputFormat | undefined): Fields {
  if (format === undefined || format.type === 'text') return {}
  const responseMimeType = 'application/json'
  if (format.type !== 'json-schema') return { responseMimeType }
  return { responseMimeType, responseSchema: cleanSchema(format.schema, 'response_format') }
}

/** A level from Gemini 3 on, a budget for 2.5 and unknown models, nothing for models before, which refuse both. */
function encodeReasoning(reasoning: ReasoningOptions, traits: ModelTraits, dropped: Set<string>): Fields {
  const { includeThoughts } = reasoning
  if (traits.thinking === 'level')
    return defined({ thinkingLevel: levelOf(reasoning, traits), includeThoughts })
  if (traits.thinking === 'budget')
    return defined({ thinkingBudget: budgetOf(reasoning, traits), includeThoughts })
  if (reasoning.effort !== 'none') dropped.add('reasoning')
  return {}
}

type Level = 'minimal' | 'low' | 'medium' | 'high'

const levels = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Record<NonNullable<ReasoningOptions['effort']>, Level>

/** Thinking cannot be switched off from Gemini 3 on: the least of it is as near as can be. */
function levelOf({ effort, budgetTokens }: ReasoningOptions, { isPro }: ModelTraits): Level | undefined {
  const level = effort === undefined ? levelOfBudget(budgetTokens) : levels[effort]
  return level === 'minimal' && isPro ? 'low' : level
}

function levelOfBudget(budget: number | undefined): Level | undefined {
  if (budget === undefined || budget < 0) return undefined
  if (budget < 1024) return 'minimal'
  if (budget < 4096) return 'low'
  return budget < 16384 ? 'medium' : 'high'
}

const budgets = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24576,
  xhigh: 32768,
  max: 32768,
} as const satisfies Record<NonNullable<ReasoningOptions['effort']>, number>

/** Within the model's range; -1, which leaves it to the model, is in every range. */
function budgetOf({ effort, budgetTokens }: ReasoningOptions, traits: ModelTraits): number | undefined {
  const isLeft = budgetTokens === undefined || budgetTokens < 0
  const wanted = isLeft && effort !== undefined ? budgets[effort] : budgetTokens
  if (wanted === undefined || wanted < 0) return wanted
  if (traits.isPro) return Math.min(Math.max(wanted, 128), 32768)
  if (wanted === 0) return 0
  return Math.min(Math.max(wanted, traits.isLite ? 512 : 1), 24576)
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
