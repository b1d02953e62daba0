import type { Frame } from '../canonical/codec.ts'
import { objectOf, parseJson, textOf } from '../json-value.ts'
import { decodeBase64 } from '../utf8.ts'

/**
 * The event inside an event of Bedrock's invoke stream: `{"bytes": <its JSON as base64>}`, named by its `type`.
 * `undefined` for an event that holds none. Never throws.
 */
export function unwrapBedrockEvent({ data }: Frame): Frame | undefined {
  const json = decodeBase64(textOf(objectOf(parseJson(data)).bytes))
  if (json === undefined || json === '') return undefined
  return { event: textOf(objectOf(parseJson(json)).type), data: json }
}
