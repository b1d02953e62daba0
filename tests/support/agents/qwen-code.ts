import { dialectCalls } from '../dialects/dialect-calls.ts'
import { type Agent, eventsIn, toolResult } from './agent.ts'

interface Chunk {
  readonly choices: readonly { readonly delta?: Delta }[]
}

interface Delta {
  readonly content?: string | null
  readonly reasoning_content?: string
  readonly tool_calls?: readonly CallDelta[]
}

interface CallDelta {
  readonly index: number
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

/** Chat Completions; it sends reasoning back under both names, and results as lists of parts. */
export const qwenCode: Agent = {
  name: 'Qwen Code',
  dialect: dialectCalls[0],
  tool: { name: 'run_shell_command', arguments: { command: 'ls', is_background: false } },
  keepsSignaturesOf: [],
  request: (model, turns) => ({
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', 'user-agent': 'QwenCode/0.24.4 (linux; x64)' },
    body: JSON.stringify({
      model,
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: [{ type: 'text', text: 'List the files — 列出文件' }] },
        ...turns,
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'run_shell_command',
            description: 'Runs a command.',
            parameters: {
              type: 'object',
              properties: { command: { type: 'string' }, is_background: { type: 'boolean' } },
              required: ['command', 'is_background'],
            },
          },
        },
      ],
      max_tokens: 8000,
      stream: true,
      stream_options: { include_usage: true },
    }),
  }),
  turnsAfter(reply) {
    const deltas = eventsIn<Chunk>(reply).flatMap(({ choices }) => choices.map(({ delta = {} }) => delta))
    const reasoning = deltas.map(({ reasoning_content = '' }) => reasoning_content).join('')
    const calls = callsIn(deltas.flatMap(({ tool_calls = [] }) => tool_calls))
    return [
      {
        role: 'assistant',
        content: deltas.map(({ content }) => content ?? '').join(''),
        tool_calls: calls,
        ...(reasoning !== '' && { reasoning_content: reasoning, reasoning: reasoning }),
      },
      ...calls.map(({ id }) => ({
        role: 'tool',
        tool_call_id: id,
        content: [{ type: 'text', text: toolResult }],
      })),
    ]
  },
}

function callsIn(pieces: readonly CallDelta[]) {
  const started = pieces.filter(({ id }) => id !== undefined && id !== '')
  return started.map(({ index, id, function: called }) => {
    const own = pieces.filter((piece) => piece.index === index)
    const text = own.map((piece) => piece.function?.arguments ?? '').join('')
    return { id, type: 'function', function: { name: called?.name, arguments: text } }
  })
}
