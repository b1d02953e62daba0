import type { RequestPath } from '../../canonical/codec.ts'
import type { ChatRequest, OutputFormat, ReasoningOptions, Sampling } from '../../canonical/request.ts'
import { type JsonObject, objectOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { invalid, stopSequences } from '../../requests/fields.ts'
import {
  collectUnknown,
  flagAt,
  integerAt,
  member,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  type UnknownFields,
  unsupported,
} from '../fields.ts'
import { decodeContents, decodeInstruction } from './decode-content.ts'
import { jsonSchemaOf } from './decode-schema.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { candidateCountOf, maxTokens, modelOf, outputLimitOf } from './inspect.ts'

const path = 'generationConfig'

type Config = Pick<ChatRequest, 'sampling' | 'maxOutputTokens' | 'outputFormat' | 'reasoning'> & {
  readonly modalities?: Modalities
}
type Modalities = NonNullable<ChatRequest['options']['modalities']>

const configFields: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'candidateCount',
  'responseLogprobs',
  'logprobs',
  'maxOutputTokens',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  // An older name of it. https://ai.google.dev/api/generate-content#generationconfig
  '_responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
])
const knownOfThinking: ReadonlySet<string> = new Set(['thinkingBudget', 'thinkingLevel', 'includeThoughts'])

/** Everything of `generationConfig` that has a canonical form. */
function decodeConfig(config: JsonObject, unknownFields: UnknownFields): Config {
  collectUnknown(config, configFields, path, unknownFields)
  const maxOutputTokens = outputLimitOf(config)
  const outputFormat = outputFormatOf(config)
  const reasoning = reasoningOf(config, unknownFields)
  const modalities = modalitiesOf(config)
  return {
    sampling: samplingOf(config),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(outputFormat !== undefined && { outputFormat }),
    ...(reasoning !== undefined && { reasoning }),
    ...(modalities !== undefined && { modalities }),
  }
}

function samplingOf(config: JsonObject): Sampling {
  const numbers = {
    temperature: numberAt(config, 'temperature', path),
    topP: numberAt(config, 'topP', path),
    topK: numberAt(config, 'topK', path),
    seed: numberAt(config, 'seed', path),
    presencePenalty: numberAt(config, 'presencePenalty', path),
    frequencyPenalty: numberAt(config, 'frequencyPenalty', path),
    logprobs: logprobsOf(config),
  }
  const provided = Object.entries(numbers).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(provided),
    stop: stopSequences(textsAt(config, 'stopSequences', path)),
    candidates: candidateCountOf(config),
  }
}

function logprobsOf(config: JsonObject): number | undefined {
  const alternatives = integerAt(config, 'logprobs', path, 0, 20)
  return flagAt(config, 'responseLogprobs', path) === true ? (alternatives ?? 0) : undefined
}

function outputFormatOf(config: JsonObject): OutputFormat | undefined {
  const mimeType = textAt(config, 'responseMimeType', path) ?? ''
  const raw = objectAt(config, 'responseJsonSchema', path) ?? objectAt(config, '_responseJsonSchema', path)
  const own = objectAt(config, 'responseSchema', path)
  if (mimeType !== '' && mimeType !== 'application/json' && mimeType !== 'text/plain')
    throw unsupported(`${path}.responseMimeType`, 'other upstreams answer with text or JSON')
  if (mimeType === 'text/plain') return { type: 'text' }
  const schema = raw ?? (own === undefined ? undefined : jsonSchemaOf(own))
  if (schema !== undefined) return { type: 'json-schema', name: 'response', schema }
  return mimeType === '' ? undefined : { type: 'json' }
}

const efforts = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const

function reasoningOf(config: JsonObject, unknownFields: UnknownFields): ReasoningOptions | undefined {
  const at = `${path}.thinkingConfig`
  const thinking = objectAt(config, 'thinkingConfig', path)
  if (thinking === undefined) return undefined
  collectUnknown(thinking, knownOfThinking, at, unknownFields)
  const budget = integerAt(thinking, 'thinkingBudget', at, -1, maxTokens)
  const effort = budget === 0 ? 'none' : effortOf(thinking, at)
  const includeThoughts = flagAt(thinking, 'includeThoughts', at)
  return {
    ...(effort !== undefined && { effort }),
    ...(budget !== undefined && budget !== 0 && { budgetTokens: budget }),
    ...(includeThoughts !== undefined && { includeThoughts }),
  }
}

function effortOf(thinking: JsonObject, at: string): ReasoningOptions['effort'] {
  const level = textAt(thinking, 'thinkingLevel', at)?.toUpperCase()
  if (level === undefined || level === '' || level === 'THINKING_LEVEL_UNSPECIFIED') return undefined
  const effort = Object.entries(efforts).find(([name]) => name === level)?.[1]
  if (effort === undefined) throw invalid(`${at}.thinkingLevel`, 'it must be MINIMAL, LOW, MEDIUM or HIGH')
  return effort
}

const modalityNames = { TEXT: 'text', IMAGE: 'image', AUDIO: 'audio' } as const

function modalitiesOf(config: JsonObject): Modalities | undefined {
  if (member(config, 'responseModalities') === undefined) return undefined
  return textsAt(config, 'responseModalities', path).map((name, index) => {
    const modality = Object.entries(modalityNames).find(
      ([configFields]) => configFields === name.toUpperCase(),
    )?.[1]
    if (modality === undefined)
      throw invalid(`${path}.responseModalities[${index}]`, 'it must be TEXT, IMAGE or AUDIO')
    return modality
  })
}

const known: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
])

/**
 * Reads a body of `generateContent`. What has no canonical form stays in `vendor.fields`, by its path:
 * `safetySettings`, `generationConfig.speechConfig`, `tools[0].functionDeclarations[1].response`.
 */
export function decodeRequest(body: JsonObject, path: RequestPath): ChatRequest {
  if (member(body, 'cachedContent') !== undefined)
    throw unsupported(
      'cachedContent',
      'the content is stored at Google, and this model is not served from there',
    )
  const unknownFields: UnknownFields = new Map()
  const instruction = member(body, 'systemInstruction')
  const system = instruction === undefined ? [] : decodeInstruction(instruction, unknownFields)
  const conversation = decodeContents(objectsAt(body, 'contents', ''), unknownFields)
  const toolChoice = decodeToolChoice(objectAt(body, 'toolConfig', '') ?? objectOf(undefined), unknownFields)
  const tools = decodeTools(objectsAt(body, 'tools', ''), unknownFields)
  const { modalities, ...config } = decodeConfig(objectAt(body, 'generationConfig', '') ?? {}, unknownFields)
  collectUnknown(body, known, '', unknownFields)
  return {
    model: modelOf(body, path),
    stream: path.stream === true,
    messages:
      system.length === 0
        ? conversation
        : [withSourcePath({ role: 'system', parts: system }, 'systemInstruction'), ...conversation],
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    ...config,
    options: { ...(modalities !== undefined && { modalities }) },
    ...(unknownFields.size > 0 && {
      vendor: { format: 'gemini', fields: Object.fromEntries(unknownFields) },
    }),
  }
}
