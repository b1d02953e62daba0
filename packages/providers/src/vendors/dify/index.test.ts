import { describe, expect, it } from 'bun:test'
import { type ChatRequest, collectResponse, RequestFault } from '@tollgate/formats'
import type { Target } from '../../provider.ts'
import { standardOptions } from '../../provider-options.ts'
import { rowOf } from '../../table.ts'
import { dify } from './index.ts'

const target: Target = {
  baseUrl: rowOf('dify').baseUrl,
  key: 'app-1',
  upstreamModel: 'm',
  openaiOrganization: '',
  other: '',
}
const request: ChatRequest = {
  model: 'm',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}
const encodeTarget = { model: 'm', streamOptions: false }

function operationOf(other = '', progress = false) {
  const operation = dify({ ...standardOptions, DIFY_DEBUG: String(progress) }).operation(
    'chat',
    { ...target, other },
    'openai-chat',
  )
  if (operation?.codec === undefined) throw new Error('no codec')
  return { ...operation, codec: operation.codec }
}

const encoded = (more: Partial<ChatRequest>, other = '', fileIds?: ReadonlyMap<string, string>) =>
  operationOf(other).codec.encodeRequest({ ...request, ...more }, { ...encodeTarget, fileIds })

describe('requests to Dify', () => {
  it('ask the application at its address, with the question alone where nothing else was said', () => {
    const endpoint = (baseUrl: string) =>
      operationOf().endpoint({ ...target, baseUrl }, { stream: false, query: '', headers: {} }).url
    expect(endpoint(target.baseUrl)).toBe('https://api.dify.ai/v1/chat-messages')
    expect(endpoint('http://dify.example/v1')).toBe('http://dify.example/v1/chat-messages')
    expect(encoded({})).toEqual({
      body: {
        inputs: {},
        query: 'hi',
        response_mode: 'blocking',
        conversation_id: '',
        user: 'tollgate',
        auto_generate_name: false,
      },
      dropped: [],
    })
  })

  it('ask agents for a stream, which is all they give', () => {
    expect(encoded({}, 'Agent').body.response_mode).toBe('streaming')
    expect(encoded({ stream: true }).body.response_mode).toBe('streaming')
  })

  it('tell a conversation with who said what, files by address, and the caller’s variables', () => {
    const image = {
      type: 'media',
      kind: 'image',
      source: { type: 'url', url: 'https://i.example/a.png' },
    } as const
    const { body } = encoded({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'yes?' },
          ],
        },
        { role: 'user', parts: [image, { type: 'text', text: 'what is it?' }] },
      ],
      options: { user: 'ann' },
      vendor: { format: 'openai-chat', fields: { inputs: { city: 'Oslo' } } },
    })
    expect(body).toMatchObject({
      query: 'SYSTEM:\nBe brief.\n\nUSER:\nhi\n\nASSISTANT:\nyes?\n\nUSER:\nwhat is it?',
      user: 'ann',
      inputs: { city: 'Oslo' },
      files: [{ type: 'image', transfer_method: 'remote_url', url: 'https://i.example/a.png' }],
    })
  })

  it('name files that were uploaded by their ids', () => {
    const source = { type: 'base64', mediaType: 'application/pdf', data: 'AA==' } as const
    const requested = {
      messages: [{ role: 'user', parts: [{ type: 'media', kind: 'document', source }] }],
    } as const
    const fileIds = new Map([['AA==', 'f-1']])
    expect(encoded(requested, '', fileIds).body.files).toEqual([
      { type: 'document', transfer_method: 'local_file', upload_file_id: 'f-1' },
    ])
  })

  it('name what is left out, and refuse what would change the response', () => {
    const sampling = { temperature: 0, stop: [], candidates: 1 }
    expect(encoded({ sampling, maxOutputTokens: 9 }).dropped).toEqual(['temperature', 'max_tokens'])
    const data = { type: 'base64', mediaType: 'image/png', data: 'AA==' } as const
    const refused: readonly Partial<ChatRequest>[] = [
      { tools: [{ type: 'function', name: 'f' }] },
      { outputFormat: { type: 'json' } },
      { sampling: { stop: ['x'], candidates: 1 } },
      { sampling: { stop: [], candidates: 2 } },
      { messages: [{ role: 'user', parts: [{ type: 'media', kind: 'image', source: data }] }] },
    ]
    for (const more of refused) expect(() => encoded(more)).toThrow(RequestFault)
  })
})

describe('answers of Dify', () => {
  const stream = (events: readonly object[]) =>
    events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('')
  const end = { event: 'message_end', message_id: 'm-1', metadata: {} }

  it('of agents are put together from their stream, with a judged answer replaced', () => {
    const events = [
      { event: 'agent_message', message_id: 'm-1', created_at: 7, answer: 'Bad ' },
      { event: 'agent_message', message_id: 'm-1', answer: 'words.' },
      { event: 'message_replace', message_id: 'm-1', answer: 'I cannot say that.' },
      end,
    ]
    const reading = operationOf('agent').codec.decodeResponse(stream(events))
    expect(reading).toMatchObject({
      ok: true,
      response: {
        id: 'm-1',
        createdAt: 7,
        candidates: [
          { parts: [{ type: 'text', text: 'I cannot say that.' }], stop: { reason: 'content-filter' } },
        ],
      },
    })
  })

  it('that break off or fail are no answers', () => {
    const { codec } = operationOf('agent')
    const message = { event: 'agent_message', message_id: 'm-1', answer: 'It' }
    expect(codec.decodeResponse(stream([message])).ok).toBe(false)
    const failure = { event: 'error', status: 400, code: 'provider_quota_exceeded', message: 'no more' }
    expect(codec.decodeResponse(stream([message, failure]))).toMatchObject({
      ok: false,
      error: { kind: 'quota' },
    })
    expect(codec.decodeResponse('<html>').ok).toBe(false)
  })

  it('report the steps of a workflow where the operator wants it', () => {
    const events = [
      { event: 'workflow_started', message_id: 'm-1', data: {} },
      { event: 'node_started', data: { title: 'Look up', node_type: 'knowledge-retrieval' } },
      { event: 'message', message_id: 'm-1', answer: 'Yes.' },
      end,
    ]
    const reasoning = (progress: boolean) => {
      const { start, step } = operationOf('', progress).codec.decodeStream
      const state = start()
      const parts = events.flatMap((event) => step(state, { event: '', data: JSON.stringify(event) }))
      return collectResponse(parts).candidates[0]?.parts
    }
    expect(reasoning(false)).toEqual([{ type: 'text', text: 'Yes.' }])
    expect(reasoning(true)?.[0]).toEqual({
      type: 'reasoning',
      text: 'Workflow\nLook up · knowledge-retrieval\n',
    })
  })
})
