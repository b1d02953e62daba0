import { describe, expect, it } from 'bun:test'
import { MalformedMessageError } from '../wire/body.ts'
import { headersOf, parseResponseHead } from './response-head.ts'

const head = (...lines: readonly string[]) => ['HTTP/1.1 200 OK', ...lines].join('\r\n')
const parse = (...lines: readonly string[]) => parseResponseHead(head(...lines))

describe('parseAnswerHead', () => {
  it.each([
    ['a length', head('Content-Length: 12'), 12],
    ['a length without a blank, or between blanks', head('content-length:12\t '), 12],
    ['the same length twice', head('Content-Length: 12', 'content-length: 12'), 12],
    ['no body', head('Content-Length: 0'), 0],
    ['chunks', head('Transfer-Encoding: chunked'), 'chunked'],
    ['chunks in another case', head('TRANSFER-ENCODING:CHUNKED'), 'chunked'],
    ['chunks rather than a length', head('Content-Length: 12', 'Transfer-Encoding: chunked'), 'chunked'],
    ['the end of the connection', head('Content-Type: text/plain'), 'until-close'],
    ['the end of the connection, without any field', head(), 'until-close'],
    ['no body after an interim answer', 'HTTP/1.1 103 Early Hints\r\nContent-Length: 12', 0],
    ['no body after 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 12', 0],
    ['no body after 304', 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked', 0],
  ] as const)('knows the end of a body by %s', (_, text, framing) => {
    expect(parseResponseHead(text).framing).toBe(framing)
  })

  it.each([
    ['HTTP/1.1 200 OK', 200],
    ['HTTP/1.1 200 ', 200],
    ['HTTP/1.1 200', 200],
    ['HTTP/1.0 404 Not Found', 404],
    ['HTTP/1.1 100 Continue', 100],
    ['HTTP/1.1 599 Anything \xe9', 599],
    ['HTTP/1.1 502\r\nServer: x', 502],
  ] as const)('reads the status of %j', (text, status) => {
    expect(parseResponseHead(text).status).toBe(status)
  })

  it.each([
    [true, head('Content-Length: 2')],
    [true, head('Content-Length: 2', 'Connection: keep-alive')],
    [true, head('Content-Length: 2', 'Connection: closed, disclose')],
    [true, head('Content-Length: 2', 'X-Connection: close')],
    [true, 'HTTP/1.1 204 No Content'],
    [false, head('Content-Length: 2', 'Connection: close')],
    [false, head('Content-Length: 2', 'connection:CLOSE')],
    [false, head('Content-Length: 2', 'Connection: TE ,\tClose , x')],
    [false, head('Content-Length: 2', 'Connection: keep-alive', 'Connection: close')],
    [false, head('Content-Length: 2', 'Transfer-Encoding: chunked')],
    [false, head('Transfer-Encoding: chunked', 'Content-Length: 2')],
    [false, head('Content-Type: text/plain')],
    [false, 'HTTP/1.0 200 OK\r\nContent-Length: 2'],
  ] as const)('says %p to using the connection again after %j', (keepsAlive, text) => {
    expect(parseResponseHead(text).keepsAlive).toBe(keepsAlive)
  })

  it.each([
    ['timeout=5', 5],
    ['timeout=5, max=1000', 5],
    ['max=1000,Timeout=60', 60],
    ['timeout=0', 0],
    ['max=1000', undefined],
    ['notimeout=5', undefined],
    ['timeout=soon', undefined],
  ] as const)('reads how long a server keeps a connection from %j', (value, seconds) => {
    expect(parse(`Keep-Alive: ${value}`).keepAliveSeconds).toBe(seconds)
  })

  it.each([
    [[], undefined],
    [['Content-Encoding: '], undefined],
    [['Content-Encoding: Identity'], undefined],
    [['Content-Encoding: GZip'], 'gzip'],
    [['Content-Encoding: gzip', 'content-encoding: br'], 'gzip, br'],
  ] as const)('reads how the body is packed from %j', (lines, encoding) => {
    expect(parse(...lines).encoding).toBe(encoding)
  })

  it('reads the content type as it was written, the first where there are two', () => {
    expect(parse('Content-Type: Text/Event-Stream; charset=UTF-8 ').contentType).toBe(
      'Text/Event-Stream; charset=UTF-8',
    )
    expect(parse('content-type: a/b', 'Content-Type: c/d').contentType).toBe('a/b')
    expect(parse('Content-Typo: a/b').contentType).toBeNull()
  })

  it.each([
    ['nothing', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6'],
    ['an answer of HTTP/0.9', '<html></html>'],
    ['HTTP/2', 'HTTP/2 200'],
    ['HTTP/2.0', 'HTTP/2.0 200 OK'],
    ['the protocol in lower case', 'http/1.1 200 OK'],
    ['a version without its second digit', 'HTTP/1. 200 OK'],
    ['a version that is no number', 'HTTP/1.x 200 OK'],
    ['a request', 'POST / HTTP/1.1'],
    ['a blank before the status line', ' HTTP/1.1 200 OK'],
    ['a tab before the status', 'HTTP/1.1\t200 OK'],
    ['a status of two digits', 'HTTP/1.1 20 OK'],
    ['a status of four digits', 'HTTP/1.1 2000 OK'],
    ['a status below 100', 'HTTP/1.1 099 OK'],
    ['a status above 599', 'HTTP/1.1 600 OK'],
    ['a status in words', 'HTTP/1.1 abc OK'],
    ['a status with an exponent', 'HTTP/1.1 2e2 OK'],
    ['a status without a blank behind it', 'HTTP/1.1 200OK'],
    ['a bare line feed behind the status line', 'HTTP/1.1 200 OK\nContent-Length: 2'],
    ['a bare line feed behind a field', head('A: b\nContent-Length: 2')],
    ['a carriage return inside a line', head('A: b\rContent-Length: 2')],
    ['a zero byte', head('A: b\0c')],
    ['a folded line', head('A: b', ' c: d')],
    ['a line folded with a tab', head('A: b', '\tc: d')],
    ['a blank before the colon', head('Content-Length : 2')],
    ['a tab before the colon', head('Content-Length\t: 2')],
    ['a line without a colon', head('Content-Length')],
    ['a line whose colon is in the next', head('Content-Length', 'A: b')],
    ['a field without a name', head(': 2')],
    ['two differing lengths', head('Content-Length: 2', 'Content-Length: 3')],
  ] as const)('refuses %s', (_, text) => {
    expect(() => parseResponseHead(text)).toThrow(MalformedMessageError)
  })

  it.each(['', '-1', '+1', '0x10', '1a', '1.5', '1e3', '1 2', '2, 2', '\v2', '2\xa0', '9'.repeat(16)])(
    'refuses the length %j',
    (length) => expect(() => parse(`Content-Length: ${length}`)).toThrow(MalformedMessageError),
  )

  it.each([
    '',
    'gzip',
    'identity',
    'gzip, chunked',
    'chunked, chunked',
    'xchunked',
    'chunked;a=b',
    '\vchunked',
  ])('refuses the transfer coding %j', (coding) =>
    expect(() => parse(`Transfer-Encoding: ${coding}`)).toThrow(MalformedMessageError),
  )

  it('refuses chunks in chunks', () => {
    expect(() => parse('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')).toThrow(
      MalformedMessageError,
    )
  })
})

describe('headersOf', () => {
  it('gives names in lower case and values without blanks around them', () => {
    expect([...headersOf(parse('X-Request-ID:  a b\t', 'Empty:', 'Link: <http://a:1/>'))]).toEqual([
      ['x-request-id', 'a b'],
      ['empty', ''],
      ['link', '<http://a:1/>'],
    ])
  })

  it('joins the values of a field that came more than once', () => {
    const headers = headersOf(parse('Via: a', 'X: 1', 'via: b', 'VIA: c'))
    expect(headers.get('via')).toBe('a, b, c')
  })

  it('finds none in a head without any', () => {
    expect(headersOf(parse()).size).toBe(0)
  })
})
