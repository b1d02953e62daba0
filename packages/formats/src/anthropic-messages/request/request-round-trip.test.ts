import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatRequest, Message, UserPart } from '../../canonical/request.ts'
import { withinMarkLimit } from '../../requests/cache-marks.ts'
import { anthropicMessages } from '../codec.ts'
import { assistant, call, older, system, text, user } from '../test-support/requests.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const cache = fc.constantFrom({ ttl: '5m' } as const, { ttl: '1h' } as const)
const textPart = fc.record(
  { type: fc.constant('text' as const), text: word, cache },
  { requiredKeys: ['type', 'text'] },
)
const media = fc.oneof(
  fc.record({ type: fc.constant('base64' as const), mediaType: fc.constant('image/png'), data: word }),
  fc.record({ type: fc.constant('url' as const), url: fc.webUrl() }),
)
const image = fc.record({
  type: fc.constant('media' as const),
  kind: fc.constant('image' as const),
  source: media,
})
const signed = fc.record({ vendor: fc.constant('anthropic' as const), value: word })
const reasoning = fc.oneof(
  fc.record({ type: fc.constant('reasoning' as const), text: word, signature: signed }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.constant(''), encrypted: signed }),
)

/** A user's turn, a response with calls, and their results: the content of every tool loop. */
const round = fc
  .tuple(
    fc.array(fc.oneof(textPart, image), { minLength: 1, maxLength: 3 }),
    fc.array(reasoning, { maxLength: 2 }),
    fc.array(textPart, { maxLength: 2 }),
    fc.array(fc.tuple(word, fc.dictionary(word, fc.jsonValue())), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([requested, reasoning, stated, calls, isError]): readonly Message[] => {
    const named = calls.map(([name, input], index) => ({ id: `toolu_${index}`, name, input }))
    return [
      user(...requested),
      assistant(
        ...reasoning,
        ...stated,
        ...named.map(({ id, name, input }) => call(id, name, JSON.stringify(input))),
      ),
      user(
        ...named.map(
          ({ id, name }): UserPart => ({
            type: 'tool-result',
            callId: id,
            name,
            content: [text(name)],
            ...(isError && { isError: true }),
          }),
        ),
      ),
      assistant(text('so')),
    ]
  })

const requests = fc.record(
  {
    model: fc.constant(older),
    stream: fc.boolean(),
    messages: fc
      .tuple(fc.option(word), fc.array(round, { minLength: 1, maxLength: 2 }))
      .map(([first, rounds]) => [...(first === null ? [] : [system(first)]), ...rounds.flat()]),
    tools: fc.array(
      fc.record(
        {
          type: fc.constant('function' as const),
          name: word,
          description: word,
          parameters: fc.dictionary(word, fc.jsonValue()).map((rest) => ({ ...rest, type: 'object' })),
          cache,
        },
        { requiredKeys: ['type', 'name', 'parameters'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    toolChoice: fc.oneof(
      fc.record({ type: fc.constantFrom('auto' as const, 'none' as const, 'required' as const) }),
      fc.record({ type: fc.constant('tool' as const), name: word }),
    ),
    sampling: fc.oneof(
      fc.record({
        temperature: fc.double({ min: 0, max: 1, noNaN: true }),
        topK: fc.nat(99),
        stop: fc.array(word),
        candidates: fc.constant(1),
      }),
      fc.record({
        topP: fc.double({ min: 0, max: 1, noNaN: true }),
        stop: fc.array(word),
        candidates: fc.constant(1),
      }),
    ),
    maxOutputTokens: fc.integer({ min: 1, max: 64000 }),
    options: fc.record({ user: word, serviceTier: fc.constant('auto') }, { requiredKeys: [] }),
    vendor: fc.record({
      format: fc.constant('anthropic-messages' as const),
      fields: fc.record({ context_management: fc.jsonValue().filter((value) => value !== null) }),
    }),
  },
  { requiredKeys: ['model', 'stream', 'messages', 'tools', 'sampling', 'maxOutputTokens', 'options'] },
)

describe('a request of what this format can say', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(requests, (made) => {
        // More marks than Claude takes are nothing that this format can say.
        const request = withinMarkLimit(made as ChatRequest, new Set())
        const { body, dropped } = anthropicMessages.encodeRequest(request, {
          model: older,
          streamOptions: false,
        })
        expect(dropped).toEqual([])
        const wire = JSON.parse(JSON.stringify(body))
        expect(anthropicMessages.decodeRequest(wire, {})).toEqual(JSON.parse(JSON.stringify(request)))
      }),
    )
  })
})
