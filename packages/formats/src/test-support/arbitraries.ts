import fc from 'fast-check'
import type { AssistantPart } from '../canonical/request.ts'
import type { ChatResponse, StopReason } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { type Usage, usageOf } from '../usage.ts'

/** Texts that wire formats stumble over: quotes, line ends, markers of framings, halves of characters. */
export const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.constantFrom('"', '\\', '\n\n', 'data: x\n\n', '[DONE]', 'é漢😀', '\u2028', '</think>', ' a ', '\r\n'),
)

const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: fc.integer({ min: 1, max: 9000 }),
    cacheReadTokens: fc.integer({ min: 0, max: 500 }),
    outputTokens: fc.integer({ min: 1, max: 5000 }),
    reasoningTokens: fc.integer({ min: 0, max: 50 }),
  })
  .map(usageOf)

const toolName = fc.constantFrom('look', 'read_file', 'web-search')

const textPart = anyText.map((text): AssistantPart => ({ type: 'text', text }))

const callPart = fc
  .tuple(
    fc.integer({ min: 1, max: 1e9 }),
    toolName,
    fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue(), { maxKeys: 3 }),
  )
  .map(
    ([id, name, input]): AssistantPart => ({
      type: 'tool-call',
      id: `call_${id}`,
      name,
      arguments: JSON.stringify(input),
    }),
  )

/** Reasoning, a text, tool calls: the content that every format supports, in the order that every format uses. */
export const anyParts: fc.Arbitrary<readonly AssistantPart[]> = fc
  .tuple(
    fc.option(anyText, { nil: undefined }),
    fc.option(textPart, { nil: undefined }),
    fc.uniqueArray(callPart, {
      maxLength: 3,
      selector: (part) => (part.type === 'tool-call' ? part.id : ''),
    }),
  )
  .map(([thought, text, calls]): readonly AssistantPart[] => [
    ...(thought === undefined ? [] : [{ type: 'reasoning', text: thought } as const]),
    ...(text === undefined ? [] : [text]),
    ...calls,
  ])
  .filter((parts) => parts.some((part) => part.type !== 'reasoning'))

export const anyResponse: fc.Arbitrary<ChatResponse> = fc
  .tuple(anyParts, fc.constantFrom<StopReason>('stop', 'length'), anyUsage)
  .map(([parts, stop, usage]) => ({
    id: '',
    model: 'some-model',
    createdAt: 1_760_000_000,
    candidates: [
      {
        index: 0,
        parts,
        stop: { reason: parts.some((part) => part.type === 'tool-call') ? ('tool-calls' as const) : stop },
      },
    ],
    usage,
  }))

/** The parts of a stream that gives the response in pieces of so many characters; its end mark is not among them. */
export function streamOf(response: ChatResponse, size: number): readonly ChatPart[] {
  const { id, model, createdAt, usage } = response
  const parts: ChatPart[] = [{ type: 'start', id, model, createdAt }]
  for (const { index: candidate, parts: stated, stop } of response.candidates) {
    parts.push({ type: 'open', candidate })
    let call = 0
    for (const part of stated)
      parts.push(...deltasOf(part, candidate, part.type === 'tool-call' ? call++ : call, size))
    parts.push({ type: 'stop', candidate, stop })
  }
  if (usage !== undefined) parts.push({ type: 'usage', usage })
  return parts
}

function deltasOf(part: AssistantPart, candidate: number, call: number, size: number): readonly ChatPart[] {
  switch (part.type) {
    case 'text':
      return [
        ...pieces(part.text, size).map((text): ChatPart => ({ type: 'text-delta', candidate, text })),
        ...(part.signature
          ? [{ type: 'text-signature', candidate, signature: part.signature } as const]
          : []),
      ]
    case 'refusal':
      return pieces(part.text, size).map((text) => ({ type: 'refusal-delta', candidate, text }))
    case 'reasoning':
      return [
        ...pieces(part.text, size).map((text): ChatPart => ({ type: 'reasoning-delta', candidate, text })),
        ...(part.signature
          ? [{ type: 'reasoning-signature', candidate, signature: part.signature } as const]
          : []),
        ...(part.encrypted
          ? [{ type: 'reasoning-encrypted', candidate, encrypted: part.encrypted } as const]
          : []),
      ]
    case 'tool-call': {
      const { id, name, signature } = part
      return [
        { type: 'tool-call-start', candidate, call, id, name, ...(signature && { signature }) },
        ...pieces(part.arguments, size).map(
          (text): ChatPart => ({ type: 'tool-call-delta', candidate, call, arguments: text }),
        ),
        { type: 'tool-call-end', candidate, call },
      ]
    }
    default:
      return [{ type: 'media', candidate, media: part }]
  }
}

/** Complete characters: vendors do not cut inside of one. */
function pieces(text: string, size: number): readonly string[] {
  const characters = [...text]
  const count = Math.ceil(characters.length / size)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}
