import { describe, expect, it } from 'bun:test'
import { keyFault, keyShape, keysIn } from './keys.ts'

describe('keys', () => {
  it('are one a line, without blank lines and repetitions', () => {
    expect(keysIn(' a \r\n\nb\na', 40)).toEqual(['a', 'b'])
  })

  it('takes keys out of what they were copied with: a header, quotes, a list', () => {
    const copied = [
      'sk-a',
      ' Bearer sk-a',
      'bearer  sk-a',
      '"sk-a"',
      "'sk-a'",
      '`sk-a`',
      '"sk-a",',
      '"Bearer sk-a";',
    ]
    for (const text of copied) expect(keysIn(text, 1), text).toEqual(['sk-a'])
    const untouched = ['sk-a,b', 'a|b"c', 'Bearer', '"a', 'a,', "it's|a|key'"]
    for (const text of untouched) expect(keysIn(text, 1), text).toEqual([text])
  })

  it.each([
    [15, 'api|secret', 'APIKey|SecretKey'],
    [16, 'id.secret', 'id.secret'],
    [18, 'app|secret|key', 'APPID|APISecret|APIKey'],
    [22, 'fastgpt-abc-app1', 'APIKey-AppId'],
    [23, 'app|id|key', 'AppId|SecretId|SecretKey'],
    [33, 'ak|sk|us-east-1', 'AccessKeyId|SecretAccessKey|Region'],
  ])('of type %i have its shape', (type, key, shape) => {
    expect(keyShape(type)).toBe(shape)
    expect(keyFault(key, type)).toBeUndefined()
    for (const wrong of ['plain', `${key}|more|parts`, '|', 'a|'])
      if (type !== 22 || !wrong.includes('-')) expect(keyFault(wrong, type)).toBe('format')
  })

  it('of Qianfan may name an application', () => {
    for (const key of ['bce-v3/ALTAK-a/b', 'bce-v3/ALTAK-a/b|app-1'])
      expect(keyFault(key, 46)).toBeUndefined()
    for (const key of ['a|', '|a', 'a|b|c', 'a b']) expect(keyFault(key, 46)).toBe('format')
  })

  it.each([50, 51])('of type %i may be keys of another gateway', (type) => {
    for (const key of ['access|secret', 'sk-of-a-gateway']) expect(keyFault(key, type)).toBeUndefined()
    for (const key of ['plain', 'a|', 'a|b|c', 'sk-', 'sk-a b']) expect(keyFault(key, type)).toBe('format')
  })

  it('of Bedrock may be API keys, with a region that is a plain label', () => {
    expect(keyFault('token|eu-west-1', 33)).toBeUndefined()
    for (const region of ['evil.example/', 'EU', '']) expect(keyFault(`ak|sk|${region}`, 33)).toBe('format')
  })

  it('of other types are any text that a header can hold', () => {
    expect(keyShape(1)).toBe('')
    expect([keyFault('sk-|-|', 1), keyFault('sk-ключ', 1)]).toEqual([undefined, 'characters'])
  })

  const account = {
    type: 'service_account',
    project_id: 'house-1',
    client_email: 'a@p.example',
    private_key: '-----BEGIN\nü',
  }

  it('of Vertex are service accounts, one line each however they were pasted', () => {
    const [line = ''] = keysIn(JSON.stringify(account, null, 2), 41)
    expect(line).toMatch(/^[ -~]+$/)
    expect(JSON.parse(line)).toEqual(account)
    const other = { ...account, client_email: 'b@p.example' }
    expect(keysIn(JSON.stringify([account, other], null, 2), 41)).toHaveLength(2)
    expect(keysIn(`${line}\n\n${JSON.stringify(other)}\n`, 41)).toHaveLength(2)
    expect(keyFault(line, 41)).toBeUndefined()
  })

  it('of Vertex may be API keys of Google', () => {
    for (const key of [`AIza${'x'.repeat(35)}`, `AQ.Ab8${'y'.repeat(40)}`])
      expect(keysIn(key, 41).map((each) => keyFault(each, 41))).toEqual([undefined])
  })

  it.each([
    { ...account, project_id: undefined },
    { ...account, project_id: '../other' },
    { ...account, client_email: ' ' },
    { ...account, private_key: 'AIza' },
  ])('of Vertex have all that a call needs: not %j', (incomplete) => {
    expect(keyFault(JSON.stringify(incomplete), 41)).toBe('service-account')
  })

  it.each(['sk-plain', 'AIza', '{"client_email":"a"}', 'null', '[1]', '{'])(
    'of Vertex are not %s',
    (text) => {
      expect(keysIn(text, 41).map((key) => keyFault(key, 41))).toEqual(['service-account'])
    },
  )
})
