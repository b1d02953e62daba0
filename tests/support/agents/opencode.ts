import { dialectCalls } from '../dialects/dialect-calls.ts'
import { upstreamNames } from '../protocols/upstream-channels.ts'
import { type Agent, eventsIn, toolResult } from './agent.ts'
import { messageTurns } from './messages-turns.ts'

const headers = {
  'content-type': 'application/json',
  'user-agent': 'opencode/1.18.33 ai-sdk/provider-utils/4.0.0 runtime/bun/1.3.0',
  'x-session-id': 'ses_5f2c4ad1ffe0000000000000',
}
const question = 'List the files — 列出文件'
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { command: { type: 'string' }, timeout: { type: 'number' } },
  required: ['command'],
  additionalProperties: false,
}
const tool = { name: 'bash', arguments: { command: 'ls', timeout: 1000 } }
const title = 'You are a title generator.'

/** Before its loop the agent has a title made, by a call without tools. */
export interface Titled extends Agent {
  titleRequest(model: string): ReturnType<Agent['request']>
}

const messages = { path: '/v1/messages', headers: { ...headers, 'anthropic-version': '2023-06-01' } }
const stated = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })

/** Through Messages: it sends reasoning back although the request wants none. */
export const openCodeMessages: Titled = {
  name: 'opencode through Messages',
  dialect: dialectCalls[2],
  tool,
  keepsSignaturesOf: upstreamNames,
  titleRequest: (model) => ({
    ...messages,
    body: JSON.stringify({
      model,
      max_tokens: 32000,
      system: [{ type: 'text', text: title, cache_control: { type: 'ephemeral' } }],
      messages: [stated('Generate a title for this conversation:\n'), stated(question)],
      stream: true,
    }),
  }),
  request: (model, turns) => ({
    ...messages,
    body: JSON.stringify({
      model,
      max_tokens: 32000,
      system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
      messages: [stated(question), ...turns],
      tools: [
        { name: 'bash', description: 'Runs a command.', input_schema: schema, eager_input_streaming: true },
      ],
      tool_choice: { type: 'auto' },
      stream: true,
    }),
  }),
  turnsAfter: messageTurns({}),
}

interface GeminiChunk {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly GeminiPart[] } }[]
}

interface GeminiPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly name: string; readonly args: unknown }
}

const requested = (text: string) => ({ role: 'user', parts: [{ text }] })

/** Through Gemini: calls and results carry no ids. */
export const openCodeGemini: Titled = {
  name: 'opencode through Gemini',
  dialect: dialectCalls[3],
  tool,
  keepsSignaturesOf: ['gemini'],
  titleRequest: (model) => ({
    path: pathOf(model),
    headers,
    body: JSON.stringify({
      generationConfig: { maxOutputTokens: 32000, temperature: 0.5 },
      contents: [requested('Generate a title for this conversation:\n'), requested(question)],
      systemInstruction: { parts: [{ text: title }] },
    }),
  }),
  request: (model, turns) => ({
    path: pathOf(model),
    headers,
    body: JSON.stringify({
      generationConfig: { maxOutputTokens: 32000, thinkingConfig: { includeThoughts: true } },
      contents: [requested(question), ...turns],
      systemInstruction: { parts: [{ text: 'You are an agent.' }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: 'bash',
              description: 'Runs a command.',
              parameters: { type: 'object', properties: schema.properties, required: schema.required },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    }),
  }),
  turnsAfter(reply) {
    const parts = eventsIn<GeminiChunk>(reply).flatMap(({ candidates = [] }) =>
      candidates.flatMap(({ content }) => content?.parts ?? []),
    )
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    return [
      { role: 'model', parts: parts.map(withoutId) },
      {
        role: 'user',
        parts: calls.map(({ name }) => ({
          functionResponse: { name, response: { name, content: toolResult } },
        })),
      },
    ]
  },
}

function pathOf(model: string): string {
  return `/v1beta/models/${model}:streamGenerateContent?alt=sse`
}

function withoutId({ functionCall: call, ...part }: GeminiPart): GeminiPart {
  return call === undefined ? part : { ...part, functionCall: { name: call.name, args: call.args } }
}
