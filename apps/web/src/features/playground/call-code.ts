import { type ChatSettings, responseFields } from './chat/send-chat.ts'
import type { SentMessage } from './chat/thread.ts'

/** Request of a program. */
interface CallToCopy {
  /** Address of this installation, without a slash at its end. */
  readonly address: string
  readonly settings: Omit<ChatSettings, 'group'>
  readonly messages: readonly SentMessage[]
}

export const codeLanguages = ['curl', 'python', 'typescript'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

/** Variable from which the examples read the key: shared code must not contain keys. */
export const keyVariable = 'TOLLGATE_API_KEY'

/**
 * The same call for a program, with a key of one's own. The group is the key's own there, and a limit of 0 is none.
 */
export function callCode(language: CodeLanguage, call: CallToCopy): string {
  return writers[language](call)
}

const writers: Readonly<Record<CodeLanguage, (call: CallToCopy) => string>> = {
  curl: curlCommand,
  python: pythonCode,
  typescript: typescriptCode,
}

function bodyOf({ settings, messages }: CallToCopy): object {
  const { model, temperature, maxTokens, stream } = settings
  return {
    model,
    messages,
    temperature,
    ...(maxTokens > 0 && { max_tokens: maxTokens }),
    ...responseFields(settings),
    ...(stream && { stream: true }),
  }
}

/**
 * Writes a curl command. The body is a here-document: nothing in it needs quoting, and an image is longer than the limit of an
 * argument. No line of it can be the end mark, because JSON has line breaks only between its own words.
 */
function curlCommand(call: CallToCopy): string {
  return [
    `curl${call.settings.stream ? ' -N' : ''} ${call.address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $${keyVariable}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  --data-binary @- <<'JSON'`,
    JSON.stringify(bodyOf(call), null, 2),
    'JSON',
  ].join('\n')
}

function pythonCode(call: CallToCopy): string {
  const { stream } = call.settings
  return [
    'import os',
    '',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url="${call.address}/v1",`,
    `    api_key=os.environ["${keyVariable}"],`,
    ')',
    '',
    `${stream ? 'stream' : 'completion'} = client.chat.completions.create(`,
    ...Object.entries(bodyOf(call)).map(([name, value]) => `    ${name}=${pythonValue(value, '    ')},`),
    ')',
    ...(stream
      ? [
          'for chunk in stream:',
          '    if chunk.choices:',
          '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
        ]
      : ['print(completion.choices[0].message.content)']),
  ].join('\n')
}

const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** JSON as Python writes it: a text is the same in both, and a word at the end of a line is none, because texts end in a quote. */
function pythonValue(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 4)
    .replace(/\b(true|false|null)(?=,?$)/gm, (word) => pythonWords[word] ?? word)
    .replaceAll('\n', `\n${indent}`)
}

function typescriptCode(call: CallToCopy): string {
  const { stream } = call.settings
  return [
    "import OpenAI from 'openai'",
    '',
    'const client = new OpenAI({',
    `  baseURL: '${call.address}/v1',`,
    `  apiKey: process.env.${keyVariable},`,
    '})',
    '',
    `const ${stream ? 'stream' : 'completion'} = await client.chat.completions.create(${scriptValue(bodyOf(call))})`,
    ...(stream
      ? [
          'for await (const chunk of stream) {',
          "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')",
          '}',
        ]
      : ['console.log(completion.choices[0]?.message.content)']),
  ].join('\n')
}

/** JSON with bare names: only a name at the start of a line is one, because texts have no line breaks of their own. */
function scriptValue(value: object): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"(\w+)":/gm, '$1$2:')
}
