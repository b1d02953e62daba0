import { expect, it } from 'bun:test'
import { decodeErrorBody } from './decode-error.ts'

const stated = (status: number, body: string) => decodeErrorBody({ status, headers: {}, body })

it.each([
  [
    200,
    '<html><head><title>Just a moment...</title></head></html>',
    'The upstream returned 200 with a web page instead of a response: "Just a moment...".',
  ],
  [
    200,
    '<!DOCTYPE html><style>a{}</style><body><h1>Log in</h1> first</body>',
    'The upstream returned 200 with a web page instead of a response: "Log in first".',
  ],
  [
    200,
    '{"words":[]}',
    'The upstream returned 200 with JSON of an unknown form instead of a response: "{ words :[]}".',
  ],
  [200, 'pong', 'The upstream returned 200 with text instead of a response: "pong".'],
  [200, '', 'The upstream returned 200 with an empty response.'],
  [
    502,
    '<html><title>502 Bad Gateway</title></html>',
    'The upstream responded with status 502 and a web page: "502 Bad Gateway".',
  ],
  [418, '', 'The upstream responded with status 418.'],
])('describes a body of status %d that is no error: %s', (status, body, message) => {
  expect(stated(status, body)).toMatchObject({ message, isUnreadable: true })
})

it('names a 2xx body that cannot be read by another code than a status', () => {
  expect(stated(200, '<html>').code).toBe('malformed_response')
  expect(stated(502, '<html>').code).toBe('bad_response_status_code')
  expect(stated(200, '{"error":{"message":"no"}}').isUnreadable).toBeUndefined()
})

it('takes time in proportion to a hostile page', () => {
  const started = performance.now()
  stated(200, `<html>${'<script>'.repeat(20_000)}${'<'.repeat(100_000)}`)
  expect(performance.now() - started).toBeLessThan(1000)
})
