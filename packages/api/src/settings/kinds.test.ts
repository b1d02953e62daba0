import { describe, expect, it } from 'bun:test'
import { addressRangeEntry, domainEntry } from './entries.ts'
import { choice, commas, decimal, flag, integer, json, lines, secret, text } from './kinds.ts'
import { numberMap } from './shapes.ts'

const codeOf = (result: { ok: boolean; code?: string }) => (result.ok ? 'ok' : result.code)

describe('flag', () => {
  it('is exactly true or false', () => {
    const setting = flag({ default: false })
    expect(setting.parse('true')).toEqual({ ok: true, value: true })
    expect(setting.parse('false')).toEqual({ ok: true, value: false })
    for (const wrong of ['', 'True', '1', 't', 'yes', ' true', 'null']) {
      expect(codeOf(setting.parse(wrong))).toBe('option_not_flag')
    }
  })
})

describe('integer', () => {
  const setting = integer({ default: 0, min: 0, max: 10 })

  it.each(['0', '10', ' 7 ', '007'])('accepts %j', (raw) => {
    expect(setting.parse(raw)).toEqual({ ok: true, value: Number(raw) })
  })

  it.each(['', ' ', '1.5', '1.0', '1e1', 'NaN', 'Infinity', '-1', '11', '0x5', '5 apples', '+5', 'null'])(
    'refuses %j',
    (raw) => {
      expect(setting.parse(raw)).toEqual({
        ok: false,
        code: 'option_not_integer',
        details: { min: 0, max: 10 },
      })
    },
  )

  it('refuses numbers that a number cannot hold exactly', () => {
    const wide = integer({ default: 0 })
    expect(codeOf(wide.parse('9007199254740993'))).toBe('option_not_integer')
    expect(codeOf(wide.parse('99999999999999999999999'))).toBe('option_not_integer')
    expect(wide.parse('-9007199254740991')).toEqual({ ok: true, value: Number.MIN_SAFE_INTEGER })
  })
})

describe('decimal', () => {
  const setting = decimal({ default: 1, min: 0, max: 100 })

  it.each(['0', '0.5', '.5', '7.3', '1e-7', '100'])('accepts %j', (raw) => {
    expect(setting.parse(raw)).toEqual({ ok: true, value: Number(raw) })
  })

  it.each(['', 'NaN', 'Infinity', '1e400', '-0.1', '100.01', '7,3', '0x1', '$1'])('refuses %j', (raw) => {
    expect(codeOf(setting.parse(raw))).toBe('option_not_number')
  })

  it('reads its own text back, however small the number', () => {
    expect(setting.parse(setting.format(1.5e-9))).toEqual({ ok: true, value: 1.5e-9 })
  })
})

describe('choice', () => {
  it('accepts only its options', () => {
    const setting = choice(['hour', 'day'], { default: 'hour' })
    expect(setting.parse('day')).toEqual({ ok: true, value: 'day' })
    expect(setting.parse('year')).toEqual({
      ok: false,
      code: 'option_not_choice',
      details: { choices: ['hour', 'day'] },
    })
  })
})

describe('text', () => {
  it('trims, and refuses line breaks and control characters in one line', () => {
    const setting = text({ maxLength: 20 })
    expect(setting.parse('  Gate ')).toEqual({ ok: true, value: 'Gate' })
    expect(codeOf(setting.parse('a\r\nBcc: b@x.com'))).toBe('option_control_character')
    expect(codeOf(setting.parse('a\0b'))).toBe('option_control_character')
    expect(codeOf(setting.parse('x'.repeat(21)))).toBe('option_too_long')
  })

  it('leaves many lines unchanged, except for NUL', () => {
    const setting = text({ maxLength: 100, multiline: true })
    expect(setting.parse(' # Hello\n\tworld ')).toEqual({ ok: true, value: ' # Hello\n\tworld ' })
    expect(codeOf(setting.parse('a\0b'))).toBe('option_control_character')
  })

  it('as an address is empty or full http(s), without a trailing slash where that matters', () => {
    const setting = text({ maxLength: 100, url: true, trimTrailingSlash: true })
    expect(setting.parse('https://gate.example//')).toEqual({ ok: true, value: 'https://gate.example' })
    expect(setting.parse('http://10.0.0.1:3000/sub/')).toEqual({
      ok: true,
      value: 'http://10.0.0.1:3000/sub',
    })
    expect(setting.parse('')).toEqual({ ok: true, value: '' })
    for (const wrong of [
      'gate.example',
      'ftp://gate.example',
      'javascript:alert(1)',
      'https://',
      'https:// a',
      '/x',
    ]) {
      expect([wrong, codeOf(setting.parse(wrong))]).toEqual([wrong, 'option_not_url'])
    }
    expect(text({ maxLength: 100, url: true }).parse('https://id.example/')).toEqual({
      ok: true,
      value: 'https://id.example/',
    })
  })
})

