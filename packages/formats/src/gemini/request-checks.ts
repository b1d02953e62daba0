import type { JsonObject } from '../json-value.ts'
import { camelCase, flagAt, numberAt, objectAt, objectsAt, textAt, textsAt } from './fields.ts'

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
export function checkFields(body: JsonObject, config: JsonObject): void {
  check(body, ofRequest, '')
  check(config, ofConfig, 'generationConfig')
}

function check(holder: JsonObject, reads: Reads, path: string): void {
  for (const key of Object.keys(holder)) {
    const name = camelCase(key)
    if (Object.hasOwn(reads, name)) reads[name]?.(holder, name, path)
  }
}
