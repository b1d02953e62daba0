import { describe, expect, it } from 'bun:test'
import { hasLanguages, type SetupName, setupNames, setupSteps } from './setups.ts'

const facts = {
  address: 'https://gate.example.com',
  key: 'sk-abc',
  model: 'gpt-4o-mini',
  smallModel: 'small-one',
  system: 'Tollgate',
}
const codeOf = (name: SetupName, language: 'python' | 'typescript' = 'python', filled = facts) =>
  setupSteps(name, language, filled).map(({ code }) => code)

describe('set-ups', () => {
  it.each(setupNames)('%s names the address, the key and the model', (name) => {
    for (const language of ['python', 'typescript'] as const) {
      const all = codeOf(name, language).join('\n')
      for (const fact of [facts.address, facts.key, facts.model]) expect(all).toContain(fact)
    }
    expect(hasLanguages(name)).toBe(codeOf(name, 'python')[0] !== codeOf(name, 'typescript')[0])
  })

  it.each([
    ['claudeCode', false],
    ['codex', true],
    ['geminiCli', false],
    ['cursor', true],
    ['openai', true],
    ['anthropic', false],
    ['google', false],
    ['curl', true],
  ] as const)('%s is given the version of the API only when it does not add it: %p', (name, provided) => {
    expect(codeOf(name).join('\n').includes('example.com/v1')).toBe(provided)
  })

  it('gives Claude Code the same for a shell and for its settings file', () => {
    const [shell = '', file = ''] = codeOf('claudeCode')
    const { env } = JSON.parse(file) as { env: Record<string, string> }
    expect(env).toEqual({
      ANTHROPIC_BASE_URL: facts.address,
      ANTHROPIC_AUTH_TOKEN: facts.key,
      ANTHROPIC_MODEL: facts.model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: facts.smallModel,
    })
    for (const [name, value] of Object.entries(env)) expect(shell).toContain(`export ${name}='${value}'`)
  })

  it('gives Codex a provider of its own, whatever the installation is called', () => {
    const [config = ''] = codeOf('codex', 'python', { ...facts, system: 'The "best" gate' })
    expect(Bun.TOML.parse(config)).toEqual({
      model: facts.model,
      model_provider: 'tollgate',
      model_providers: {
        tollgate: {
          name: 'The "best" gate',
          base_url: 'https://gate.example.com/v1',
          env_key: 'TOLLGATE_API_KEY',
          wire_api: 'responses',
        },
      },
    })
  })

  it('survives a shell: what curl sends is JSON whatever the model is called', async () => {
    const model = `it's "odd" $HOME`
    const [code = ''] = codeOf('curl', 'python', { ...facts, model })
    const run = Bun.spawn(['sh', '-c', code.replace('curl', 'printf "%s\\n"')], { stdout: 'pipe' })
    const printed = await new Response(run.stdout).text()
    const body: unknown = JSON.parse(printed.slice(printed.indexOf('{')))
    expect(body).toEqual({ model, messages: [{ role: 'user', content: 'Hello!' }] })
  })

  it.each(['openai', 'anthropic', 'google'] as const)('%s in TypeScript is TypeScript', (name) => {
    const model = 'a "model"\n'
    const [code = ''] = codeOf(name, 'typescript', { ...facts, model })
    expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(code)).not.toThrow()
  })
})
