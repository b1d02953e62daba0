import { describe, expect, it } from 'bun:test'
import { chatBody, chatCurl } from './chat-request.ts'

const settings = { group: 'vip', model: 'gpt-4o-mini', temperature: 0, maxTokens: 0, stream: true }
const messages = [{ role: 'user', content: 'Hi' }] as const

describe('a playground call', () => {
  it('has the fields of the contract, and asks a stream for its usage', () => {
    expect(chatBody(settings, messages)).toEqual({
      model: 'gpt-4o-mini',
      group: 'vip',
      messages,
      stream: true,
      temperature: 0,
      max_tokens: 0,
      stream_options: { include_usage: true },
    })
    expect(chatBody({ ...settings, stream: false, maxTokens: 50 }, messages)).toEqual({
      model: 'gpt-4o-mini',
      group: 'vip',
      messages,
      stream: false,
      temperature: 0,
      max_tokens: 50,
    })
  })
})

describe('the same call for a terminal', () => {
  it('goes to the public address with a key, without a group and without a limit of 0', () => {
    const command = chatCurl('https://gateway.example', settings, messages)
    expect(command).toStartWith('curl https://gateway.example/v1/chat/completions \\\n')
    expect(command).toContain('Bearer $TOLLGATE_API_KEY')
    expect(command).not.toContain('max_tokens')
    expect(command).not.toContain('vip')
  })

  it('survives a real shell, whatever was said', async () => {
    const said = `It's "quoted" $HOME \`id\` \\ and\nnew 'lines' 世界`
    const command = chatCurl('http://x', settings, [{ role: 'user', content: said }])
    const shell = Bun.spawn(['sh', '-c', `curl() { printf '%s' "$7"; }\n${command}`])
    const body = JSON.parse(await new Response(shell.stdout).text())
    expect(body.messages[0].content).toBe(said)
  })
})
