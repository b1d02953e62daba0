import {
  type EncodeTarget,
  type RequestFacts,
  RequestFault,
  type RequestPath,
} from '../../canonical/codec.ts'
import type { Instructions } from '../../canonical/instructions.ts'
import { camelCase } from '../../json/camel-case.ts'
import type { RequestText } from '../../json/request-text.ts'
import type { JsonEdits } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { invalid, missing, wrongType } from '../../requests/fields.ts'
import { flagAt, integerAt, member, numberAt, objectAt, objectsAt, textAt, textsAt } from '../fields.ts'

type Read = (holder: JsonObject, name: string, path: string) => unknown
type Reads = Readonly<Record<string, Read>>

/** Fields that their vendor documents, for what it does not take. https://ai.google.dev/api/generate-content */
const ofRequest: Reads = {
  tools: objectsAt,
  toolConfig: objectAt,
  safetySettings: objectsAt,
  cachedContent: textAt,
  labels: objectAt,
}

const ofConfig: Reads = {
  temperature: numberAt,
  topP: numberAt,
  topK: numberAt,
  seed: numberAt,
  presencePenalty: numberAt,
  frequencyPenalty: numberAt,
  stopSequences: textsAt,
  responseLogprobs: flagAt,
  logprobs: numberAt,
  responseMimeType: textAt,
  responseSchema: objectAt,
  responseModalities: textsAt,
  thinkingConfig: objectAt,
  speechConfig: objectAt,
  imageConfig: objectAt,
  mediaResolution: textAt,
}

/** @throws RequestFault for the first field that is present and of another type */
function checkFields(body: JsonObject, config: JsonObject): void {
  check(body, ofRequest, '')
  check(config, ofConfig, 'generationConfig')
}

function check(holder: JsonObject, reads: Reads, path: string): void {
  for (const key of Object.keys(holder)) {
    const name = camelCase(key)
    if (Object.hasOwn(reads, name)) reads[name]?.(holder, name, path)
  }
}

const maxModelLength = 255

/** No model writes a billion tokens; a larger limit is a mistake that would reserve a fortune. */
export const maxTokens = 2 ** 30
const maxCandidates = 128

/** Tokens per candidate; `undefined` without a limit. 0 also means no limit. */
export function outputLimitOf(config: JsonObject): number | undefined {
  return integerAt(config, 'maxOutputTokens', 'generationConfig', 0, maxTokens) || undefined
}

/** Returns how many candidates the caller wants; 1 when it does not say. */
export function candidateCountOf(config: JsonObject): number {
  return integerAt(config, 'candidateCount', 'generationConfig', 1, maxCandidates) ?? 1
}

/** The path names the model; a body may repeat it. */
export function modelOf(body: JsonObject, path: RequestPath): string {
  const model = path.model || textOf(body.model).replace(/^models\//, '')
  if (model.trim() === '')
    throw missing('model', 'name it in the path: /v1beta/models/{model}:generateContent')
  if (model.length > maxModelLength)
    throw invalid('model', `it must have at most ${maxModelLength} characters`)
  return model
}

/** Returns what the gateway must know of a request. @throws RequestFault for what it cannot work with */
export function inspectRequest(body: JsonObject, path: RequestPath): RequestFacts {
  for (const name of ['contents', 'generationConfig']) checkSpelledOnce(body, name, '')
  checkContents(member(body, 'contents'))
  const config = objectAt(body, 'generationConfig', '') ?? {}
  for (const name of ['maxOutputTokens', 'candidateCount'])
    checkSpelledOnce(config, name, 'generationConfig.')
  checkFields(body, config)
  const limit = outputLimitOf(config)
  const candidates = candidateCountOf(config)
  return {
    model: modelOf(body, path),
    stream: path.stream === true,
    includeUsage: true,
    maxOutputTokens: limit === undefined ? undefined : limit * candidates,
    candidates,
    reasoningEffort: textOf(
      member(objectOf(member(config, 'thinkingConfig')), 'thinkingLevel'),
    ).toLowerCase(),
  }
}

/**
 * Returns the edits of a native body, which needs neither the model nor whether to stream: both are in the address. Where it repeats
 * the model, it must agree.
 */
export function nativeEdits({ body }: RequestText, _facts: RequestFacts, target: EncodeTarget): JsonEdits {
  const { model } = body
  if (typeof model !== 'string') return noEdits
  const wanted = model.startsWith('models/') ? `models/${target.model}` : target.model
  return model === wanted ? noEdits : new Map([['model', JSON.stringify(wanted)]])
}

const noEdits: JsonEdits = new Map()

function checkContents(contents: unknown): void {
  if (contents === undefined) throw missing('contents', 'send the conversation as a list of contents')
  if (isObject(contents)) return
  if (!Array.isArray(contents)) throw wrongType('contents', 'a list of contents')
  if (contents.length === 0) throw invalid('contents', 'it must not be empty')
  const odd = contents.findIndex((content) => !isObject(content))
  if (odd >= 0) throw wrongType(`contents[${odd}]`, 'an object with role and parts')
}

/** Readers differ in which of two spellings they believe, so a field that decides anything must be there once. */
function checkSpelledOnce(object: JsonObject, name: string, prefix: string): void {
  const spelled = Object.keys(object).filter(
    (key) => key.replaceAll('_', '').toLowerCase() === name.toLowerCase(),
  )
  if (spelled.length > 1)
    throw new RequestFault(
      `${prefix}${name} is written more than once: send it once`,
      `${prefix}${name}`,
      'duplicate_key',
    )
}

/** A part in front of those of `systemInstruction`, by the name that the caller wrote. */
export function instructionEdits(
  { body }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const key = Object.hasOwn(body, 'system_instruction') ? 'system_instruction' : 'systemInstruction'
  const own = partsOf(body[key])
  if (own.length > 0 && !always) return undefined
  return new Map([[key, JSON.stringify({ ...objectOf(body[key]), parts: [{ text }, ...own] })]])
}

/** A content, or its text alone. */
function partsOf(instruction: unknown): readonly unknown[] {
  if (typeof instruction === 'string') return instruction === '' ? [] : [{ text: instruction }]
  const { parts } = objectOf(instruction)
  return Array.isArray(parts) ? listOf(parts) : parts == null ? [] : [parts]
}
