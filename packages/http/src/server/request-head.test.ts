import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { parseRequestHead, RefusedRequestError } from './request-head.ts'

const head = (...lines: readonly string[]) => ['POST /a HTTP/1.1', 'Host: a', ...lines].join('\r\n')
const parse = (...lines: readonly string[]) => parseRequestHead(head(...lines))
const targetOf = (target: string) => parseRequestHead(`GET ${target} HTTP/1.1\r\nHost: a`).target

/** The status that a head is refused with; `undefined` when it is not. */
function refusal(text: string): number | undefined {
  try {
    parseRequestHead(text)
  } catch (error) {
    if (error instanceof RefusedRequestError) return error.status
    throw error
  }
  return undefined
}

describe('the request line', () => {
  it.each(['GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'M-SEARCH', 'get', "!#$%&'*+.^_`|~9"])(
    'has the method %s as it was sent',
    (method) => expect(parseRequestHead(`${method} / HTTP/1.1\r\nHost: a`).method).toBe(method),
  )

  it.each([
    ['/', '/'],
    ['/a/b.c?d=e&f=%2F#', '/a/b.c?d=e&f=%2F#'],
    ['//a//b', '//a//b'],
    ['/a/../b', '/a/../b'],
    ['http://b/c?d', '/c?d'],
    ['HTTPS://b:1/c', '/c'],
    ['http://b', '/'],
    ['http://b?c=/d', '/?c=/d'],
    ['http://[::1]:8080/c', '/c'],
    ['/http://b/c', '/http://b/c'],
  ] as const)('has of the target %s the path and query', (target, path) => {
    expect(targetOf(target)).toBe(path)
  })

  it.each(['/é/日本?😀=ß', 'http://b/é'])('has the target %s although it was sent in raw UTF-8', (target) => {
    expect(targetOf(Buffer.from(target).toString('latin1'))).toBe(target.replace('http://b', ''))
  })

  it('has a path even where the target is not UTF-8', () => {
    expect(targetOf('/a\xff\xc3')).toBe('/a\ufffd\ufffd')
  })

  it.each([
    '*',
    'a:443',
    'a/b',
    '?a',
    '#a',
    '\\a',
    'ftp://b/c',
    'ws://b/c',
    'http:/c',
    'http:c',
    '/a\tb',
    '/a\x01',
    '/a\x7f',
    '/a\0',
  ])('is refused with the target %j', (target) =>
    expect(refusal(`GET ${target} HTTP/1.1\r\nHost: a`)).toBe(400),
  )

  it('is refused with an address that names no host (RFC 9110 §4.2.1)', () => {
    expect(refusal('GET http:///c HTTP/1.1\r\nHost: a')).toBe(400)
    expect(refusal('GET https://?c HTTP/1.1\r\nHost: a')).toBe(400)
  })

  it.each([
    ['HTTP/1.0', true],
    ['HTTP/1.1', false],
    ['HTTP/1.2', false],
    ['HTTP/1.9', false],
  ] as const)('may say %s', (version, isOld) => {
    expect(parseRequestHead(`GET / ${version}\r\nHost: a`).isOld).toBe(isOld)
  })

  it.each(['HTTP/2.0', 'HTTP/3.0', 'HTTP/0.9'])('is refused for %s', (version) => {
    expect(refusal(`GET / ${version}\r\nHost: a`)).toBe(505)
  })

  it('refuses the preface of HTTP/2', () => {
    expect(refusal('PRI * HTTP/2.0')).toBe(505)
  })

  it.each([
    ['nothing', ''],
    ['blanks only', '  '],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6'],
    ['an answer', 'HTTP/1.1 200 OK'],
    ['no version', 'GET /'],
    ['a version in lower case', 'GET / http/1.1'],
    ['a version without its second digit', 'GET / HTTP/1.'],
    ['a version with too many digits', 'GET / HTTP/1.10'],
    ['a version that is no number', 'GET / HTTP/1.x'],
    ['another version of something else', 'GET / ICAP/1.1'],
    ['a blank before it', ' GET / HTTP/1.1'],
    ['a blank behind it', 'GET / HTTP/1.1 '],
    ['two blanks in a row', 'GET  / HTTP/1.1'],
    ['a tab for a blank', 'GET\t/ HTTP/1.1'],
    ['a blank in its target', 'GET /a b HTTP/1.1'],
    ['a method that is no token', 'G(T / HTTP/1.1'],
    ['a method beyond ASCII', 'G\xc9T / HTTP/1.1'],
    ['an endless method', `${'G'.repeat(1000)} / HTTP/1.1`],
    ['a bare line feed behind it', 'GET / HTTP/1.1\nX: a'],
    ['a bare carriage return behind it', 'GET / HTTP/1.1\rX: a'],
    ['two versions', 'GET / HTTP/1.1 HTTP/1.1'],
  ] as const)('is refused with %s', (_, line) => {
    expect(refusal(`${line}\r\nHost: a`)).toBe(400)
  })
})

describe('the host', () => {
  it.each([
    'a',
    'api.example',
    'API.example:80',
    'under_score',
    '127.0.0.1:8080',
    '[::1]',
    '[2001:db8::1]:443',
    '[::ffff:1.2.3.4]',
    'a:',
    '',
  ])('may be %j', (host) => {
    expect(parseRequestHead(`GET / HTTP/1.1\r\nHost: ${host}`).host).toBe(host)
  })

  it.each([
    'a b',
    'a, b',
    'a/b',
    'a?b',
    'a#b',
    'a\\b',
    'user@a',
    'http://a',
    'a:b',
    'a:-1',
    'a:123456',
    'a:80:80',
    '::1',
    '[::1',
    '::1]',
    '[::1]x',
    '[]',
    '"a"',
    '<a>',
    'caf\xc3\xa9',
  ])('is refused when it is %j', (host) => expect(refusal(`GET / HTTP/1.1\r\nHost: ${host}`)).toBe(400))

  it('is refused when it is missing, unless in HTTP/1.0', () => {
    expect(refusal('GET / HTTP/1.1')).toBe(400)
    expect(refusal('GET / HTTP/1.2\r\nX-Host: a')).toBe(400)
    expect(refusal('GET http://a/ HTTP/1.1')).toBe(400)
    expect(refusal('GET / HTTP/1.0')).toBeUndefined()
  })

  it('is refused when it is there twice, even the same and even in HTTP/1.0', () => {
    expect(refusal('GET / HTTP/1.1\r\nHost: a\r\nHost: b')).toBe(400)
    expect(refusal('GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST:a')).toBe(400)
    expect(refusal('GET / HTTP/1.0\r\nHost: a\r\nHost: a')).toBe(400)
  })
})

describe('the end of the body', () => {
  it.each([
    ['a length', ['Content-Length: 12'], 12],
    ['a length without a blank', ['content-length:12'], 12],
    ['a length between blanks', ['CONTENT-LENGTH: \t12 \t'], 12],
    ['a length of nothing', ['Content-Length: 0'], 0],
    ['chunks', ['Transfer-Encoding: chunked'], 'chunked'],
    ['chunks in another case', ['TRANSFER-ENCODING:\tCHUNKED '], 'chunked'],
    ['neither', [], 0],
    ['neither, but fields with such names', ['X-Content-Length: 5', 'Content-Lengths: 6', 'TE: chunked'], 0],
    ['neither, but such words in a value', ['X: Content-Length: 5', 'Y: a, transfer-encoding: chunked'], 0],
  ] as const)('is known by %s', (_, lines, framing) => {
    expect(parse(...lines).framing).toBe(framing)
  })

  it.each([
    ['a length and chunks', ['Content-Length: 12', 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 12']],
    ['chunks and a length of nothing', ['Transfer-Encoding: chunked', 'Content-Length: 0']],
    ['two lengths', ['Content-Length: 12', 'Content-Length: 13']],
    ['the same length twice', ['Content-Length: 12', 'X: y', 'content-length: 12']],
    ['chunks in chunks', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['chunks and nothing', ['Transfer-Encoding: chunked', 'Transfer-Encoding:']],
    ['chunks in something', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
  ] as const)('is refused by %s', (_, lines) => {
    expect(refusal(head(...lines))).toBe(400)
  })

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '-0',
    '0x10',
    '1a',
    '1.5',
    '1e3',
    '1 2',
    '2, 2',
    '2,2',
    '2,',
    '1_000',
    '\v2',
    '2\f',
    '2\xa0',
    '\xb2',
    '9'.repeat(16),
    '9'.repeat(400),
  ])('is refused by the length %j', (length) => expect(refusal(head(`Content-Length: ${length}`))).toBe(400))

  it.each([
    '',
    'gzip',
    'identity',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'chunked,',
    ', chunked',
    'xchunked',
    'chunkedx',
    'chunked;a=b',
    '"chunked"',
    '\vchunked',
    'chunked\xa0',
  ])('is refused by the transfer coding %j', (coding) =>
    expect(refusal(head(`Transfer-Encoding: ${coding}`))).toBe(400),
  )

  it('is refused by chunks in HTTP/1.0, which knows none', () => {
    expect(refusal('POST / HTTP/1.0\r\nTransfer-Encoding: chunked')).toBe(400)
  })
})

describe('the connection', () => {
  it.each([
    [false, []],
    [false, ['Connection: keep-alive']],
    [false, ['Connection: closed, disclose, close-not']],
    [false, ['X-Connection: close']],
    [false, ['X: connection: close']],
    [true, ['Connection: close']],
    [true, ['connection:CLOSE']],
    [true, ['Connection: TE ,\tClose , x']],
    [true, ['Connection: close, keep-alive']],
    [true, ['Connection: keep-alive', 'Connection: close']],
  ] as const)('says %p to ending with %j', (closes, lines) => {
    expect(parse(...lines).closes).toBe(closes)
  })

  it.each([
    [true, []],
    [true, ['Connection: close']],
    [true, ['Connection: keep-alive', 'Connection: close']],
    [false, ['Connection: keep-alive']],
    [false, ['Connection: TE, Keep-Alive']],
  ])('says %p to ending with %j in HTTP/1.0', (closes, lines) => {
    expect(parseRequestHead(['GET / HTTP/1.0', ...lines].join('\r\n')).closes).toBe(closes)
  })

  it.each([
    ['websocket', ['Connection: Upgrade', 'Upgrade: WebSocket']],
    ['websocket', ['Connection: keep-alive, upgrade', 'Upgrade: websocket']],
    [undefined, ['Upgrade: websocket']],
    [undefined, ['Connection: Upgrade']],
  ] as const)('is asked to go on with %j by %j', (protocol, lines) => {
    expect(parse(...lines).upgrade).toBe(protocol)
  })
})

describe('a caller that waits before its body', () => {
  it.each([
    [true, 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue'],
    [true, 'POST / HTTP/1.1\r\nHost: a\r\nEXPECT:100-Continue '],
    [false, 'POST / HTTP/1.1\r\nHost: a'],
    [false, 'POST / HTTP/1.1\r\nHost: a\r\nX-Expect: 100-continue'],
    [false, 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continued'],
    [false, 'POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue'],
  ] as const)('is known (%p) by %j', (expects, text) => {
    expect(parseRequestHead(text).expectsContinue).toBe(expects)
  })
})

describe('what others may read differently', () => {
  it.each([
    ['a blank before the colon', ['Transfer-Encoding : chunked']],
    ['a tab before the colon', ['Content-Length\t: 2']],
    ['a folded line', ['A: b', ' c: d']],
    ['a line folded with a tab', ['A: b', '\tTransfer-Encoding: chunked']],
    ['a fold that is blank', ['A: b', ' ']],
    ['a bare line feed', ['A: b\nTransfer-Encoding: chunked']],
    ['a bare carriage return', ['A: b\rTransfer-Encoding: chunked']],
    ['a carriage return too many', ['A: b\r']],
    ['a line feed before its line break', ['A: b\n']],
    ['a zero byte in a value', ['A: b\0c']],
    ['a zero byte in a name', ['Content-Length\0: 2']],
    ['no colon', ['Content-Length']],
    ['a colon that is in the next line', ['Content-Length', ': 2']],
    ['no name', [': 2']],
    ['a name of a blank', [' : 2']],
    ['a name in two words', ['Content Length: 2']],
    ['a name that is no token', ['(a): b']],
    ['a name in quotes', ['"Host": b']],
    ['a name beyond ASCII', ['Content-L\xe9ngth: 2']],
    ['a blank beyond ASCII before the colon', ['Content-Length\xa0: 2']],
    ['a control character in a name', ['Content-Length\v: 2']],
    ['an empty line', ['', 'A: b']],
    ['a line break behind its last line', ['A: b', '']],
  ] as const)('is refused: %s', (_, lines) => {
    expect(refusal(head(...lines))).toBe(400)
  })

  it.each(['\x01', '\x08', '\v', '\f', '\x1b', '\x1f', '\x7f'])(
    'is refused: the control character %j in a value (RFC 9110 §5.5)',
    (unit) => expect(refusal(head(`A: b${unit}c`))).toBe(400),
  )

  it('is refused where a folded line comes before all fields', () => {
    expect(refusal('GET / HTTP/1.1\r\n Host: a')).toBe(400)
    expect(refusal('GET / HTTP/1.1\r\n Host: a\r\nHost: b')).toBe(400)
  })
})

describe('the fields', () => {
  it.each([
    ['x-a', 'b c'],
    ['empty', ''],
    ['list', '1, 2, 3'],
    ['x-host', 'b'],
    ['host', 'a'],
    ['x', 'y: z, list: 4'],
    ['tail', 'caf\xe9'],
    ['ail', null],
    ['hos', null],
    ['y', null],
    ['post /a http/1.1', null],
  ] as const)('have %s as it was sent', (name, value) => {
    const lines = ['X-A: \tb c\t ', 'Empty:', 'LIST: 1', 'X-Host: b', 'x: y: z, list: 4', 'list:2', 'List: 3']
    expect(parse(...lines, 'Tail: caf\xe9').get(name)).toBe(value)
  })

  it('are listed in their order, names in lower case', () => {
    const parsed = parse('X-Request-ID:  a b\t', 'Empty:', 'Link: <http://b:1/>', 'empty: x')
    expect([...parsed.entries()]).toEqual([
      ['host', 'a'],
      ['x-request-id', 'a b'],
      ['empty', ''],
      ['link', '<http://b:1/>'],
      ['empty', 'x'],
    ])
  })

  it('may be none in HTTP/1.0', () => {
    const parsed = parseRequestHead('GET / HTTP/1.0')
    expect([...parsed.entries()]).toEqual([])
    expect(parsed.get('host')).toBeNull()
  })

  it('may be thousands', () => {
    const parsed = parse(...Array.from({ length: 8000 }, () => 'a:'))
    expect([...parsed.entries()]).toHaveLength(8001)
  })

  const token = [..."abcXYZ019!#$%&'*+.^_`|~-"]
  const name = fc.string({ unit: fc.constantFrom(...token), minLength: 1, maxLength: 12 })
  const visible = fc.string({ unit: fc.constantFrom(...'aZ9:,;="\\\xe9\xff'), maxLength: 8 })
  const value = fc
    .array(visible, { maxLength: 4 })
    .map((words) => words.filter((word) => word !== '').join(' \t'))
  const blanks = fc.constantFrom('', ' ', '\t', ' \t ')
  const path = fc.string({ unit: fc.constantFrom(...'aZ09/?&=%-._~:@!') }).map((text) => `/${text}`)

  it('are those that a head was made of, whatever they are', () => {
    fc.assert(
      fc.property(name, path, fc.array(fc.tuple(name, value, blanks, blanks)), (method, target, fields) => {
        const lines = fields.map(([name, value, before, after]) => `${name}:${before}${value}${after}`)
        const parsed = parseRequestHead([`${method} ${target} HTTP/1.1`, 'Host: a', ...lines].join('\r\n'))
        const expected = fields.map(([name, value]): [string, string] => [name.toLowerCase(), value])
        expect([parsed.method, parsed.target, parsed.framing, parsed.closes]).toEqual([
          method,
          target,
          0,
          false,
        ])
        expect([...parsed.entries()]).toEqual([['host', 'a'], ...expected])
        for (const [name] of expected) {
          const values = expected.filter(([other]) => other === name).map(([, value]) => value)
          expect(parsed.get(name)).toBe(values.join(', '))
        }
      }),
    )
  })
})
