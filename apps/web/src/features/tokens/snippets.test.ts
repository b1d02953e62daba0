import { describe, expect, it } from 'bun:test'
import { exampleModel, snippetKinds, snippetOf } from './snippets.ts'

const facts = { baseUrl: 'https://gate.example.com/v1', key: 'sk-abc', model: 'gpt-4o-mini' }

describe('snippets', () => {
  it.each(snippetKinds)('%s names the address, the key and the model', (kind) => {
    const code = snippetOf(kind, facts)
    for (const fact of [facts.baseUrl, facts.key, facts.model]) expect(code).toContain(fact)
  })

  it('survives a shell: what curl sends is JSON whatever the model is called', async () => {
    const model = `it's "odd"`
    const code = snippetOf('curl', { ...facts, model }).replace('curl', 'printf "%s\\n"')
    const run = Bun.spawn(['sh', '-c', code], { stdout: 'pipe' })
    const printed = await new Response(run.stdout).text()
    const body: unknown = JSON.parse(printed.slice(printed.indexOf('{')))
    expect(body).toEqual({ model, messages: [{ role: 'user', content: 'Hello!' }] })
  })
})

describe('the model of an example', () => {
  it('is one that chats', () => {
    expect(exampleModel(['dall-e-3', 'text-embedding-3-small', 'claude-opus'])).toBe('claude-opus')
    expect(exampleModel(['a', 'gpt-4o-mini'])).toBe('gpt-4o-mini')
    expect(exampleModel(['dall-e-3'])).toBe('dall-e-3')
    expect(exampleModel([])).toBe('gpt-4o-mini')
  })
})
