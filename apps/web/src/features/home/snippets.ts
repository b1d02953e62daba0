export const snippetKinds = ['curl', 'python', 'node'] as const
export type SnippetKind = (typeof snippetKinds)[number]

/** A first call in three ways, with the key left to be filled in. */
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
