import { describe, expect, it } from 'bun:test'
import { callCode } from './call-code.ts'

const plainResponse = { reasoningEffort: '', format: { type: 'text', schema: '' }, tools: '' } as const

const stated = `It's "quoted" $HOME \`id\` \\ and\nnew 'lines' 世界\nJSON\n"role": x`
const call = {
  address: 'https://gateway.example',
  settings: { model: 'gpt-4o-mini', temperature: 0, maxTokens: 0, stream: true, ...plainResponse },
  messages: [{ role: 'user', content: stated }],
} as const
const limited = { ...call, settings: { ...call.settings, maxTokens: 50, stream: false } }

describe('the call for a terminal', () => {
  it('goes to the public address with a key, without a group and without a limit of 0', () => {
    const command = callCode('curl', call)
    expect(command).toStartWith('curl -N https://gateway.example/v1/chat/completions \\\n')
    expect(command).toContain('Bearer $TOLLGATE_API_KEY')
    expect(command).not.toContain('max_tokens')
    expect(command).not.toContain('group')
    expect(callCode('curl', limited)).toContain('"max_tokens": 50')
  })

  it('survives a real shell, whatever was said, with a picture longer than an argument', async () => {
    const url = `data:image/png;base64,${'A'.repeat(300_000)}`
    const content = [
      { type: 'text', text: stated },
      { type: 'image_url', image_url: { url } },
    ] as const
    const command = callCode('curl', { ...call, messages: [{ role: 'user', content }] })
    const shell = Bun.spawn(['sh'], {
      stdin: new TextEncoder().encode(`curl() { cat; }\n${command}\n`),
      stdout: 'pipe',
    })
    const body = JSON.parse(await new Response(shell.stdout).text())
    expect(body.messages[0].content).toEqual(content)
    expect(body.stream).toBe(true)
  })
})

describe('the call for Python', () => {
  it('is the SDK with this address and the key from the environment', () => {
    const code = callCode('python', call)
    expect(code).toContain('base_url="https://gateway.example/v1"')
    expect(code).toContain('api_key=os.environ["TOLLGATE_API_KEY"]')
    expect(code).toContain('stream=True,')
    expect(code).toContain('for chunk in stream:')
    expect(code).toContain(JSON.stringify(stated))
    expect(callCode('python', limited)).toContain('print(completion.choices[0].message.content)')
  })
})

describe('the call for TypeScript', () => {
  it('compiles and says what was said', () => {
    const code = callCode('typescript', call)
    expect(code).toContain("baseURL: 'https://gateway.example/v1'")
    const sent = /create\(([\s\S]*?)\)\nfor await/.exec(code)?.[1] ?? ''
    const script = new Bun.Transpiler({ loader: 'ts' }).transformSync(`export default ${sent}`)
    expect(script).toContain('messages: [')
    expect(new Function(`return ${sent}`)()).toMatchObject({ model: 'gpt-4o-mini', messages: call.messages })
  })

  it('waits for the complete response when it is not streamed', () => {
    expect(callCode('typescript', limited)).toContain('console.log(completion.choices[0]?.message.content)')
  })
})

describe('the format of a response and functions', () => {
  const chosen = {
    ...call,
    settings: {
      ...call.settings,
      reasoningEffort: 'low',
      format: { type: 'json_schema', schema: '{"additionalProperties":false,"default":null}' },
      tools: '[{"name":"f","strict":true,"description":"is true"}]',
    },
  } as const

  it('are in the code of every language, in its own words', () => {
    const python = callCode('python', chosen)
    for (const part of ['"additionalProperties": False', '"default": None', '"strict": True', '"is true"'])
      expect(python).toContain(part)
    expect(python).toContain('reasoning_effort="low"')
    expect(callCode('typescript', chosen)).toContain('reasoning_effort: "low"')
    expect(callCode('curl', chosen)).toContain('"type": "function"')
  })
})
