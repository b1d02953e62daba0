export const snippetKinds = ['curl', 'python', 'node'] as const
export type SnippetKind = (typeof snippetKinds)[number]

export interface SnippetFacts {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  /** With its `sk-`. */
  readonly key: string
  readonly model: string
}

/** A first call, ready to be pasted: nothing is left to be filled in. */
export function snippetOf(kind: SnippetKind, facts: SnippetFacts): string {
  return snippets[kind](facts).join('\n')
}

const snippets = {
  curl: ({ baseUrl, key, model }: SnippetFacts) => [
    `curl ${baseUrl}/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{`,
    `    "model": ${inShellQuotes(JSON.stringify(model))},`,
    `    "messages": [{"role": "user", "content": "Hello!"}]`,
    `  }'`,
  ],
  python: ({ baseUrl, key, model }: SnippetFacts) => [
    '# pip install openai',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${JSON.stringify(baseUrl)},`,
    `    api_key=${JSON.stringify(key)},`,
    ')',
    'answer = client.chat.completions.create(',
    `    model=${JSON.stringify(model)},`,
    '    messages=[{"role": "user", "content": "Hello!"}],',
    ')',
    'print(answer.choices[0].message.content)',
  ],
  node: ({ baseUrl, key, model }: SnippetFacts) => [
    '// npm install openai',
    'import OpenAI from "openai"',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(baseUrl)},`,
    `  apiKey: ${JSON.stringify(key)},`,
    '})',
    'const answer = await client.chat.completions.create({',
    `  model: ${JSON.stringify(model)},`,
    '  messages: [{ role: "user", content: "Hello!" }],',
    '})',
    'console.log(answer.choices[0].message.content)',
  ],
} as const satisfies Record<SnippetKind, (facts: SnippetFacts) => readonly string[]>

/** A quote inside single quotes of a shell: end them, quote it, begin again. */
function inShellQuotes(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

const fallbackModel = 'gpt-4o-mini'
const notForChat =
  /embed|tts|whisper|dall-e|image|moderation|rerank|realtime|audio|transcribe|suno|midjourney|^mj[_-]/i

/** A model to show a first call with: one that answers chat, if any does. */
export function exampleModel(models: readonly string[]): string {
  if (models.includes(fallbackModel)) return fallbackModel
  return models.find((model) => !notForChat.test(model)) ?? models[0] ?? fallbackModel
}