describe('secret', () => {
  it('is one line, without the space around a pasted text', () => {
    expect(secret().parse(' hush\n')).toEqual({ ok: true, value: 'hush' })
    expect(codeOf(secret().parse('a\nb'))).toBe('option_control_character')
  })
})

describe('lines and commas', () => {
  it('drop blanks and repetitions and keep the order', () => {
    expect(lines({ default: [] }).parse(' b\r\n\na \nb\n')).toEqual({ ok: true, value: ['b', 'a'] })
    expect(commas({ default: [] }).parse('b, a,,b')).toEqual({ ok: true, value: ['b', 'a'] })
    expect(lines({ default: [] }).parse('')).toEqual({ ok: true, value: [] })
  })

  it('check every entry', () => {
    const domains = commas({ default: [], entry: domainEntry })
    expect(domains.parse('Example.com,mail.example.co')).toEqual({
      ok: true,
      value: ['example.com', 'mail.example.co'],
    })
    expect(domains.parse('Bücher.example,例子.中国,xn--fiqs8s.xn--p1ai')).toEqual({
      ok: true,
      value: ['bücher.example', '例子.中国', 'xn--fiqs8s.xn--p1ai'],
    })
    for (const wrong of [
      'localhost',
      '127.0.0.1',
      '1.2',
      'a.example:25',
      'a.example/x',
      'a@b.example',
      'a.example.',
      'a..b',
      '-a.com',
      'a-.com',
      'example.c',
      'exa mple.com',
      '@example.com',
      `${'x'.repeat(62)}.com`,
    ]) {
      expect([wrong, codeOf(domains.parse(`good.com,${wrong}`))]).toEqual([wrong, 'option_not_domain'])
    }
  })

  it('as address ranges take single addresses and CIDR of both families', () => {
    const ranges = lines({ default: [], entry: addressRangeEntry })
    const good = [
      '10.0.0.0/8',
      '192.168.1.5',
      'fd00::/8',
      '::1',
      '::',
      '1:2:3:4:5:6:7:8',
      '::ffff:10.0.0.1/96',
    ]
    expect(ranges.parse(good.join('\n'))).toEqual({ ok: true, value: good })
    const wrongIpv4 = [
      '10.0.0.0/33',
      '10.0.0',
      '1.2.3.4.5',
      '01.2.3.4',
      '256.1.1.1',
      '10.0.0.0/',
      '10.0.0.0/08',
    ]
    const wrongIpv6 = [
      'fd00::/129',
      '1:2',
      '1::2::3',
      '1:2:3:4:5:6:7:8:9',
      'g::',
      'fe80::1%eth0',
      '1.2.3.4::',
    ]
    for (const wrong of ['host', '/8', ...wrongIpv4, ...wrongIpv6]) {
      expect([wrong, codeOf(ranges.parse(wrong))]).toEqual([wrong, 'option_not_address_range'])
    }
  })

  it('refuse a list that is too long', () => {
    const endless = Array.from({ length: 20_001 }, (_, index) => String(index)).join('\n')
    expect(codeOf(lines({ default: [] }).parse(endless))).toBe('option_too_many')
    expect(codeOf(lines({ default: [] }).parse('x'.repeat(1_000_001)))).toBe('option_too_long')
  })
})

describe('json', () => {
  const setting = json(numberMap({ max: 10 }), { a: 1 })

  it('is written compactly and read back', () => {
    const parsed = setting.parse('{ "a": 1,\n "b": 2.5 }')
    expect(parsed.ok && setting.format(parsed.value)).toBe('{"a":1,"b":2.5}')
  })

  it.each(['', '{', "{'a':1}", '{"a":1,}', '{"a":NaN}', 'undefined'])('refuses %j as JSON', (raw) => {
    expect(codeOf(setting.parse(raw))).toBe('option_not_json')
  })

  it('refuses a text that is too long before parsing it', () => {
    expect(codeOf(setting.parse(`{"a":${' '.repeat(1_000_000)}1}`))).toBe('option_too_long')
  })

  it('does not start with a default that its own shape refuses', () => {
    expect(() => json(numberMap({ max: 10 }), { a: 11 })).toThrow('option_entry_number')
  })
})
