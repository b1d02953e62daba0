export const snippetKinds = ['curl', 'python', 'node', 'anthropic', 'gemini'] as const
export type SnippetKind = (typeof snippetKinds)[number]

/** A first call in several ways, with the key left to be filled in. */
export function snippetOf(kind: SnippetKind, serverAddress: string, model: string): string {
  const baseUrl = `${serverAddress}/v1`
  switch (kind) {
    case 'curl':
      return [
        `curl ${baseUrl}/chat/completions \\`,
        `  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"model": ${JSON.stringify(model)},`,
        `       "messages": [{"role": "user", "content": "Hello!"}]}'`,
      ].join('\n')
    case 'anthropic':
      return [
        `curl ${baseUrl}/messages \\`,
        `  -H "x-api-key: $TOLLGATE_API_KEY" \\`,
        `  -H "anthropic-version: 2023-06-01" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"model": ${JSON.stringify(model)}, "max_tokens": 1024,`,
        `       "messages": [{"role": "user", "content": "Hello!"}]}'`,
      ].join('\n')
    case 'gemini':
      return [
        `curl ${serverAddress}/v1beta/models/${model}:generateContent \\`,
        `  -H "x-goog-api-key: $TOLLGATE_API_KEY" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"contents": [{"role": "user", "parts": [{"text": "Hello!"}]}]}'`,
      ].join('\n')
    case 'python':
      return [
        'import os',
        'from openai import OpenAI',
        '',
        'client = OpenAI(',
        `    base_url=${JSON.stringify(baseUrl)},`,
        `    api_key=os.environ["TOLLGATE_API_KEY"],`,
        ')',
        'answer = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        '    messages=[{"role": "user", "content": "Hello!"}],',
        ')',
        'print(answer.choices[0].message.content)',
      ].join('\n')
    case 'node':
      return [
        `import OpenAI from 'openai'`,
        '',
        'const client = new OpenAI({',
        `  baseURL: '${baseUrl}',`,
        '  apiKey: process.env.TOLLGATE_API_KEY,',
        '})',
        'const answer = await client.chat.completions.create({',
        `  model: '${model}',`,
        `  messages: [{ role: 'user', content: 'Hello!' }],`,
        '})',
        'console.log(answer.choices[0].message.content)',
      ].join('\n')
  }
}
