import { isObject, type JsonObject, objectOf, parseJson, SseScanner } from '@tollgate/formats'

const utf8 = new TextDecoder()

/** The whole answer, out of the events that end a stream of the Responses API; `undefined` when there is none in them. */
export function responseOfStream(lastEvents: string): JsonObject | undefined {
  const scanner = new SseScanner(lastEvents.length * 4 + 1)
  const frames = [...scanner.push(Buffer.from(lastEvents)), ...scanner.end()]
  for (const { data } of frames) {
    if (data === undefined) continue
    const { response } = objectOf(parseJson(utf8.decode(data)))
    if (isObject(response) && Array.isArray(response.output)) return response
  }
  return undefined
}
