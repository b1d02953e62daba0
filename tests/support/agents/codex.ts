import { dialectCalls } from '../dialects/dialect-calls.ts'
import { upstreamNames } from '../protocols/upstream-channels.ts'
import { type Agent, eventsIn, type Json, toolResult } from './agent.ts'

const [, dialect] = dialectCalls

const patch = '*** Begin Patch\n*** Add File: a.txt\n+"one" \\ two\n*** End Patch'
const grammar = 'start: begin_patch hunk+ end_patch\nbegin_patch: "*** Begin Patch" LF\n'
const script = 'const files = await tools.shell({ command: "ls" })\ntext(files)'

const headers = {
  accept: 'text/event-stream',
  'content-type': 'application/json',
  originator: 'codex_exec',
  'session-id': '019a9f3c-0000-7000-8000-000000000001',
  'thread-id': '019a9f3c-0000-7000-8000-000000000001',
  'user-agent': 'codex_exec/0.169.0 (Linux; x86_64)',
  'x-codex-turn-metadata': '{"sandbox":"none"}',
}

const shell = {
  type: 'function',
  name: 'exec_command',
  description: 'Runs a command.',
  strict: false,
  parameters: {
    type: 'object',
    properties: { cmd: { type: 'string' }, yield_time_ms: { type: 'number' } },
    required: ['cmd'],
    additionalProperties: false,
  },
}

const spawn = { ...shell, name: 'spawn_agent', description: 'Starts another agent.' }

const question = [
  {
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text: 'You are an agent.' }],
  },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files — 列出文件' }] },
]

const fields = {
  tool_choice: 'auto',
  parallel_tool_calls: false,
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '019a9f3c-0000-7000-8000-000000000001',
  client_metadata: { 'x-codex-installation-id': '7e2c4ad1-0000-4000-8000-000000000000' },
}

interface OutputItem extends Json {
  readonly type: string
  readonly call_id?: string
}

/** Every item of the response without its id, and an output for every call. */
function turnsWith(output: unknown): Agent['turnsAfter'] {
  return (reply) => {
    const done = eventsIn<{ readonly type: string; readonly item: OutputItem }>(reply)
    const items = done.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []))
    return [
      ...items.map(({ id: _, ...item }) => item),
      ...items.flatMap(({ type, call_id }) =>
        call_id === undefined ? [] : [{ type: `${type}_output`, call_id, output }],
      ),
    ]
  }
}

/** Codex with an unknown model name: it puts instructions into the input, and tools into namespaces. */
export const codexUnknown: Agent = {
  name: 'Codex with a name that it does not know',
  dialect,
  tool: { name: 'exec_command', arguments: { cmd: 'ls "a b"', yield_time_ms: 1000 } },
  keepsSignaturesOf: upstreamNames,
  request: (model, turns) => ({
    path: '/v1/responses',
    headers,
    body: JSON.stringify({
      model,
      input: [...question, ...turns],
      tools: [
        shell,
        { type: 'namespace', name: 'agents', description: 'Other agents.', tools: [spawn] },
        { type: 'web_search', external_web_access: false },
      ],
      reasoning: null,
      ...fields,
    }),
  }),
  turnsAfter: turnsWith(toolResult),
}

/** Codex with the name gpt-5.5: a custom tool with a grammar, and a search for further tools. */
export const codex: Agent = {
  name: 'Codex with gpt-5.5',
  dialect,
  tool: { name: 'apply_patch', arguments: { input: patch } },
  keepsSignaturesOf: upstreamNames,
  request: (model, turns) => ({
    path: '/v1/responses',
    headers,
    body: JSON.stringify({
      model,
      instructions: 'You are Codex.',
      input: [...question, ...turns],
      tools: [
        shell,
        {
          type: 'custom',
          name: 'apply_patch',
          description: 'Edits files.',
          format: { type: 'grammar', syntax: 'lark', definition: grammar },
        },
        {
          type: 'tool_search',
          execution: 'client',
          description: 'Finds tools.',
          parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
        },
        { type: 'web_search', external_web_access: false },
      ],
      reasoning: { effort: 'medium', summary: 'auto' },
      text: { verbosity: 'low' },
      ...fields,
    }),
  }),
  turnsAfter: turnsWith(toolResult),
}

/** Codex with a name of gpt-6: it puts tools into the input, and their outputs are lists. */
export const codexLite: Agent = {
  name: 'Codex with a name of gpt-6',
  dialect,
  tool: { name: 'exec', arguments: { input: script } },
  keepsSignaturesOf: upstreamNames,
  request: (model, turns) => ({
    path: '/v1/responses',
    headers: { ...headers, 'x-openai-internal-codex-responses-lite': 'true' },
    body: JSON.stringify({
      model,
      input: [
        {
          type: 'additional_tools',
          role: 'developer',
          tools: [
            { type: 'custom', name: 'exec', description: 'Runs JavaScript.', format: { type: 'text' } },
            { type: 'namespace', name: 'agents', description: 'Other agents.', tools: [shell] },
          ],
        },
        ...question,
        ...turns,
      ],
      reasoning: { effort: 'medium', context: 'all_turns' },
      text: { verbosity: 'low' },
      ...fields,
    }),
  }),
  turnsAfter: turnsWith([
    { type: 'input_text', text: 'Script completed\n' },
    { type: 'input_text', text: toolResult },
  ]),
}
