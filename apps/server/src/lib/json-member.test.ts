import { describe, expect, it } from 'bun:test'
import { cutAtMember } from './json-member.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function cut(text: string, size: number): Promise<{ inside: string; outside: string }> {
  const pieces = { inside: '', outside: '' }
  for await (const { isInside, bytes } of cutAtMember(inChunks(text, size), 'data'))
    pieces[isInside ? 'inside' : 'outside'] += Buffer.from(bytes).toString('latin1')
  return pieces
}

describe('a JSON text, cut at a member', () => {
  it.each([
    ['{"data":"AAAA","b":1}', 'AAAA', '{"data":"","b":1}'],
    [
      '{ "x" : {"data" : "AA" }, "data":["no"], "y":"data" }',
      'AA',
      '{ "x" : {"data" : "" }, "data":["no"], "y":"data" }',
    ],
    ['{"data":"a\\"b\\\\","c":"data"}', 'a\\"b\\\\', '{"data":"","c":"data"}'],
    [
      '{"\\"data":"no","da\\u0074a":"no","dat":"no","datas":"no"}',
      '',
      '{"\\"data":"no","da\\u0074a":"no","dat":"no","datas":"no"}',
    ],
    ['{"data":"one","more":{"data":"two"}}', 'onetwo', '{"data":"","more":{"data":""}}'],
    ['{"data":"","b":"data"}', '', '{"data":"","b":"data"}'],
    ['{"data":"cut off', 'cut off', '{"data":"'],
    ['"data":: "x"', '', '"data":: "x"'],
  ])('%s gives %j, however it is split', async (text, inside, outside) => {
    for (const size of [1, 2, 3, 5, 100])
      expect([size, await cut(text, size)]).toEqual([size, { inside, outside }])
  })
})
