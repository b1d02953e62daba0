import type { UpstreamCodec } from '../canonical/codec.ts'
import type { ChatResponse } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'

/** Names of tools as the upstream knows them, each with the caller's own. */
export type ToolNames = ReadonlyMap<string, string>

/** A codec that reads calls of tools under the names that the caller declared. */
export function withToolNames(codec: UpstreamCodec, names: ToolNames): UpstreamCodec {
  const { decodeStream } = codec
  return {
    ...codec,
    decodeResponse(body) {
      const reading = codec.decodeResponse(body)
      return reading.ok ? { ok: true, response: renamedResponse(reading.response, names) } : reading
    },
    decodeStream: {
      start: () => decodeStream.start(),
      step: (state, frame) => decodeStream.step(state, frame).map((part) => renamedPart(part, names)),
      finish: (state) => decodeStream.finish(state).map((part) => renamedPart(part, names)),
    },
  }
}

function renamedPart(part: ChatPart, names: ToolNames): ChatPart {
  return part.type === 'tool-call-start' ? { ...part, name: names.get(part.name) ?? part.name } : part
}

function renamedResponse(response: ChatResponse, names: ToolNames): ChatResponse {
  const candidates = response.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map((part) =>
      part.type === 'tool-call' ? { ...part, name: names.get(part.name) ?? part.name } : part,
    ),
  }))
  return { ...response, candidates }
}

/** A response in the caller's own format with the caller's names: each short one is a JSON text of its own, and found nowhere else. */
export function restoreToolNames(text: string, names: ToolNames): string {
  let restored = text
  for (const [short, name] of names)
    restored = restored.replaceAll(JSON.stringify(short), () => JSON.stringify(name))
  return restored
}
