import { describe, expect, it } from 'bun:test'
import {
  anthropicMessages,
  type ChatCodec,
  gemini,
  openAiChat,
  openAiResponses,
  RequestFault,
  scanTopLevel,
  WireResponse,
} from '@tollgate/formats'
import { type Operation, providers } from '@tollgate/providers'
import fc from 'fast-check'
import { parseOperations } from '../../../upstream/body-operations/parse-operations.ts'
import { type BodyTarget, canCarry, encodeBody } from '../../../upstream/call-body.ts'
import { ParsedText, parseText } from '../bodies/parsed-text.ts'
import { ChatCallRequest } from './chat-request.ts'
import { GeminiEmbeddingRequest } from './gemini-embedding-request.ts'

const counting = { countPrompt: async () => 1, countDelivered: async () => 1, roughPrompt: () => 1 }

/** Upper and lower case, so that an operation that changes it is seen. */
const large = (seed: number) => `iVBORw0KGgo${seed}Aa`.padEnd(300_000, 'Zz09+/')
const dataUrl = (seed: number) => `data:image/png;base64,${large(seed)}`

type Json = Readonly<Record<string, unknown>>

/** A conversation in each format, with large literals in usual and in unusual places. */
const conversations: readonly (readonly [ChatCodec, (seeds: readonly number[], text: string) => Json])[] = [
  [
    openAiChat,
    (seeds, text) => ({
      messages: [
        { role: 'system', content: text },
        {
          role: 'user',
          content: [
            { type: 'text', text },
            ...seeds.map((seed) => ({ type: 'image_url', image_url: { url: dataUrl(seed) } })),
          ],
        },
      ],
    }),
  ],
  [
    openAiResponses,
    (seeds, text) => ({
      instructions: text,
      input: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'tollgate.unsigned.none.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text },
            ...seeds.map((seed) => ({ type: 'input_image', image_url: dataUrl(seed), detail: 'auto' })),
          ],
        },
      ],
    }),
  ],
  [
    anthropicMessages,
    (seeds, text) => ({
      max_tokens: 9,
      system: [{ type: 'text', text }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text },
            ...seeds.map((seed) => ({
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: large(seed) },
            })),
          ],
        },
      ],
    }),
  ],
  [
    gemini,
    (seeds, text) => ({
      systemInstruction: { parts: [{ text }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text },
            ...seeds.map((seed) => ({ inlineData: { mimeType: 'image/png', data: large(seed) } })),
          ],
        },
      ],
    }),
  ],
]

function requestOf(codec: ChatCodec, text: string, isSplit: boolean): ChatCallRequest {
  const scan = scanTopLevel(text, 64)
  if (!scan.ok) throw new Error(scan.reason)
  const native = isSplit ? parseText(text, scan) : new ParsedText(text, scan, JSON.parse(text), [])
  if (native === undefined || native === 'not-object') throw new Error('no JSON')
  const path = { model: 'm', stream: false }
  return new ChatCallRequest(codec, native, codec.inspectRequest(native.body, path), path, {
    counting,
    maxFrameBytes: 1 << 20,
  })
}

/** Returns the sent text, or the reason for none. */
function sent(request: ChatCallRequest, target: BodyTarget): string {
  try {
    const { text } = encodeBody(request, target)
    if (typeof text === 'object' && 'pieces' in text) throw new Error('a form')
    return [text].flat().join('')
  } catch (error) {
    if (error instanceof RequestFault) return `${error.code} ${error.param} ${error.message}`
    throw error
  }
}

/** Every way in which some upstream takes chat. */
const operations: readonly Operation[] = [
  ...new Set(
    providers.flatMap((provider) =>
      conversations.flatMap(([{ format }]) => {
        const target = { baseUrl: 'http://a', key: 'k', openaiOrganization: '', other: '' }
        return provider.operation('chat', { ...target, upstreamModel: 'm' }, format) ?? []
      }),
    ),
  ),
]

