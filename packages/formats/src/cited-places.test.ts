import { describe, expect, it } from 'bun:test'
import type { ChatCodec } from './canonical/codec.ts'
import type { Citation } from './canonical/response.ts'
import { chatCodecs } from './codecs.ts'
import { collectResponse } from './streams/collect-response.ts'

type Format = keyof typeof chatCodecs
const formats = Object.keys(chatCodecs) as Format[]
const call = { model: 'm', responseId: 'a', createdAt: 1, includeUsage: false, estimatedInputTokens: 1 }

const url = 'https://a.example'
const annotation = { type: 'url_citation', url, title: 'A', start_index: 6, end_index: 11 }
const { type, ...inChat } = annotation
const content = 'Well: Oslo.'
const source = { type: 'web_search_result_location', url, title: 'A', cited_text: 'It is Oslo' }
const usage = { input_tokens: 9, output_tokens: 3 }

/** Responses that draw their sixth to eleventh character from one page. */
const bodies: Readonly<Record<Format, unknown>> = {
  'openai-chat': {
    id: 'c',
    choices: [
      {
        index: 0,
        message: { content, annotations: [{ type, url_citation: inChat }] },
        finish_reason: 'stop',
      },
    ],
  },
  'openai-responses': {
    id: 'r',
    status: 'completed',
    output: [
      { type: 'message', content: [{ type: 'output_text', text: content, annotations: [annotation] }] },
    ],
  },
  'anthropic-messages': {
    id: 'm',
    type: 'message',
    content: [
      { type: 'text', text: 'Well: ' },
      { type: 'text', text: 'Oslo.', citations: [source] },
    ],
    stop_reason: 'end_turn',
    usage,
  },
  gemini: {
    candidates: [
      {
        content: { parts: [{ text: content }] },
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: url, title: 'A' } }],
          groundingSupports: [
            { segment: { startIndex: 6, endIndex: 11, text: 'Oslo.' }, groundingChunkIndices: [0] },
          ],
        },
      },
    ],
  },
}

function citationsIn(codec: ChatCodec, body: unknown): readonly Citation[] {
  const read = codec.decodeResponse(body)
  if (!read.ok) throw new Error(read.error.message)
  return read.response.candidates[0]?.citations ?? []
}

const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const))

describe('the place of a citation', () => {
  it.each(formats)('is read from %s', (format) => {
    expect(citationsIn(chatCodecs[format], bodies[format])).toMatchObject([
      { url, range: { start: 6, end: 11 } },
    ])
  })

  it.each(pairs)('goes from %s to %s', (from, to) => {
    const read = chatCodecs[from].decodeResponse(bodies[from])
    if (!read.ok) throw new Error(read.error.message)
    const written: unknown = JSON.parse(JSON.stringify(chatCodecs[to].encodeResponse(read.response, call)))
    const [citation] = citationsIn(chatCodecs[to], written)
    expect(citation?.url).toBe(url)
    // Google's says by the words, and Anthropic's by the block, what the others say by characters.
    if (to === 'gemini') expect(JSON.stringify(written)).toMatch(/"segment":\{"text":"(Oslo\.|It is Oslo)"/)
    else if (to === 'anthropic-messages') expect(citation?.range?.end).toBe(11)
    else expect(citation?.range).toEqual({ start: 6, end: 11 })
  })

  it('goes through the streams of OpenAI’s two formats', () => {
    const chunk = {
      choices: [{ index: 0, delta: { content, annotations: [{ type, url_citation: inChat }] } }],
    }
    const added = {
      type: 'response.output_text.annotation.added',
      output_index: 0,
      content_index: 0,
      annotation,
    }
    for (const [format, event] of [
      ['openai-chat', chunk],
      ['openai-responses', added],
    ] as const) {
      const decoder: ChatCodec['decodeStream'] = chatCodecs[format].decodeStream
      const parts = decoder.step(decoder.start(), { event: '', data: JSON.stringify(event) })
      const [candidate] = collectResponse(parts).candidates
      expect(candidate?.citations).toMatchObject([{ url, range: { start: 6, end: 11 } }])
    }
  })

  it('is none for a segment that is not there, and counts characters where Google counts bytes', () => {
    const grounded = (text: string, segment: object) => ({
      candidates: [
        {
          content: { parts: [{ text: 'Hm.', thought: true }, { text }] },
          finishReason: 'STOP',
          groundingMetadata: {
            groundingChunks: [{ web: { uri: url } }],
            groundingSupports: [{ segment: { partIndex: 1, ...segment }, groundingChunkIndices: [0] }],
          },
        },
      ],
    })
    const rangeOf = (body: unknown) => citationsIn(chatCodecs.gemini, body)[0]?.range
    expect(rangeOf(grounded('Tromsø: ja', { startIndex: 9, endIndex: 11, text: 'ja' }))).toEqual({
      start: 8,
      end: 10,
    })
    expect(rangeOf(grounded('Tromsø: ja', { startIndex: 1, endIndex: 3, text: 'ja' }))).toBeUndefined()
    expect(rangeOf(grounded('x', { endIndex: 99, text: 'xyz' }))).toBeUndefined()
  })

  it('of a file is named as left out', () => {
    const cited = { type: 'file_citation', file_id: 'f', filename: 'a.pdf', index: 3 }
    const output = [
      { type: 'message', content: [{ type: 'output_text', text: content, annotations: [cited] }] },
    ]
    expect(
      chatCodecs['openai-responses'].decodeResponse({ id: 'r', status: 'completed', output }),
    ).toMatchObject({
      response: { leftOut: ['output[0].content[0].annotations (file_citation)'] },
    })
  })
})
