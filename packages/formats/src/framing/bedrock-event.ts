import type { Frame } from '../canonical/codec.ts'
import { eventObject, expectMembers } from '../event-shape.ts'
import { objectOf, parseJson, textOf } from '../json-value.ts'
import { decodeBase64 } from '../utf8.ts'
import { MalformedFrameError } from './frame.ts'

/**
 * The event inside an event of Bedrock's invoke stream: `{"bytes": <its JSON as base64>}`, named by its `type`.
 * `undefined` for an event that holds none.
 * @throws MalformedFrameError
 */
export function unwrapBedrockEvent({ data }: Frame): Frame | undefined {
  const outer = eventObject(data)
  expectMembers(outer, { bytes: 'text' })
  const json = decodeBase64(textOf(outer.bytes))
  if (json === undefined) throw new MalformedFrameError('the upstream sent an event that is no base64')
  if (json === '') return undefined
  return { event: textOf(objectOf(parseJson(json)).type), data: json }
}
