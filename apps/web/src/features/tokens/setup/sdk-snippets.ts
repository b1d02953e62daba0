import { inShellQuotes, openAiBase, type SetupFacts } from './setup-facts.ts'

/** Texts in JSON are texts in Python and TypeScript. */
const text = (value: string) => JSON.stringify(value)

export function curlSnippet(facts: SetupFacts): string {
  const { key, model } = facts
  const body = { model, messages: [{ role: 'user', content: 'Hello!' }] }
  return [
    `curl ${inShellQuotes(`${openAiBase(facts)}/chat/completions`)} \\`,
    `  -H ${inShellQuotes(`Authorization: Bearer ${key}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${inShellQuotes(JSON.stringify(body))}`,
  ].join('\n')
}

export function openAiPython(facts: SetupFacts): string {
  return [
    '# pip install openai',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${text(openAiBase(facts))},`,
    `    api_key=${text(facts.key)},`,
    ')',
    'answer = client.chat.completions.create(',
    `    model=${text(facts.model)},`,
    '    messages=[{"role": "user", "content": "Hello!"}],',
    ')',
    'print(answer.choices[0].message.content)',
  ].join('\n')
}

export function openAiTypeScript(facts: SetupFacts): string {
  return [
    '// npm install openai',
    'import OpenAI from "openai"',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${text(openAiBase(facts))},`,
    `  apiKey: ${text(facts.key)},`,
    '})',
    'const answer = await client.chat.completions.create({',
    `  model: ${text(facts.model)},`,
    '  messages: [{ role: "user", content: "Hello!" }],',
    '})',
    'console.log(answer.choices[0].message.content)',
  ].join('\n')
}

/** Anthropic's clients add `/v1` themselves. */
export function anthropicPython({ address, key, model }: SetupFacts): string {
  return [
    '# pip install anthropic',
    'from anthropic import Anthropic',
    '',
    'client = Anthropic(',
    `    base_url=${text(address)},`,
    `    api_key=${text(key)},`,
    ')',
    'message = client.messages.create(',
    `    model=${text(model)},`,
    '    max_tokens=1024,',
    '    messages=[{"role": "user", "content": "Hello!"}],',
    ')',
    'print("".join(block.text for block in message.content if block.type == "text"))',
  ].join('\n')
}

export function anthropicTypeScript({ address, key, model }: SetupFacts): string {
  return [
    '// npm install @anthropic-ai/sdk',
    'import Anthropic from "@anthropic-ai/sdk"',
    '',
    'const client = new Anthropic({',
    `  baseURL: ${text(address)},`,
    `  apiKey: ${text(key)},`,
    '})',
    'const message = await client.messages.create({',
    `  model: ${text(model)},`,
    '  max_tokens: 1024,',
    '  messages: [{ role: "user", content: "Hello!" }],',
    '})',
    'for (const block of message.content) if (block.type === "text") console.log(block.text)',
  ].join('\n')
}

/** Google's clients add `/v1beta` themselves. */
export function googlePython({ address, key, model }: SetupFacts): string {
  return [
    '# pip install google-genai',
    'from google import genai',
    'from google.genai import types',
    '',
    'client = genai.Client(',
    `    api_key=${text(key)},`,
    `    http_options=types.HttpOptions(base_url=${text(address)}),`,
    ')',
    'answer = client.models.generate_content(',
    `    model=${text(model)},`,
    '    contents="Hello!",',
    ')',
    'print(answer.text)',
  ].join('\n')
}

export function googleTypeScript({ address, key, model }: SetupFacts): string {
  return [
    '// npm install @google/genai',
    'import { GoogleGenAI } from "@google/genai"',
    '',
    'const client = new GoogleGenAI({',
    `  apiKey: ${text(key)},`,
    `  httpOptions: { baseUrl: ${text(address)} },`,
    '})',
    'const answer = await client.models.generateContent({',
    `  model: ${text(model)},`,
    '  contents: "Hello!",',
    '})',
    'console.log(answer.text)',
  ].join('\n')
}