const members = ['messages', 'input', 'contents', 'system', 'metadata', 'extra'] as const
const paths = fc.constantFrom(
  'metadata.data',
  'extra.data',
  'messages.1.content.1.image_url.url',
  'messages.0.content.1.source.data',
  'input.1.content.1.image_url',
  'contents.0.parts.1.inlineData.data',
)
const operationsOf = fc.array(
  fc.oneof(
    fc.record({ mode: fc.constantFrom('to_lower', 'to_upper', 'trim_space', 'delete'), path: paths }),
    fc.record({ mode: fc.constantFrom('move', 'copy'), from: paths, to: fc.constantFrom('extra.x', 'new') }),
    fc.record({ mode: fc.constant('append'), path: paths, value: fc.constant('==') }),
    fc.record({ mode: fc.constant('replace'), path: paths, from: fc.constant('Z'), to: fc.constant('y') }),
  ),
  { maxLength: 3 },
)

describe('a large body', () => {
  it('goes upstream as if nothing had been set aside while it was read, whatever is edited in it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...conversations),
        fc.constantFrom(...operations),
        fc.array(fc.nat(9), { minLength: 2, maxLength: 3 }),
        fc.constantFrom('plain', 'TollgateLiteral0', 'TollgateLiteral00N0E', dataUrl(7)),
        fc.option(fc.constantFrom(...members)),
        operationsOf,
        fc.option(fc.record({ text: fc.constant('Be brief.'), always: fc.boolean() }), { nil: undefined }),
        ([codec, conversation], operation, seeds, text, large, edits, instructions) => {
          const body = {
            model: 'm',
            ...conversation(seeds, text),
            ...(large === 'metadata' || large === 'extra' ? { [large]: { data: dataUrl(8) } } : {}),
          }
          const override =
            edits.length === 0
              ? null
              : { fields: { [large ?? 'user']: 'u' }, operations: parseOperations(edits) }
          const written = JSON.stringify(body)
          const split = requestOf(codec, written, true)
          if (!canCarry(split, operation)) return
          const target = { operation, upstreamModel: 'n', override, instructions }
          const sentText = sent(split, target)
          expect(sentText === sent(requestOf(codec, written, false), target)).toBe(true)
          expect(/TollgateLiteral[0-9a-f]{24}N/.test(sentText)).toBe(false)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('is echoed in a translated response as it was sent', () => {
    const [, responses] = conversations[1] ?? []
    const text = JSON.stringify({ model: 'm', ...responses?.([1, 2], dataUrl(3)) })
    const request = requestOf(openAiResponses, text, true)
    const operation = operations.find(({ format }) => format === 'openai-chat')
    if (operation === undefined) throw new Error('no operation')
    const response = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }
    const bytes = Buffer.from(JSON.stringify(response))
    const reading = request.readResponse(new WireResponse(bytes, 'application/json'), operation, {
      requestId: 'r',
      createdAt: 1,
    })
    if (!reading.ok || reading.usage === undefined) throw new Error('no answer')
    expect(JSON.parse(String(reading.encode(reading.usage))).instructions === dataUrl(3)).toBe(true)
  })

  it('preserves its other literals where a file replaces its URL', () => {
    const file = { type: 'input_file', file_url: 'https://a.test/b.pdf', extra: dataUrl(1) }
    const body = { model: 'm', input: [{ role: 'user', content: [file] }], metadata: { data: dataUrl(2) } }
    const request = requestOf(openAiResponses, JSON.stringify(body), true)
    const files = new Map([['https://a.test/b.pdf', { mediaType: 'application/pdf', data: large(3) }]])
    const { text } = request.withMedia(files).native
    expect(text.includes(dataUrl(1)) && text.includes(dataUrl(2)) && text.includes(large(3))).toBe(true)
    expect(text).not.toContain('TollgateLiteral')
  })

  it('is embedded completely', () => {
    const content = { parts: [{ text: dataUrl(1) }, { text: dataUrl(2) }] }
    const text = JSON.stringify({ content })
    const scan = scanTopLevel(text, 64)
    const native = scan.ok ? parseText(text, scan) : undefined
    if (native === undefined || native === 'not-object') throw new Error('no JSON')
    const request = new GeminiEmbeddingRequest(
      native,
      { model: 'm' },
      { counting, maxFrameBytes: 1, maxJsonDepth: 64 },
    )
    const { native: sentOn } = request.pivot().body
    expect(sentOn.text.includes(dataUrl(1)) && sentOn.text.includes(dataUrl(2))).toBe(true)
  })
})
