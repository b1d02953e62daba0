import { expect, it } from 'bun:test'
import { readLines } from './read-lines.ts'

it('keeps every byte and counts lines over pieces', async () => {
  const pieces = ['id,time\r\n1,', 'a\r\n2,b\r', '\n']
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  const counted: number[] = []
  const file = await readLines(new Response(body), (lines) => counted.push(lines))
  expect(await file.text()).toBe(pieces.join(''))
  expect(counted.at(-1)).toBe(3)
})
